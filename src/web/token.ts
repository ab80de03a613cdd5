/** The token of page and API: read from its file again whenever it may have changed, compared without telling by time how much was right. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { UsageError } from '../errors.ts';

export interface Token {
  isRight(given: string): Promise<boolean>;
  /** What a browser keeps instead of the token; void when the token changes. Undefined while there is no token. */
  newSession(): Promise<string | undefined>;
  isSession(given: string): Promise<boolean>;
}

/** Milliseconds a browser stays signed in. */
export const SESSION = 12 * 3_600_000;
/** Shorter ones can be guessed. */
const SHORTEST = 16;
/** Milliseconds until the file is read again. */
const FRESH = 1_000;

export interface TokenOptions {
  file: string;
  /** What names the file: `token-file` where nothing else is said. */
  flag?: string;
  now: () => number;
  /** Once for each trouble with the file: then nobody gets in. */
  failed: (reason: string) => void;
}

/** UsageError when the file cannot be used now; later on that closes the door and is told. */
export async function openToken({ file, flag = 'token-file', now, failed }: TokenOptions): Promise<Token> {
  const first = await read(file);
  if ('problem' in first) throw new UsageError(`--${flag}: ${first.problem}`);
  let last: Read = first;
  let readAt = now();

  async function current(): Promise<string | undefined> {
    if (Math.abs(now() - readAt) >= FRESH) {
      const before = last;
      readAt = now();
      last = await read(file);
      if ('problem' in last && !('problem' in before)) failed(last.problem);
    }
    return 'token' in last ? last.token : undefined;
  }

  return {
    async isRight(given) {
      const token = await current();
      return token !== undefined && equal(given, token);
    },
    async newSession() {
      const token = await current();
      const end = String(now() + SESSION);
      return token === undefined ? undefined : `${end}.${sign(end, token)}`;
    },
    async isSession(given) {
      const token = await current();
      const [end = '', signature = ''] = given.split('.');
      return token !== undefined && equal(signature, sign(end, token)) && Number(end) > now();
    },
  };
}

type Read = { token: string } | { problem: string };

async function read(file: string): Promise<Read> {
  try {
    const token = (await readFile(file, 'utf8')).trim();
    return token.length < SHORTEST ? { problem: `the token has fewer than ${SHORTEST} characters` } : { token };
  } catch (error) {
    return { problem: `the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})` };
  }
}

/** Digests have one length, so that nothing is told of the token's. */
function equal(given: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(right));
}

function sign(end: string, token: string): string {
  return createHmac('sha256', token).update(`prepuller session until ${end}`).digest('base64url');
}

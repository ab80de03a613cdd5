/** Requests to the controller through argocd-server's proxy extension, which asks its RBAC about the application they name. */
import { LINE } from '../words.ts';
import type { Application } from './argocd.ts';
import { EXTENSION } from './name.ts';

/** Somebody said no, and will say so again. */
export class Refused extends Error {}

/** Throws Refused, or what `fetch` throws, or an Error for an answer that another try may mend. */
export async function relay(application: Application, path: string, init: RequestInit = {}): Promise<Response> {
  const { name, namespace = '' } = application.metadata;
  const headers = {
    ...(init.headers as Record<string, string> | undefined),
    'Argocd-Application-Name': `${namespace}:${name}`,
    'Argocd-Project-Name': application.spec?.project ?? 'default',
  };
  const url = new URL(`extensions/${EXTENSION}/api/v1/${path}`, document.baseURI);
  const response = await fetch(url, { ...init, headers, cache: 'no-store' });
  if (response.ok && isOurs(response)) return response;
  await refuse(response);
  throw new Error(LINE.down);
}

function isOurs({ headers }: Response): boolean {
  return /^(application\/json|text\/event-stream)\b/.test(headers.get('content-type') ?? '');
}

/** Argo CD answers in plain text, and with its own page where it has no such extension; the controller in JSON. */
async function refuse(response: Response): Promise<void> {
  const isJson = isOurs(response);
  if (response.status === 404 && isJson) return;
  if (response.status === 401 || response.status === 403) {
    throw new Refused(isJson ? `The controller refuses: ${await reasonIn(response)}.` : WITHOUT_RIGHTS);
  }
  if (response.ok || response.status === 404) throw new Refused(NOT_SET_UP);
}

async function reasonIn(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error?: unknown };
  return typeof error === 'string' ? error : 'it does not say why';
}

const WITHOUT_RIGHTS =
  `Argo CD does not let you see this. It takes the right to get this Application, and ` +
  `the right to invoke the extension: p, role:…, extensions, invoke, ${EXTENSION}, allow`;
const NOT_SET_UP = `Argo CD knows no way to the controller: its proxy extension ${EXTENSION} is not set up.`;

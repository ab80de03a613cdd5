/** Lines for stderr: warnings, and what a command is doing. Static text plus fields, control characters always escaped. */
import type { Warning } from './api/warning.ts';

export interface Log {
  /** What the command is doing from now on, for `-v` and for the line that a signal ends it with. */
  doing(what: string): void;
  current(): string;
}

/** `write` gets whole lines, and only when `verbose`. */
export function createLog(verbose: boolean, write: (line: string) => void): Log {
  let current = 'starting';
  return {
    doing(what) {
      current = what;
      if (verbose) write(`${printable(what)}\n`);
    },
    current: () => current,
  };
}

/** One line a warning, none twice, in the order first seen: `warning: <message> key=value`. */
export function warningLines(warnings: readonly Warning[]): string[] {
  return [...new Set(warnings.map(warningLine))];
}

function warningLine({ message, fields }: Warning): string {
  const pairs = Object.entries(fields).map(
    ([key, value]) => ` ${key}=${/^[^\s"=\\]+$/.test(value) ? value : JSON.stringify(value)}`,
  );
  return printable(`warning: ${message}${pairs.join('')}`);
}

/** The text with every control, format and line-breaking character spelled out, so that it stays one line and moves no cursor. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

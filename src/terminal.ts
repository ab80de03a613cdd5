/** Talking while a command runs: lines on stderr, and questions where somebody can answer. */
import { createInterface } from 'node:readline/promises';
import type { Terminal } from './command.ts';
import { UsageError } from './errors.ts';
import { printable } from './log.ts';
import { writeStderr } from './output.ts';

const CLEAR_LINE = '\r\u001b[2K';

export function createTerminal(signal: AbortSignal): Terminal {
  const isInteractive = process.stderr.isTTY;
  let last = '';
  let passed = false;
  return {
    isInteractive,
    say(line, passing = false) {
      const text = printable(line);
      const before = passed ? CLEAR_LINE : '';
      if (passing && !isInteractive && text === last) return;
      last = text;
      passed = passing && isInteractive;
      void writeStderr(passed ? `${before}${fitting(text)}` : `${before}${text}\n`);
    },
    async ask(question) {
      if (!isInteractive || !process.stdin.isTTY) throw new UsageError('nobody can be asked here: say --yes');
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      try {
        return await lines.question(`${printable(question)} `, { signal });
      } finally {
        lines.close();
      }
    },
  };
}

/** A line that wraps cannot be overwritten. */
function fitting(text: string): string {
  const width = process.stderr.columns;
  return text.length < width ? text : `${text.slice(0, Math.max(0, width - 2))}…`;
}

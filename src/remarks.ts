/** What the reconciler remarks while a command looks through it, as warnings, a line each. */
import type { Terminal } from './command.ts';
import { warningLines } from './log.ts';
import type { Remark } from './watch/controller.ts';

/** On stderr. */
export function remarksOn(terminal: Terminal): Remark {
  return remarksBy((line) => {
    terminal.say(line);
  });
}

export function remarksBy(say: (line: string) => void): Remark {
  return (level, message, fields) => {
    if (level === 'info') return;
    const texts = Object.entries(fields).map(([key, value]): [string, string] => [key, String(value)]);
    for (const line of warningLines([{ message, fields: Object.fromEntries(texts) }])) say(line);
  };
}

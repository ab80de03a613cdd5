/** What the reconciler remarks while a command looks through it, as warnings on stderr. */
import type { Terminal } from './command.ts';
import { warningLines } from './log.ts';
import type { Remark } from './watch/controller.ts';

export function remarksOn(terminal: Terminal): Remark {
  return (level, message, fields) => {
    if (level === 'info') return;
    const texts = Object.entries(fields).map(([key, value]): [string, string] => [key, String(value)]);
    for (const line of warningLines([{ message, fields: Object.fromEntries(texts) }])) terminal.say(line);
  };
}

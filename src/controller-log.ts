/** The controller's log: one JSON object a line on stderr, a static message, everything else in fields. */
import { destination, pino, stdTimeFunctions } from 'pino';
import type { LogLevel } from './config/controller-parameters.ts';
import type { Remark } from './watch/controller.ts';

export function createControllerLog(level: LogLevel): Remark {
  const options = {
    level,
    base: null,
    messageKey: 'message',
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  // Written at once: the last lines before an end matter most.
  const log = pino(options, destination({ fd: 2, sync: true }));
  return (severity, message, fields) => {
    log[severity](fields, message);
  };
}

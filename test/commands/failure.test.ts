/** What stderr says: failures by kind, bugs without the values they may quote, warnings once each and on one line. */
import { ToolError, UsageError, UserError } from '../../src/errors.ts';
import { describeFailure, Stopped } from '../../src/failure.ts';
import { createLog, printable, warningLines } from '../../src/log.ts';

const tool = (stderr: string) => new ToolError('helm failed', { command: ['helm'], exitCode: 1, stderr });

test.each<[string, unknown, number, string]>([
  ['wrong input', new UserError('values.yaml: hub.x: wrong'), 1, 'prepuller: values.yaml: hub.x: wrong\n'],
  ['more lines', new UserError('a\nb\n'), 1, 'prepuller: a\nb\n'],
  ['wrong use', new UsageError('no such flag'), 2, 'prepuller: no such flag\n'],
  ['a tool', tool('Error: b\nc\n'), 3, 'prepuller: helm failed\nError: b\nc\n'],
  ['a silent tool', tool(''), 3, 'prepuller: helm failed\n'],
  ['a tool quoted already', tool('failed'), 3, 'prepuller: helm failed\n'],
  [
    'a signal',
    new Stopped('SIGTERM', 'waiting'),
    143,
    'prepuller: stopped by SIGTERM while waiting; nothing was printed\n',
  ],
  ['control characters', new UserError('a\u001b[31mb\u202ec\u0007'), 1, 'prepuller: a\\u{1b}[31mb\\u{202e}c\\u{7}\n'],
])('%s', (_case, error, exitCode, text) => {
  expect(describeFailure(error, false)).toEqual({ exitCode, text });
});

test('the first line holds 300 characters at most, and halves none', () => {
  const [first] = describeFailure(new UserError('😀'.repeat(400)), false).text.split('\n');
  expect(first!.length).toBeLessThanOrEqual(300);
  expect(first).toMatch(/^prepuller: (😀)+…$/u);
});

test('a bug keeps its stack, and its message only when asked', () => {
  const bug = new SyntaxError('Unexpected token, "hunter2" is not valid JSON');
  const quiet = describeFailure(bug, false);
  expect(quiet.exitCode).toBe(3);
  expect(quiet.text).toMatch(
    /^prepuller: this is a bug in prepuller; please report it .*\nSyntaxError: \(message hidden/,
  );
  expect(quiet.text).toMatch(/^ +at .*failure\.test\.ts/m);
  expect(quiet.text).not.toContain('hunter2');
  expect(describeFailure(bug, true).text).toContain('SyntaxError: Unexpected token, "hunter2" is not valid JSON\n');
  expect(describeFailure('text', false).text).toContain('(thrown: string)');
});

test('warnings: static text, then fields; none twice; one line each', () => {
  const tag = (value: string) => ({ message: 'tag moves', fields: { image: value, object: 'Secret/hub' } });
  expect(warningLines([tag('a:latest'), tag('b'), tag('a:latest'), tag('c d'), tag('e\nwarning: f'), tag('')])).toEqual(
    [
      'warning: tag moves image=a:latest object=Secret/hub',
      'warning: tag moves image=b object=Secret/hub',
      'warning: tag moves image="c d" object=Secret/hub',
      'warning: tag moves image="e\\nwarning: f" object=Secret/hub',
      'warning: tag moves image="" object=Secret/hub',
    ],
  );
});

test('every character that moves a cursor or breaks a line is spelled out', () => {
  expect(printable('a\r\n\t\u0085\u2028\u200b\u{e0001}ä😀')).toBe(
    'a\\u{d}\\u{a}\\u{9}\\u{85}\\u{2028}\\u{200b}\\u{e0001}ä😀',
  );
});

test.each([
  [false, []],
  [true, ['rendering\n', 'planning\n']],
])('verbose %s: what is being done', (verbose, expected) => {
  const lines: string[] = [];
  const log = createLog(verbose, (line) => lines.push(line));
  expect(log.current()).toBe('starting');
  log.doing('rendering');
  log.doing('planning');
  expect([log.current(), lines]).toEqual(['planning', expected]);
});

/** The parameter table as Markdown, for docs/parameters.md. */
import { OPERATOR_VARIABLES } from './environment.ts';
import type { Parameter } from './parameter.ts';
import { ALL_TOPICS, parametersOf, TOPICS } from './parameters.ts';

/** What stands between the markers of docs/parameters.md. */
export function parameterTables(): string {
  const topics = ALL_TOPICS.map((topic) =>
    section(
      TOPICS[topic].title,
      ['parameter', 'type', 'takes', 'default', 'what it does'],
      parametersOf([topic]).map((row) => [code(row.name), row.type, row.takes, standard(row), row.tooltip]),
    ),
  );
  const operator = section(
    'Set on the sidecar',
    ['variable', 'default', 'what it does'],
    OPERATOR_VARIABLES.map((variable) => [code(variable.name), code(variable.default), variable.meaning]),
  );
  return [...topics, operator].join('\n\n');
}

function section(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [`## ${title}`, '', line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function standard({ default: value }: Parameter<unknown>): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return code(value);
  return Array.isArray(value) ? (value as string[]).map(code).join(', ') : '';
}

function code(text: string): string {
  return text === '' ? '' : `\`${text}\``;
}

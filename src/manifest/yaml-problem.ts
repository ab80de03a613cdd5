/** The one way in which reading a YAML or JSON text fails. */

/** Why a text cannot be read: the parser's reason and where, both counted from 1; never the text, it may hold a password. */
export class YamlProblem extends Error {
  override name = 'YamlProblem';
  readonly line: number;
  readonly column: number;

  constructor(reason: string, line: number, column: number) {
    super(reason);
    this.line = line;
    this.column = column;
  }
}

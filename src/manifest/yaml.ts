/** Reads and writes one YAML document exactly as go-yaml v2 under sigs.k8s.io/yaml reads it. */

/** Throws YamlProblem (reason and position, never the text). Integers beyond 2^53 come as BigInt. */
export function parseYaml(text: string): unknown {
  throw new Error(`not written: ${text.length}`);
}

/** Keys in the order given; every value reads back the same. */
export function printYaml(value: unknown): string {
  throw new Error(`not written: ${typeof value}`);
}

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

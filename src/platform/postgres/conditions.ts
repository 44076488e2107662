/** The conditions of a statement, with the values that they are about. */
export class Conditions {
  /** Of the statement: what it names itself comes first. */
  readonly values: unknown[];
  readonly #all: string[] = [];

  /** @param values `$1`, `$2` … of the statement */
  constructor(...values: readonly unknown[]) {
    this.values = [...values];
  }

  /** Where the statement finds `value`: `$3`. */
  parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  always(condition: string): this {
    this.#all.push(condition);
    return this;
  }

  /** `condition` of where the statement finds `value`; none where that is undefined: whoever asks leaves out what does not matter. */
  where(value: unknown, condition: (parameter: string) => string): this {
    return value === undefined ? this : this.always(condition(this.parameter(value)));
  }

  /** All of them, with `more`: for behind `where`. */
  sql(...more: readonly string[]): string {
    return [...this.#all, ...more].join(' and ') || 'true';
  }
}

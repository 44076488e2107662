/** The conditions of a statement, with their values. */
export class Conditions {
  /** Values of the statement: those given to the constructor come first. */
  readonly values: unknown[];
  readonly #all: string[] = [];

  /** @param values `$1`, `$2` … of the statement */
  constructor(...values: readonly unknown[]) {
    this.values = [...values];
  }

  /** Adds a value to the statement and returns its parameter, such as `$3`. */
  parameter(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  always(condition: string): this {
    this.#all.push(condition);
    return this;
  }

  /** Adds `condition` on the parameter of `value`; adds none when that is undefined, so callers leave out filters that do not matter. */
  where(value: unknown, condition: (parameter: string) => string): this {
    return value === undefined ? this : this.always(condition(this.parameter(value)));
  }

  /** Adds `column = value` for each column whose value is not undefined. */
  equal(values: Readonly<Record<string, unknown>>): this {
    for (const [column, value] of Object.entries(values)) this.where(value, (p) => `${column} = ${p}`);
    return this;
  }

  /** Adds the bounds of a column that are not undefined; both are inclusive. */
  within(column: string, from: unknown, to: unknown): this {
    return this.where(from, (p) => `${column} >= ${p}`).where(to, (p) => `${column} <= ${p}`);
  }

  /** Returns all conditions, with `more`, for use after `where`. */
  sql(...more: readonly string[]): string {
    return [...this.#all, ...more].join(' and ') || 'true';
  }
}

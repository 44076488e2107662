/** A row as Postgres returns it: the 64-bit integers that the code holds as numbers are bigint. */
export type Stored<Row> = { readonly [Column in keyof Row]: Row[Column] extends number ? Row[Column] | bigint : Row[Column] };

/**
 * Returns the columns of a row that a response shows, in the order of `names`. Integers of 64 bits become numbers: amounts and ordinals of the ledger
 * are safe integers.
 */
export function answered<Row, Name extends keyof Row & string>(names: readonly Name[], row: Stored<Row>): Pick<Row, Name> {
  const valueOf = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);
  return Object.fromEntries(names.map((name) => [name, valueOf(row[name])])) as Pick<Row, Name>;
}

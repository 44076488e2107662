import { int4Array, int8Array, jsonArray, textArray, timestamptzArray, uuidArray } from './binary-arrays.js';

/** Values of `json` are texts. A value may be null, except those of `numeric`. */
export type ColumnType = 'uuid' | 'text' | 'json' | 'integer' | 'bigint' | 'numeric' | 'timestamptz';

/**
 * Rows as parameters of one statement: an array for each column, expanded again by `unnest`. Used for rows that are joined with existing ones. The
 * statement stays the same for one row and for five thousand, so it is prepared once.
 */
export class Columns<Row> {
  readonly names: readonly (keyof Row & string)[];
  /** `a, b, c` */
  readonly list: string;
  /** `(select a, b, c from unnest($1::uuid[], …)) rows` */
  readonly rows: string;

  constructor(
    private readonly types: Readonly<Record<keyof Row & string, ColumnType>>,
    alias = 'rows',
  ) {
    this.names = Object.keys(types) as (keyof Row & string)[];
    this.list = this.names.join(', ');
    const parameters = this.names.map((name, index) => `$${index + 1}::${types[name]}[]`);
    this.rows = `(select ${this.list} from unnest(${parameters.join(', ')}) as n(${this.list})) ${alias}`;
  }

  /** The parameters, in the order of the columns. */
  values(rows: readonly Row[]): unknown[] {
    return this.names.map((name) =>
      encode(
        this.types[name],
        rows.map((row) => row[name]),
      ),
    );
  }
}

function encode(type: ColumnType, values: readonly unknown[]): unknown {
  // `unnest` extends an array that is shorter than the longest column with null.
  if (values.every((value) => value === null || value === undefined)) return null;
  switch (type) {
    case 'text':
      return textArray(values as (string | null)[]);
    case 'json':
      return jsonArray(values as string[]);
    case 'integer':
      return int4Array(values as (number | null)[]);
    case 'bigint':
      return int8Array(values as (number | bigint)[]);
    case 'uuid':
      return uuidArray(values as string[]);
    case 'timestamptz':
      return timestamptzArray(values as (string | null)[]);
    case 'numeric':
      // Digits need no quotes in Postgres's text form of an array.
      return `{${(values as (string | number | bigint)[]).join(',')}}`;
    default:
      throw new Error(`no encoding for a column of ${type satisfies never as string}`);
  }
}

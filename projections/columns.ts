import { int4Array, int8Array, jsonArray, textArray, timestamptzArray, uuidArray } from '../src/platform/postgres/binary-arrays.js';

/**
 * Rows as parameters of one statement: an array for each column, taken apart again by `unnest`.
 * The statement stays the same for one row and for five thousand, so it is prepared once.
 */

/** `json`: its text. A trailing `?`: may be null. `text[]` and `numeric[]`: an array of plain words or digits in every row. */
export type ColumnType =
  'uuid' | 'text' | 'json' | 'integer' | 'bigint' | 'numeric' | 'timestamptz' | 'text[]' | 'numeric[]' | 'text?' | 'integer?' | 'timestamptz?';

export type ColumnTypes<Row> = Readonly<Record<keyof Row & string, ColumnType>>;

export class Columns<Row> {
  readonly names: readonly (keyof Row & string)[];
  /** `a, b, c` */
  readonly list: string;
  /** `(select a, b, c from unnest($1::uuid[], …)) rows` */
  readonly rows: string;

  constructor(
    private readonly types: ColumnTypes<Row>,
    alias = 'rows',
  ) {
    this.names = Object.keys(types) as (keyof Row & string)[];
    this.list = this.names.join(', ');
    const parameters = this.names.map((name, index) => `$${index + 1}::${elementType(types[name])}[]`);
    const selected = this.names.map((name) => (types[name].endsWith('[]') ? `${name}::${types[name]} as ${name}` : name));
    this.rows = `(select ${selected.join(', ')} from unnest(${parameters.join(', ')}) as n(${this.list})) ${alias}`;
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

/** Rows of one statement. More are sent in pieces, so that Postgres works on one while the next is put together. */
const PIECE_ROWS = 1_000;

/** `send` may not wait for what it sent before: on a pipelining connection the pieces follow each other in order. */
export async function inPieces<Row>(rows: readonly Row[], send: (piece: readonly Row[]) => Promise<unknown>): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (let at = 0; at < rows.length; at += PIECE_ROWS) {
    const piece = send(rows.slice(at, at + PIECE_ROWS));
    // Heard below; until then a failure must not count as unheard.
    piece.catch(() => undefined);
    sent.push(piece);
    // The socket takes the rest of a large piece only between two turns of the event loop.
    if (at + PIECE_ROWS < rows.length) await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(sent);
}

function elementType(type: ColumnType): string {
  // `unnest` would take an array of arrays apart to its last element: a row's array travels as its text.
  return type.endsWith('[]') ? 'text' : type.replace('?', '');
}

function encode(type: ColumnType, values: readonly unknown[]): unknown {
  // `unnest` fills up what is shorter than the longest column with null.
  if (type.endsWith('?') && values.every((value) => value === null || value === undefined)) return null;
  switch (type) {
    case 'text':
    case 'text?':
      return textArray(values as (string | null)[]);
    case 'json':
      return jsonArray(values as string[]);
    case 'integer':
    case 'integer?':
      return int4Array(values as (number | null)[]);
    case 'bigint':
      return int8Array(values as (number | bigint)[]);
    case 'uuid':
      return uuidArray(values as string[]);
    case 'timestamptz':
    case 'timestamptz?':
      return timestamptzArray(values as (string | null)[]);
    case 'text[]':
    case 'numeric[]':
      return textArray((values as unknown[][]).map(plainArray));
    case 'numeric':
      return plainArray(values);
    default:
      throw new Error(`no encoding for a column of ${type satisfies never as string}`);
  }
}

/** Plain words and digits need no quotes in Postgres's text form of an array. */
function plainArray(values: readonly unknown[]): string {
  return `{${(values as (string | number | bigint | null)[]).map((value) => value ?? 'NULL').join(',')}}`;
}

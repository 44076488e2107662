import type { ClientBase } from 'pg';
import { handledLater } from '../../async/waiting.js';
import { BinaryRows } from './binary-rows.js';
import { copyIn } from './copy-in.js';

const WRITERS = {
  boolean: (rows, value) => rows.boolean(value),
  smallint: (rows, value) => rows.smallint(value),
  integer: (rows, value) => rows.integer(value),
  bigint: (rows, value) => rows.bigint(value),
  numeric: (rows, value) => rows.numeric(value),
  timestamptz: (rows, value) => rows.timestamptz(value),
  uuid: (rows, value) => rows.uuid(value),
  text: (rows, value) => rows.text(value),
  json: (rows, value) => rows.text(value),
  bytea: (rows, value) => rows.bytea(value),
  'integer[]': (rows, value) => rows.integers(value),
  'numeric[]': (rows, value) => rows.numerics(value),
  'text[]': (rows, value) => rows.texts(value),
} as const satisfies Record<string, (rows: BinaryRows, value: never) => void>;

/** Type of the table's column, exactly. Values of `json` are texts, those of `numeric` integers or their digits. */
export type TableColumnType = keyof typeof WRITERS;

/** Rows of one piece. More rows are sent in several pieces, so that Postgres works on one while the next is encoded. */
const PIECE_ROWS = 1_000;

/** New rows of a table: none of them exists yet. */
export class NewRows<Row> {
  readonly names: readonly (keyof Row & string)[];
  readonly #columns: readonly { readonly name: keyof Row; readonly write: (rows: BinaryRows, value: never) => void }[];

  constructor(types: Readonly<Record<keyof Row & string, TableColumnType>>) {
    this.names = Object.keys(types) as (keyof Row & string)[];
    this.#columns = this.names.map((name) => ({ name, write: WRITERS[types[name]] }));
  }

  /** null and undefined are Postgres's null. On a pipelining connection the pieces follow each other; other statements may be sent in between. */
  async add(tx: ClientBase, table: string, rows: readonly Row[]): Promise<void> {
    const sent: Promise<void>[] = [];
    for (let at = 0; at < rows.length; at += PIECE_ROWS) {
      sent.push(handledLater(copyIn(tx, table, this.names.join(', '), this.#encode(rows.slice(at, at + PIECE_ROWS)))));
      // The socket takes the rest of a large piece only between two turns of the event loop.
      if (at + PIECE_ROWS < rows.length) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(sent);
  }

  #encode(rows: readonly Row[]): Buffer {
    const encoded = new BinaryRows(rows.length);
    for (const row of rows) {
      encoded.begin(this.#columns.length);
      for (const { name, write } of this.#columns) {
        const value = row[name];
        if (value === null || value === undefined) encoded.null();
        else write(encoded, value as never);
      }
    }
    return encoded.end();
  }
}

import type { ClientBase } from 'pg';
import { Columns, type ColumnType } from './columns.js';
import { NewRows, type TableColumnType } from './new-rows.js';

/** A column as in `create table`, its type first: `uuid not null`. */
type ColumnDdl = `${TableColumnType}${'' | ` ${string}`}`;
type TypeOf<Ddl> = Ddl extends `${infer Type} ${string}` ? Type : Ddl;
type Nullable<Ddl> = Ddl extends `${string}${'not null' | 'primary key'}${string}` ? never : null;

/** Types of the values that the database receives. Values of `json` are texts. */
interface Values {
  readonly boolean: boolean;
  readonly smallint: number;
  readonly integer: number;
  readonly bigint: number;
  readonly numeric: number | bigint | string;
  readonly 'integer[]': readonly number[];
  readonly 'numeric[]': readonly (number | bigint | string)[];
  readonly 'text[]': readonly string[];
  readonly bytea: Buffer;
}

/** A row as it is written to a table of these columns. `Narrowed`: columns with a narrower type than that of the database. */
export type RowOf<Definitions, Narrowed extends { readonly [Column in keyof Definitions]?: unknown } = object> = Narrowed & {
  readonly [Column in Exclude<keyof Definitions, keyof Narrowed>]:
    (TypeOf<Definitions[Column]> extends keyof Values ? Values[TypeOf<Definitions[Column]>] : string) | Nullable<Definitions[Column]>;
};

/** A number may also be given as an integer of any size. */
type Given<Row> = { readonly [Column in keyof Row]: Row[Column] | (number extends Row[Column] ? bigint : never) };

/** A table of a read model. Its columns are defined once: for `create table`, for COPY, and for statements that receive rows. */
export class Table<const Definitions extends Readonly<Record<string, ColumnDdl>>, Row = RowOf<Definitions>> {
  readonly names: readonly (keyof Definitions & string)[];
  readonly #types: Readonly<Record<string, TableColumnType>>;
  readonly #rows: NewRows<Given<Row>>;

  /** @param constraints e.g. `primary key (a, b)` @param storage e.g. `with (fillfactor = 50)` */
  constructor(
    readonly name: string,
    readonly definitions: Definitions,
    private readonly constraints: readonly string[] = [],
    private readonly storage = '',
  ) {
    this.names = Object.keys(definitions);
    this.#types = Object.fromEntries(this.names.map((name) => [name, definitions[name]!.split(' ')[0] as TableColumnType]));
    this.#rows = new NewRows<Given<Row>>(this.#types);
  }

  ddl(schema: string): string {
    const lines = [...this.names.map((name) => `${name} ${this.definitions[name]!}`), ...this.constraints];
    return `create table ${schema}.${this.name} (\n  ${lines.join(',\n  ')}\n) ${this.storage};`;
  }

  /** Returns the names of the columns, in their order, except these. */
  namesWithout<Name extends keyof Definitions & string>(...names: readonly Name[]): readonly Exclude<keyof Definitions & string, Name>[] {
    return this.names.filter((name): name is Exclude<keyof Definitions & string, Name> => !names.some((each) => each === name));
  }

  /** Adds rows that do not exist yet; see NewRows. A column that a row does not have is null. */
  add(tx: ClientBase, schema: string, rows: readonly Given<Row>[]): Promise<void> {
    return this.#rows.add(tx, `${schema}.${this.name}`, rows);
  }

  /** Returns these columns as parameters of a statement; `more`: other columns that it needs. */
  parameters<Column extends keyof Row & string, More extends Readonly<Record<string, ColumnType>> = Record<never, never>>(
    columns: readonly Column[],
    alias: string,
    more?: More,
  ): Columns<Pick<Row, Column> & RowOf<More>> {
    // A parameter of `integer` fits into a column of `smallint`.
    const types = columns.map((name) => [name, this.#types[name]!.replace('smallint', 'integer')]);
    return new Columns({ ...Object.fromEntries(types), ...more } as never, alias);
  }
}

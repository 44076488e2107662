import { Table } from '../../src/platform/postgres/binary/table.js';

/** Lines that count and are not matched. */
export const openLinesTable = new Table('open_lines', {
  line_id: 'bigint not null primary key',
  source: 'text collate "C" not null',
  line_key: 'text collate "C" not null',
  line_references: 'text[] not null',
  kind: 'text collate "C" not null',
  currency: 'text collate "C" not null',
  /** Minor units: before the processor's fee, or the change of the bank's balance. */
  amount: 'bigint not null',
  booked_on: 'text collate "C" not null',
  /** Day of its statement or batch. */
  group_day: 'text collate "C" not null',
});

/** Opens lines `l` of groups `g`; the caller appends conditions after `where`. */
export const openLines = (schema: string): string => `
  insert into ${schema}.open_lines (${openLinesTable.names.join(', ')})
  select l.id, l.source, l.line_key, l.line_references, l.kind, l.currency, coalesce(l.gross, l.amount), l.booking_date, g.day
    from ${schema}.lines l join ${schema}.groups g on l.statement_id = g.statement_id and l.group_name = g.name`;

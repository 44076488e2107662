import { Table } from '../../../src/platform/postgres/binary/table.js';
import { linesOfGroup, lookUp } from '../planning.js';

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

const opening = (schema: string): string => `
  insert into ${schema}.open_lines (${openLinesTable.names.join(', ')})
  select l.id, l.source, l.line_key, l.line_references, l.kind, l.currency, coalesce(l.gross, l.amount), l.booking_date, g.day`;

/** Opens lines `l` of groups `g`; the caller appends conditions after `where`. */
export const openLinesOfGroups = (schema: string): string => `
  ${opening(schema)} from ${schema}.groups g cross join lateral ${linesOfGroup(schema, 'g.statement_id', 'g.name')} l`;

/** Opens the lines with the ids `line_id` of `gone`. */
export const openLinesAgain = (schema: string): string => `
  ${opening(schema)}
    from gone cross join lateral ${lookUp(`${schema}.lines`, 'id = gone.line_id')} l
   cross join lateral ${lookUp(`${schema}.groups`, 'statement_id = l.statement_id and name = l.group_name')} g`;

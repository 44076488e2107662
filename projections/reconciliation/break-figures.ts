import type { ClientBase } from 'pg';
import type { Mode } from '../../src/ledger/mode.js';
import { ofMode } from './as-of.js';

export interface StoredBreakFigure {
  readonly kind: string;
  /** null for a missing file. */
  readonly currency: string | null;
  readonly count: bigint;
  /** Minor units; sum of absolute amounts: the line's, else the item's, else the batch's. */
  readonly amount: string;
}

/** Returns the breaks of a mode or a source that were open at a position of the log, accepted or not. */
export async function findBreakFigures(
  db: Pick<ClientBase, 'query'>,
  of: { readonly mode: Mode } | { readonly source: string },
  position: number,
): Promise<StoredBreakFigure[]> {
  const [isOf, value] = 'mode' in of ? [ofMode('b.source', '$1'), of.mode] : ['b.source = $1', of.source];
  const { rows } = await db.query<StoredBreakFigure>(
    `select b.kind, coalesce(l.currency, i.currency, g.currency) as currency, count(*) as count,
            coalesce(sum(abs(coalesce(l.gross, l.amount, i.amount, g.amount))), 0)::text as amount
       from recon.breaks b
       left join recon.lines l on l.id = b.line_id
       left join recon.items i on i.ordinal = b.item
       left join lateral (select * from recon.groups g where g.source = b.batch_source and g.name = b.batch and g.counted_from <= $2
                           order by g.counted_from desc limit 1) g on true
      where ${isOf} and b.opened_from <= $2 and (b.resolved_from is null or b.resolved_from > $2)
      group by 1, 2 order by 1, 2`,
    [value, position],
  );
  return rows;
}

import type { ClientBase } from 'pg';
import type { Mode } from '../../src/ledger/mode.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { IS_ANSWERABLE } from '../disputes/dispute-reads.js';
import { isOfMode } from '../merchants/owners.js';
import { ofMode } from '../reconciliation/as-of.js';
import { isAccepted } from '../reconciliation/matches/break-acts.js';

type Db = Pick<ClientBase, 'query'>;

/** Records of one kind that wait for people, in one currency. */
export interface WaitingPart {
  readonly count: number;
  /** null: records without an amount. */
  readonly currency: string | null;
  /** Minor units. */
  readonly amount: bigint;
  /** Since when the oldest waits. */
  readonly since: Timestamp;
  /** The earliest deadline; null for records without one. */
  readonly due_by: Timestamp | null;
}

type StoredPart = Omit<WaitingPart, 'count' | 'amount'> & { readonly count: bigint; readonly amount: string };

const partOf = <Row extends StoredPart>({ count, amount, ...row }: Row) => ({ ...row, count: Number(count), amount: BigInt(amount) });

/** Returns the disputes of a mode that can still be answered, by currency. */
export async function findWaitingDisputes(db: Db, mode: Mode): Promise<WaitingPart[]> {
  const { rows } = await db.query<StoredPart>(
    `select count(*) as count, currency, sum(amount)::text as amount, min(opened_on) as since, min(due_by) as due_by
       from ledger.disputes where ${IS_ANSWERABLE} and ${isOfMode('$1')} group by currency order by currency`,
    [mode],
  );
  return rows.map(partOf);
}

/** Maximum number of open breaks that are counted: a wrong file can open a million. */
export const BREAKS_COUNTED_MAX = 10_000;

export interface WaitingBreaks extends WaitingPart {
  readonly is_file_missing: boolean;
}

/**
 * Returns the open breaks of a mode that are not accepted, missing files apart, by currency. The amount is that of the line, else of the item, else of
 * the batch, without its sign.
 */
export async function findWaitingBreaks(db: Db, mode: Mode, now: Timestamp): Promise<WaitingBreaks[]> {
  const { rows } = await db.query<StoredPart & { readonly is_file_missing: boolean }>(
    `select count(*) as count, b.kind = 'FILE_MISSING' as is_file_missing, coalesce(l.currency, i.currency, g.currency) as currency,
            coalesce(sum(abs(coalesce(l.gross, l.amount, i.amount, g.amount))), 0)::text as amount, min(b.opened_on) as since, null::timestamptz as due_by
       from (select * from recon.breaks b where ${ofMode('b.source', '$1')} and b.resolved_from is null and not ${isAccepted('$2')}
              limit ${BREAKS_COUNTED_MAX}) b
       left join recon.lines l on l.id = b.line_id left join recon.items i on i.ordinal = b.item
       left join lateral (select * from recon.groups g where g.source = b.batch_source and g.name = b.batch order by g.counted_from desc limit 1) g on true
      group by 2, 3 order by 2, 3`,
    [mode, now],
  );
  return rows.map(partOf);
}

import type { ClientBase } from 'pg';
import type { Mode } from '../../src/ledger/mode.js';
import { Conditions } from '../../src/platform/postgres/conditions.js';
import { isOfMode } from '../merchants/owners.js';
import { AWAITS_APPROVAL } from '../payouts/approval-columns.js';
import { findPayoutsById, type Payout } from '../payouts/payouts.js';
import { findProposalsById, type StoredProposal } from './proposals.js';

type Db = Pick<ClientBase, 'query'>;

export interface QueueQuery {
  /** Filters payouts only; proposals belong to no merchant. */
  readonly mode?: Mode | undefined;
  /** Leaves out payouts and proposals that this operator approved, and proposals that the operator made. */
  readonly person_id?: string | undefined;
  /** Returns entries after the payout or proposal with this id (a UUID). */
  readonly after?: string | undefined;
  readonly limit: number;
}

export type QueueEntry = { readonly kind: 'PAYOUT'; readonly payout: Payout } | { readonly kind: 'PROPOSAL'; readonly proposal: StoredProposal };

/** Returns payouts and proposals that need an approval, in the order of the log; undefined when neither has the id `after`. */
export async function findApprovalQueue(db: Db, { mode, person_id, after, limit }: QueueQuery): Promise<QueueEntry[] | undefined> {
  const conditions = new Conditions(limit);
  if (after !== undefined) {
    const text = 'select ordinal from ledger.payouts where id = $1 union all select ordinal from ledger.proposals where id = $1';
    const { rows } = await db.query<{ ordinal: bigint }>(text, [after]);
    if (!rows[0]) return undefined;
    conditions.where(rows[0].ordinal, (p) => `ordinal > ${p}`);
  }
  conditions.where(person_id, (p) => `not exists (select from json_array_elements(approvals) given where given ->> 'person_id' = ${p})`);
  const behind = conditions.sql();
  const payout = new Conditions(...conditions.values).always(AWAITS_APPROVAL).where(mode, isOfMode);
  // The operator is a second parameter here, because Postgres gives each parameter one type.
  const proposal = new Conditions(...payout.values).always(`proposal_status = 'PENDING'`).where(person_id, (p) => `proposed_by <> ${p}::uuid`);
  const { rows } = await db.query<{ kind: QueueEntry['kind']; id: string }>(
    `select kind, id from (
       select ordinal, 'PAYOUT' as kind, id from ledger.payouts where ${payout.sql(behind)}
       union all select ordinal, 'PROPOSAL', id from ledger.proposals where ${proposal.sql(behind)}
     ) waiting order by ordinal limit $1`,
    proposal.values,
  );
  const idsOf = (wanted: QueueEntry['kind']): string[] => rows.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  const [payouts, proposals] = await Promise.all([findPayoutsById(db, idsOf('PAYOUT')), findProposalsById(db, idsOf('PROPOSAL'))]);
  const entries = new Map<string, QueueEntry>([
    ...payouts.map((payout): [string, QueueEntry] => [payout.id, { kind: 'PAYOUT', payout }]),
    ...proposals.map((proposal): [string, QueueEntry] => [proposal.id, { kind: 'PROPOSAL', proposal }]),
  ]);
  return rows.flatMap(({ id }) => entries.get(id) ?? []);
}

import type { PoolClient } from 'pg';
import type { CancelCause } from '../../src/ledger/events/account.events.js';
import { handling, type LoggedEvent } from '../../src/ledger/read-model.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { Columns } from '../../src/platform/postgres/binary/columns.js';
import { unreachable } from '../../src/ledger/unreachable.js';

/** Required and given approvals of a payout; zero and empty for a payout without an approval policy. */
export const APPROVAL_COLUMNS = {
  approvals_required: 'smallint not null',
  approve_by: 'timestamptz',
  approvals_given: 'smallint not null',
  /** Valid approvals, in the order in which they were given. */
  approvals: 'json not null',
  /** Cause of a cancellation; null unless CANCELLED. */
  cancel_cause: 'text collate "C"',
} as const;

export const NO_APPROVALS = { approvals_given: 0, approvals: '[]', cancel_cause: null } as const;

/** Needs only approvals to proceed. */
export const AWAITS_APPROVAL = `payout_status = 'PENDING' and approvals_given < approvals_required`;

export interface GivenApproval {
  readonly person_id: string;
  readonly key_id: string;
  readonly reason: string;
  readonly approved_on: Timestamp;
}

/** Changes of one payout by a batch. */
interface ApprovalChange {
  readonly id: string;
  /** Maps the approvals before the batch to those after it. */
  readonly change: (before: readonly GivenApproval[]) => readonly GivenApproval[];
  readonly cancel_cause: CancelCause | null;
}

const isHandled = handling({
  accounts: { except: ['FundsSettled', 'PayoutRequested', 'PayoutSubmitted', 'PayoutSucceeded', 'PayoutFailed', 'account refunds', 'adjustments'] },
});

/** Returns the changes in log order. */
export function foldApprovals(batch: readonly LoggedEvent[]): readonly ApprovalChange[] {
  const changes = new Map<string, ApprovalChange>();
  for (const event of batch) {
    if (!isHandled(event)) continue;
    const { payout_id: id } = event.data;
    const { change, cancel_cause } = changes.get(id) ?? { change: (before) => before, cancel_cause: null };
    switch (event.type) {
      case 'PayoutApproved': {
        const { person_id, key_id, reason, approved_on } = event.data;
        changes.set(id, { id, change: (before) => [...change(before), { person_id, key_id, reason, approved_on }], cancel_cause });
        break;
      }
      case 'PayoutApprovalVoided': {
        const { person_id: gone } = event.data;
        changes.set(id, { id, change: (before) => change(before).filter(({ person_id }) => person_id !== gone), cancel_cause });
        break;
      }
      case 'PayoutCancelled':
        changes.set(id, { id, change, cancel_cause: event.data.cause });
        break;
      default:
        return unreachable(event);
    }
  }
  return [...changes.values()];
}

const columns = new Columns<{ id: string; approvals_given: number; approvals: string; cancel_cause: string | null }>(
  { id: 'uuid', approvals_given: 'integer', approvals: 'text', cancel_cause: 'text' },
  'n',
);

/** Requires that the payouts of the batch have been inserted. */
export async function updateApprovals(tx: PoolClient, schema: string, changes: readonly ApprovalChange[]): Promise<void> {
  const { rows } = await tx.query<{ id: string; approvals: readonly GivenApproval[] }>({
    name: `${schema} payouts: approvals before`,
    text: `select id, approvals from ${schema}.payouts where id = any($1::uuid[])`,
    values: [changes.map(({ id }) => id)],
  });
  const before = new Map(rows.map(({ id, approvals }) => [id, approvals]));
  const after = changes.map(({ id, change, cancel_cause }) => {
    const given = change(before.get(id) ?? []);
    return { id, approvals_given: given.length, approvals: JSON.stringify(given), cancel_cause };
  });
  await tx.query({
    name: `${schema} payouts: approvals`,
    text: `update ${schema}.payouts p set
             approvals_given = n.approvals_given, approvals = n.approvals::json, cancel_cause = coalesce(n.cancel_cause, p.cancel_cause)
           from ${columns.rows} where p.id = n.id`,
    values: columns.values(after),
  });
}

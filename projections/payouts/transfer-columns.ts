import type { PoolClient } from 'pg';
import type { TransferEvent } from '../../src/ledger/events/transfer.events.js';
import { handling, type LoggedEvent } from '../../src/ledger/read-model.js';
import { Columns } from '../../src/platform/postgres/binary/columns.js';
import { unreachable } from '../../src/ledger/unreachable.js';

/** Progress of a payout's transfer over a bank network; null, false and zero for payouts that the simulated bank pays. */
export const TRANSFER_COLUMNS = {
  /** Rail of the newest attempt; before the first attempt, the rail of the first beneficiary check. */
  rail: 'text collate "C"',
  beneficiary_match: 'text collate "C"',
  beneficiary_name: 'text',
  is_name_accepted: 'boolean not null',
  partner_reference: 'text collate "C"',
  /** Number of attempts that may have moved money. */
  open_attempts: 'smallint not null',
  /** Time of the newest attempt. */
  attempted_on: 'timestamptz',
  /** The question that an operator has to resolve; null again after the decision. */
  held_reason: 'text collate "C"',
  held_on: 'timestamptz',
} as const;

export const NO_TRANSFER = {
  rail: null,
  beneficiary_match: null,
  beneficiary_name: null,
  is_name_accepted: false,
  partner_reference: null,
  open_attempts: 0,
  attempted_on: null,
  held_reason: null,
  held_on: null,
} as const;

const isHandled = handling({ payouts: { except: ['PayoutRegistered', 'PayoutReturned', 'PayoutOutcomeContradicted', 'PayoutReturnClaimed'] } });

/** Changes of one payout by a batch; null and 0 change nothing. */
interface TransferChange {
  readonly id: string;
  readonly rail: string | null;
  readonly beneficiary_match: string | null;
  readonly beneficiary_name: string | null;
  /** 1 for yes. */
  readonly is_name_accepted: number;
  readonly partner_reference: string | null;
  /** Added to the number before the batch. */
  readonly open_attempts: number;
  readonly attempted_on: string | null;
  /** 1 for yes. A later hold in the same batch sets the columns of the hold again. */
  readonly is_decided: number;
  readonly held_reason: string | null;
  readonly held_on: string | null;
}

const nothing = (id: string): TransferChange => ({ id, ...NO_TRANSFER, is_name_accepted: 0, is_decided: 0 });

/** Returns the changes in log order. The last event wins, but a beneficiary check does not replace the rail of an earlier check or attempt. */
export function foldTransfers(batch: readonly LoggedEvent[]): readonly TransferChange[] {
  const changes = new Map<string, TransferChange>();
  for (const event of batch) {
    if (!isHandled(event)) continue;
    const { payout_id } = event.data;
    const change = changes.get(payout_id) ?? nothing(payout_id);
    changes.set(payout_id, { ...change, ...changeBy(event, change) });
  }
  return [...changes.values()];
}

function changeBy(event: TransferEvent, change: TransferChange): Partial<TransferChange> {
  switch (event.type) {
    case 'BeneficiaryChecked':
      return { rail: change.rail ?? event.data.rail, beneficiary_match: event.data.match, beneficiary_name: event.data.name_masked };
    case 'BeneficiaryAccepted':
      return { is_name_accepted: 1 };
    case 'PayoutAttempted': {
      const { rail, partner_reference, at: attempted_on } = event.data;
      return { rail, partner_reference, attempted_on, open_attempts: change.open_attempts + 1 };
    }
    case 'PayoutAttemptClosed':
      return { open_attempts: change.open_attempts - 1 };
    case 'PayoutDecided':
      return { is_decided: 1, held_reason: null, held_on: null };
    case 'PayoutHeld':
      return { held_reason: event.data.reason, held_on: event.data.held_on };
    default:
      return unreachable(event);
  }
}

const columns = new Columns<TransferChange>(
  {
    id: 'uuid',
    rail: 'text',
    beneficiary_match: 'text',
    beneficiary_name: 'text',
    is_name_accepted: 'integer',
    partner_reference: 'text',
    open_attempts: 'integer',
    attempted_on: 'timestamptz',
    is_decided: 'integer',
    held_reason: 'text',
    held_on: 'timestamptz',
  },
  'n',
);

/** Requires that the payouts of the batch have been inserted. */
export async function updateTransfers(tx: PoolClient, schema: string, changes: readonly TransferChange[]): Promise<void> {
  await tx.query({
    name: `${schema} payouts: transfers`,
    text: `update ${schema}.payouts p set
             rail = case when n.attempted_on is null then coalesce(p.rail, n.rail) else n.rail end,
             beneficiary_match = coalesce(n.beneficiary_match, p.beneficiary_match),
             beneficiary_name = coalesce(n.beneficiary_name, p.beneficiary_name),
             is_name_accepted = p.is_name_accepted or n.is_name_accepted = 1,
             partner_reference = coalesce(n.partner_reference, p.partner_reference),
             open_attempts = p.open_attempts + n.open_attempts,
             attempted_on = coalesce(n.attempted_on, p.attempted_on),
             held_reason = case when n.is_decided = 1 then n.held_reason else coalesce(n.held_reason, p.held_reason) end,
             held_on = case when n.is_decided = 1 then n.held_on else coalesce(n.held_on, p.held_on) end
           from ${columns.rows} where p.id = n.id`,
    values: columns.values(changes),
  });
}

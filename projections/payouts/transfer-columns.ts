import type { PoolClient } from 'pg';
import { ignoring } from '../../src/ledger/catalogue.js';
import type { TransferEvent } from '../../src/ledger/events/transfer.events.js';
import type { LoggedEvent } from '../../src/ledger/read-model.js';
import { Columns } from '../../src/platform/postgres/binary/columns.js';
import { unreachable } from '../../src/ledger/unreachable.js';

/** How far the payment of a payout by a bank over a network has come; nothing of the sort for one that the simulated bank pays. */
export const TRANSFER_COLUMNS = {
  /** Of the first thing that a rail was asked. */
  rail: 'text collate "C"',
  beneficiary_match: 'text collate "C"',
  beneficiary_name: 'text',
  is_name_accepted: 'boolean not null',
  partner_reference: 'text collate "C"',
  /** Attempts that may have moved money. */
  open_attempts: 'smallint not null',
  /** Of the newest attempt. */
  attempted_on: 'timestamptz',
  /** What a person has to find out; null again when that is decided. */
  held_reason: 'text collate "C"',
  held_on: 'timestamptz',
} as const;

export const TRANSFER_ANSWERED = [
  ...(['rail', 'beneficiary_match', 'beneficiary_name', 'is_name_accepted', 'partner_reference', 'open_attempts', 'attempted_on'] as const),
  ...(['held_reason', 'held_on'] as const),
] as const satisfies readonly (keyof typeof TRANSFER_COLUMNS)[];

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

const isIgnored = ignoring(
  ...(['charges', 'disputes', 'accounts', 'settlements', 'customers', 'merchants', 'webhooks', 'operators', 'recon'] as const),
  ...(['PayoutRegistered', 'PayoutReturned', 'PayoutOutcomeContradicted', 'PayoutReturnClaimed'] as const),
);

/** What a batch changes of one payout; null and 0: nothing. */
interface TransferChange {
  readonly id: string;
  readonly rail: string | null;
  readonly beneficiary_match: string | null;
  readonly beneficiary_name: string | null;
  /** 1: yes */
  readonly is_name_accepted: number;
  readonly partner_reference: string | null;
  /** Added to those that there were. */
  readonly open_attempts: number;
  readonly attempted_on: string | null;
  /** 1: yes, before it was held again, if it was. */
  readonly is_decided: number;
  readonly held_reason: string | null;
  readonly held_on: string | null;
}

const nothing = (id: string): TransferChange => ({ id, ...NO_TRANSFER, is_name_accepted: 0, is_decided: 0 });

/** In log order. The rail and the reference are those that came first, everything else what came last. */
export function foldTransfers(batch: readonly LoggedEvent[]): readonly TransferChange[] {
  const changes = new Map<string, TransferChange>();
  for (const event of batch) {
    if (isIgnored(event)) continue;
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

/** Payouts of the batch are there by now. */
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

import type { ActionFlow, ChargeCreated, ChargeStatus, InstructedAction, SettlementStatus } from '../../src/ledger/events/charge.events.js';
import type { Fee } from '../../src/ledger/money.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';

export const chargesTable = new Table(
  'charges',
  {
    id: 'uuid primary key',
    merchant_id: 'uuid not null',
    created_on: 'timestamptz not null',
    amount: 'bigint not null',
    fee_amount: 'bigint not null',
    net_amount: 'bigint not null',
    charge_statement_id: 'uuid not null',
    /** Start of the block; see charge-blocks.ts. */
    block: 'timestamptz not null',
    updated_on: 'timestamptz not null',
    expires_on: 'timestamptz not null',
    /** Of the newest event in the charge's stream that happened to the charge: a refused settlement line did not. */
    revision: 'integer not null',
    /** See status-counts.ts. */
    cell: 'smallint not null',
    status: 'text collate "C" not null',
    settlement_status: 'text collate "C" not null',
    currency: 'text collate "C" not null',
    channel_code: 'text collate "C" not null',
    action_flow: 'text collate "C" not null',
    code: 'text collate "C" not null',
    reference_id: 'text collate "C" not null',
    description: 'text collate "C"',
    meta_data: 'json not null',
    fee: 'json not null',
    processor: 'text collate "C" not null',
    settlement_cycle: 'text collate "C" not null',
    created_by: 'text collate "C" not null',
    updated_by: 'text collate "C" not null',
    paid_on: 'timestamptz',
    failed_on: 'timestamptz',
    failure_reason: 'text collate "C"',
    /** When the money is due; null until paid. */
    settlement_date: 'timestamptz',
    /** When the money became available; null until then. */
    settlement_on: 'timestamptz',
    /** Of refunds that have succeeded. */
    refunded_amount: 'bigint not null',
    /** Held or lost in disputes. */
    disputed_amount: 'bigint not null',
    /** Of refunds that are pending, under way or have succeeded, and what is held or lost in disputes. */
    taken_amount: 'bigint not null',
    /** What is left of the fee for the house; 0 until paid. */
    earned_fee: 'bigint not null',
    /** When the rest of it was reversed, whatever settles that. */
    reversed_on: 'timestamptz',
    /** Ordinal of the event that says so. */
    reversed_at: 'bigint',
    /** What the settlement takes that has claimed it; null before, and where that is net_amount. */
    claimed_net_amount: 'bigint',
    return_url: 'text collate "C"',
    /** Of a remote processor; what it gave to pay with; null otherwise, and until it has. */
    processor_reference: 'text collate "C"',
    action: 'json',
    /** A remote processor's. */
    failure_code: 'text collate "C"',
    /** null: it is not. */
    is_remote: 'boolean',
  },
  [],
  // Room for settlements, which change no index; and new pages soon known as visible to all, so that lists need only their index.
  'with (fillfactor = 85, autovacuum_vacuum_insert_scale_factor = 0.05)',
);

/** A row as it is written. */
export type StoredCharge = RowOf<
  (typeof chargesTable)['definitions'],
  { readonly status: ChargeStatus; readonly settlement_status: SettlementStatus; readonly action_flow: ActionFlow }
>;

/** A charge as it is read; the names are those of the wire. Amounts are minor units, times as on the wire. */
export type ChargeRow = Omit<StoredCharge, 'cell' | 'block' | 'fee' | 'meta_data' | 'action' | 'earned_fee' | 'claimed_net_amount'> & {
  readonly fee: Fee;
  readonly meta_data: Readonly<Record<string, string>>;
  readonly action: InstructedAction | null;
};

/** Cell and block are set once the status is known. */
export type NewCharge = { -readonly [Column in keyof StoredCharge]: StoredCharge[Column] };

/** Of a charge that has just been created. */
export function rowOf(created: ChargeCreated, revision: number): NewCharge {
  return {
    // Field by field: a row that is spread from the event nearly doubles the CPU time of a replay.
    id: created.charge_id,
    merchant_id: created.merchant_id,
    created_on: created.created_on,
    amount: created.amount,
    fee_amount: created.fee_amount,
    net_amount: created.net_amount,
    charge_statement_id: created.charge_statement_id,
    expires_on: created.expires_on,
    currency: created.currency,
    channel_code: created.channel_code,
    action_flow: created.action_flow,
    code: created.code,
    reference_id: created.reference_id,
    description: created.description,
    processor: created.processor,
    settlement_cycle: created.settlement_cycle,
    created_by: created.created_by,
    status: 'PENDING',
    settlement_status: 'UNKNOWN',
    meta_data: JSON.stringify(created.meta_data),
    fee: JSON.stringify(created.fee),
    updated_by: created.created_by,
    updated_on: created.created_on,
    paid_on: null,
    failed_on: null,
    failure_reason: null,
    settlement_date: null,
    settlement_on: null,
    refunded_amount: 0,
    disputed_amount: 0,
    taken_amount: 0,
    earned_fee: 0,
    reversed_on: null,
    reversed_at: null,
    claimed_net_amount: null,
    return_url: created.return_url ?? null,
    processor_reference: null,
    action: null,
    failure_code: null,
    is_remote: created.remote ?? null,
    revision,
    cell: 0,
    block: '',
  };
}

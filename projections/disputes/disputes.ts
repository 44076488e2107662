import type { PoolClient } from 'pg';
import type { ChargeDisputeOpened, DisputeLostReason, DisputeStage, EvidenceCategory } from '../../src/ledger/events/dispute.events.js';
import { handling, type HandledBy, type LedgerReadModel } from '../../src/ledger/read-model.js';
import { later, type Timestamp } from '../../src/ledger/time.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { unreachable } from '../../src/ledger/unreachable.js';

export const DISPUTE_STATUSES = ['INQUIRY', 'ACTION_REQUIRED', 'UNDER_REVIEW', 'WON', 'LOST'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** A file as the log describes it. Its name is stored outside of the log. */
export interface StoredEvidence {
  readonly id: string;
  readonly category: EvidenceCategory;
  readonly media_type: string;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly added_by: string;
  readonly added_on: Timestamp;
  readonly erased: boolean;
}

const table = new Table('disputes', {
  id: 'uuid not null primary key',
  charge_id: 'uuid not null',
  merchant_id: 'uuid not null',
  /** Ordinal of its opening. A reader of new disputes continues after the last one. */
  ordinal: 'bigint not null',
  currency: 'text collate "C" not null',
  reference: 'text not null',
  stage: 'text collate "C" not null',
  dispute_status: 'text collate "C" not null',
  amount: 'bigint not null',
  held_amount: 'bigint not null',
  excess_amount: 'bigint not null',
  refunded_amount: 'bigint not null',
  fee_amount: 'bigint not null',
  reason_code: 'text not null',
  reason: 'text not null',
  due_by: 'timestamptz not null',
  is_final: 'boolean not null',
  lost_reason: 'text collate "C"',
  /** In the order in which it was added. */
  evidence: 'json not null',
  /** The key of the evidence is destroyed, or will be. */
  evidence_erased: 'boolean not null',
  opened_on: 'timestamptz not null',
  challenged_on: 'timestamptz',
  submitted_on: 'timestamptz',
  won_on: 'timestamptz',
  lost_on: 'timestamptz',
  updated_by: 'text not null',
  updated_on: 'timestamptz not null',
  /** Start of the stage. */
  stage_since: 'timestamptz not null',
  /** Reminders of due_by that the merchant has received, in seconds before it. */
  reminders: 'integer[] not null',
  /** Starts at 1; each change adds one. */
  version: 'integer not null',
});

/** The columns that a response shows, in its order. */
export const DISPUTE_FIELDS = table.namesWithout('ordinal', 'evidence_erased', 'stage_since', 'reminders', 'version');

export type DisputeRow = RowOf<
  (typeof table)['definitions'],
  {
    readonly stage: DisputeStage;
    readonly dispute_status: DisputeStatus;
    readonly lost_reason: DisputeLostReason | null;
    readonly evidence: readonly StoredEvidence[];
  }
>;

/** Disputes of charges, one row each. They are few, so a changed row is read and written as a whole. */
export const disputes: LedgerReadModel = {
  name: 'disputes',
  version: 1,
  ddl: (schema) => table.ddl(schema),
  indexes: (schema) => [
    `create index disputes_opened on ${schema}.disputes (merchant_id, opened_on, id)`,
    `create unique index disputes_begun on ${schema}.disputes (ordinal)`,
    `create index disputes_of_charge on ${schema}.disputes (charge_id, opened_on, id)`,
    `create index disputes_due on ${schema}.disputes (due_by, id) where dispute_status in ('INQUIRY', 'ACTION_REQUIRED')`,
    `create index disputes_to_be_handed_over on ${schema}.disputes (ordinal) where dispute_status = 'UNDER_REVIEW' and submitted_on is null`,
    `create index disputes_erased on ${schema}.disputes (id) where evidence_erased`,
  ],

  async apply(tx, schema, batch) {
    const events = batch.filter(isOfDispute);
    if (events.length === 0) return;
    const rows = await load(tx, schema, [...new Set(events.map(({ data }) => data.dispute_id))]);
    for (const event of events) rows.set(event.data.dispute_id, rowAfter(rows.get(event.data.dispute_id), event));
    await tx.query({
      name: `${schema} disputes: replace`,
      text: `delete from ${schema}.disputes where id = any($1::uuid[])`,
      values: [[...rows.keys()]],
    });
    await table.add(
      tx,
      schema,
      [...rows.values()].map((row) => ({ ...row, evidence: JSON.stringify(row.evidence) })),
    );
  },
};

export const isOfDispute = handling({ disputes: 'all' });
type DisputeEvent = HandledBy<typeof isOfDispute>;
type StoredRow = Omit<DisputeRow, Amount> & Readonly<Record<Amount, bigint>>;

const AMOUNTS = [
  'ordinal',
  'amount',
  'held_amount',
  'excess_amount',
  'refunded_amount',
  'fee_amount',
] as const satisfies readonly (keyof DisputeRow)[];
type Amount = (typeof AMOUNTS)[number];

async function load(tx: PoolClient, schema: string, ids: readonly string[]): Promise<Map<string, DisputeRow>> {
  const { rows } = await tx.query<StoredRow>({
    name: `${schema} disputes: load`,
    text: `select * from ${schema}.disputes where id = any($1::uuid[])`,
    values: [ids],
  });
  return new Map(
    rows.map((row) => [row.id, { ...row, ...(Object.fromEntries(AMOUNTS.map((name) => [name, Number(row[name])])) as Record<Amount, number>) }]),
  );
}

/** Returns the row after the event. */
export function rowAfter(before: DisputeRow | undefined, event: DisputeEvent): DisputeRow {
  const { actor: updated_by, occurred_on } = event.metadata;
  if (event.type === 'ChargeDisputeOpened') return { ...rowOf(event.data, event.ordinal), updated_by };
  if (!before) throw new Error(`${event.type} of dispute ${event.data.dispute_id}, which was never opened`);
  return { ...before, ...changeOf(before, event), updated_by, updated_on: later(before.opened_on, occurred_on), version: before.version + 1 };
}

function changeOf(before: DisputeRow, event: Exclude<DisputeEvent, { readonly type: 'ChargeDisputeOpened' }>): Partial<DisputeRow> {
  switch (event.type) {
    case 'ChargeDisputeReopened': {
      const { stage, amount, excess_amount, reason_code, reason, due_by, reopened_on: stage_since } = event.data;
      const answer = { is_final: false, lost_reason: null, challenged_on: null, submitted_on: null, won_on: null, lost_on: null };
      return { dispute_status: 'ACTION_REQUIRED', stage, amount, excess_amount, reason_code, reason, due_by, stage_since, reminders: [], ...answer };
    }
    case 'ChargeDisputeHeld':
      return { held_amount: before.held_amount + event.data.amount, excess_amount: event.data.excess_amount };
    case 'ChargeDisputeWon': {
      const { is_final, won_on } = event.data;
      return { dispute_status: 'WON', held_amount: 0, is_final, won_on };
    }
    case 'ChargeDisputeLost': {
      const { lost_reason, lost_on } = event.data;
      return { dispute_status: 'LOST', lost_reason, lost_on };
    }
    case 'ChargeDisputeChallenged':
      return { dispute_status: 'UNDER_REVIEW', challenged_on: event.data.challenged_on };
    case 'ChargeDisputeSubmitted':
      return { submitted_on: event.data.submitted_on };
    case 'ChargeDisputeDueSoon':
      return { reminders: [...before.reminders, event.data.seconds_before] };
    case 'ChargeDisputeEvidenceAdded': {
      const { evidence_id: id, category, media_type, size, sha256, added_by, added_on } = event.data;
      return { evidence: [...before.evidence, { id, category, media_type, size, sha256, added_by, added_on, erased: false }] };
    }
    case 'ChargeDisputeEvidenceErased':
      return { evidence: before.evidence.map((each) => ({ ...each, erased: true })), evidence_erased: true };
    default:
      return unreachable(event);
  }
}

function rowOf(opened: ChargeDisputeOpened, ordinal: number): Omit<DisputeRow, 'updated_by'> {
  return {
    id: opened.dispute_id,
    charge_id: opened.charge_id,
    merchant_id: opened.merchant_id,
    ordinal,
    currency: opened.currency,
    reference: opened.reference,
    stage: opened.stage,
    dispute_status: opened.stage === 'INQUIRY' ? 'INQUIRY' : 'ACTION_REQUIRED',
    amount: opened.amount,
    held_amount: 0,
    excess_amount: opened.excess_amount,
    refunded_amount: opened.refunded_amount,
    fee_amount: opened.dispute_fee_amount,
    reason_code: opened.reason_code,
    reason: opened.reason,
    due_by: opened.due_by,
    is_final: false,
    lost_reason: null,
    evidence: [],
    evidence_erased: false,
    opened_on: opened.opened_on,
    challenged_on: null,
    submitted_on: null,
    won_on: null,
    lost_on: null,
    updated_on: opened.opened_on,
    stage_since: opened.opened_on,
    reminders: [],
    version: 1,
  };
}

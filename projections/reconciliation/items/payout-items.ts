import type { PoolClient } from 'pg';
import { handling, type HandledBy, type LedgerReadModel } from '../../../src/ledger/read-model.js';
import { simulatedTransferReference } from '../../../src/ledger/ids/id-codes.js';
import { Table } from '../../../src/platform/postgres/binary/table.js';
import { addItems, type ItemKind, type ItemRow } from './items-table.js';
import { correctStatistics, lookUp } from '../planning.js';
import { unreachable } from '../../../src/ledger/unreachable.js';

/** The names that banks use for our transfers. Each attempt of a payout adds its name again. */
const referencesTable = new Table(
  'payout_references',
  {
    reference: 'text collate "C" not null',
    /** Ordinal of the first event that has the name. */
    known_from: 'bigint not null',
    payout_id: 'uuid not null',
  },
  ['primary key (reference, known_from)'],
);

/** Payouts, from their request on, and their returns, as items that bank lines are compared with. Applied after `items`, whose tables it uses. */
export const payoutItems: LedgerReadModel = {
  name: 'payout items',
  version: 1,
  ddl: (schema) => `
    ${referencesTable.ddl(schema)}
    create index items_of_payout on ${schema}.item_details (payout_id) where payout_id is not null;
    create index items_contradicted on ${schema}.item_states (ended_from) where ended_from is not null and line_id is not null;
    create index items_not_presented on ${schema}.item_states (mode, kind, ordinal) where processor is null and line_id is null;`,
  indexes: () => [],

  async apply(tx, schema, batch) {
    const events = batch.filter(isOfPayout);
    if (events.length === 0) return;
    const moving = events.filter((event) => event.type === 'PayoutRequested' || event.type === 'PayoutReturned');
    const modes = await modesOf(tx, schema, [...new Set(moving.map(({ data }) => data.merchant_id))]);
    await addItems(
      tx,
      schema,
      moving.map((event) => itemOf(event, modes)),
    );
    await referencesTable.add(tx, schema, events.flatMap(referenceOf));
    await tell(tx, schema, events.flatMap(stageOf));
  },
};

const isOfPayout = handling({
  accounts: { except: ['FundsSettled', 'payout approvals', 'account refunds', 'adjustments'] },
  payouts: { except: ['payout registry', 'BeneficiaryChecked', 'BeneficiaryAccepted', 'PayoutAttemptClosed', 'PayoutDecided', 'PayoutHeld'] },
});
type OfPayout = HandledBy<typeof isOfPayout>;

async function modesOf(tx: PoolClient, schema: string, merchants: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (merchants.length === 0) return new Map();
  const { rows } = await tx.query<{ merchant_id: string; mode: string }>({
    name: `${schema} payout items: load owners`,
    text: `select merchant_id, mode from ${schema}.owners where merchant_id = any($1::uuid[])`,
    values: [merchants],
  });
  return new Map(rows.map(({ merchant_id, mode }) => [merchant_id, mode]));
}

type Moving = Extract<OfPayout, { readonly type: 'PayoutRequested' | 'PayoutReturned' }>;

function itemOf({ type, ordinal, id, data, metadata }: Moving, modes: ReadonlyMap<string, string>): ItemRow {
  const { merchant_id, payout_id, currency, net_amount } = data;
  const mode = modes.get(merchant_id);
  if (mode === undefined) throw new Error(`a payout of the merchant ${merchant_id}, which was never registered`);
  const [kind, amount]: [ItemKind, number] = type === 'PayoutRequested' ? ['PAYOUT', -net_amount] : ['RETURN', net_amount];
  const none = { charge_id: null, processor: null, channel: null, payment_reference: null, closed_from: null, closed_as: null, line_id: null };
  const notYet = { submitted_from: null, ended_from: null, succeeded_from: null, succeeded_on: null };
  const place = { ordinal, id, merchant_id, payout_id, mode, kind, code: simulatedTransferReference(payout_id), is_held: false };
  return { ...place, ...none, ...notYet, currency, amount, occurred_on: metadata.occurred_on };
}

function referenceOf({ type, ordinal, data }: OfPayout): { reference: string; known_from: number; payout_id: string }[] {
  const { payout_id } = data;
  if (type === 'PayoutRequested') return [{ reference: simulatedTransferReference(payout_id), known_from: ordinal, payout_id }];
  return type === 'PayoutAttempted' ? [{ reference: data.partner_reference, known_from: ordinal, payout_id }] : [];
}

type Stage = 'submitted' | 'ended' | 'succeeded';

function stageOf(event: OfPayout): { readonly payout_id: string; readonly stage: Stage; readonly from: number; readonly on: string }[] {
  const reached = (stage: Stage) => [{ payout_id: event.data.payout_id, stage, from: event.ordinal, on: event.metadata.occurred_on }];
  switch (event.type) {
    case 'PayoutSubmitted':
      return reached('submitted');
    case 'PayoutSucceeded':
      return reached('succeeded');
    case 'PayoutFailed':
    case 'PayoutCancelled':
      return reached('ended');
    case 'PayoutRequested':
    case 'PayoutReturned':
    case 'PayoutAttempted':
      return [];
    default:
      return unreachable(event);
  }
}

/** Sets the stages that payouts have reached, and the event of each: an earlier tick does not see the stage. */
async function tell(tx: PoolClient, schema: string, stages: ReturnType<typeof stageOf>): Promise<void> {
  if (stages.length === 0) return;
  await correctStatistics(tx, schema);
  await tx.query({
    name: `${schema} payout items: stages`,
    text: `with stage as (
             select payout_id, min(reached_from) filter (where stage = 'submitted') as submitted_from, min(reached_from) filter (where stage = 'ended') as ended_from,
                    min(reached_from) filter (where stage = 'succeeded') as succeeded_from, min(reached_on) filter (where stage = 'succeeded') as succeeded_on
               from unnest($1::uuid[], $2::text[], $3::int8[], $4::timestamptz[]) s (payout_id, stage, reached_from, reached_on) group by payout_id
           ), reached as (
             select i.ordinal, stage.* from stage cross join lateral ${lookUp(`${schema}.item_details`, 'payout_id = stage.payout_id')} i
           )
           update ${schema}.item_states i
              set submitted_from = coalesce(i.submitted_from, reached.submitted_from), ended_from = coalesce(i.ended_from, reached.ended_from),
                  succeeded_from = coalesce(i.succeeded_from, reached.succeeded_from), succeeded_on = coalesce(i.succeeded_on, reached.succeeded_on)
             from reached where i.ordinal = reached.ordinal and i.kind = 'PAYOUT'`,
    values: [stages.map(({ payout_id }) => payout_id), stages.map(({ stage }) => stage), stages.map(({ from }) => from), stages.map(({ on }) => on)],
  });
}

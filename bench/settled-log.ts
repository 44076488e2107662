import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { accountStream, settlementTotals, type FundsSettled, type SettlementLine } from '../src/ledger/events/account.events.js';
import type { ChargePaid, ChargeSettlementClaimed } from '../src/ledger/events/charge.events.js';
import { settlementStream, type SettlementClosed, type SettlementOpened } from '../src/ledger/events/settlement.events.js';
import { timestamp } from '../src/ledger/time.js';
import { headOf, writeBehind, type WrittenEvent } from './log-writer.js';

const LINES = 1_000;
const SETTLED_MS = Date.UTC(2026, 1, 1);

type PaidRow = Pick<ChargePaid, 'charge_id' | 'merchant_id' | 'currency' | 'net_amount' | 'fee_amount'>;

interface Settlement {
  readonly opened: SettlementOpened;
  readonly claims: readonly ChargeSettlementClaimed[];
  readonly closed: SettlementClosed;
  readonly settled: FundsSettled;
}

/**
 * Settles the oldest charges of a log of `loadLog` in settlements of 1,000 lines. All settlements are opened before the first claim of a
 * charge and closed after the last, so that a projection reads their lines from its tables and not from the current batch.
 */
export async function loadSettlements(pool: Pool, settlements: number): Promise<void> {
  const { rows } = await pool.query<{ data: PaidRow }>(
    `select data from event_store.events where type = 'ChargePaid' order by position limit ${settlements * LINES}`,
  );
  const all = Array.from({ length: settlements }, (_, n) => settlementOf(n + 1, rows.slice(n * LINES, (n + 1) * LINES)));
  const events = [
    ...all.map(({ opened }) => written(settlementStream(...accountOf(opened), opened.settlement_number), 0, 'SettlementOpened', opened)),
    ...all.flatMap(({ claims }) => claims.map((claim) => written(`charge-${claim.charge_id}`, 2, 'ChargeSettlementClaimed', claim))),
    ...all.map(({ closed }) => written(settlementStream(...accountOf(closed), closed.settlement_number), 1, 'SettlementClosed', closed)),
    ...all.map(({ settled }, n) => written(accountStream(...accountOf(settled)), n, 'FundsSettled', settled)),
  ];
  await writeBehind(pool, await headOf(pool), events);
}

function settlementOf(settlement_number: number, paid: readonly { readonly data: PaidRow }[]): Settlement {
  const { merchant_id, currency } = paid[0]!.data;
  const on = timestamp(SETTLED_MS + settlement_number * 1_000);
  const lines = paid.map(({ data }): SettlementLine => {
    return { kind: 'charge', record_id: data.charge_id, net_amount: data.net_amount, fee_amount: data.fee_amount };
  });
  const of = { merchant_id, currency, settlement_number };
  const listed = { settlement_id: randomUUID(), ...of, lines };
  const totals = settlementTotals(lines);
  return {
    opened: { ...listed, opened_on: on },
    claims: paid.map(({ data: { charge_id, net_amount, fee_amount } }) => ({ ...of, charge_id, net_amount, fee_amount, claimed_on: on })),
    closed: { ...listed, totals, closed_on: on },
    settled: { ...of, lines, totals, settled_on: on },
  };
}

const accountOf = ({ merchant_id, currency }: Pick<SettlementOpened, 'merchant_id' | 'currency'>): [string, string] => [merchant_id, currency];

function written(stream: string, revision: number, type: string, data: { readonly merchant_id: string }): WrittenEvent {
  const { merchant_id } = data;
  const metadata = {
    merchant_id,
    actor: 'System',
    $correlationId: merchant_id,
    $causationId: merchant_id,
    schema_version: 2,
    occurred_on: timestamp(SETTLED_MS),
  };
  return { id: randomUUID(), stream, revision, type, data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
}

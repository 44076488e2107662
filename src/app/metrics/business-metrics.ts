import type { Pool } from 'pg';
import { Gauge, type Registry } from 'prom-client';
import { findChargeTotals } from '../../../projections/charges/charge-totals.js';
import { findPayoutTotals } from '../../../projections/payouts/payout-totals.js';
import { countHeldPayouts } from '../../../projections/payouts/payouts-at-bank.js';
import { findOpenPayouts } from '../../../projections/payouts/open-payouts.js';
import { findDueAccounts } from '../../../projections/settlements/settlement-candidates.js';
import { findOpenSettlements } from '../../../projections/settlements/settlements.js';
import { timestamp, type Clock } from '../../ledger/time.js';
import { findDeliveryBacklog } from '../../domain/webhooks/delivery-log.js';

/** Figures are read at most once in this time, however often they are scraped. */
const FRESH_MS = 15_000;

type Figures = Awaited<ReturnType<typeof readFigures>>;

/** Returns the seconds since a time; 0 for undefined or a future time. */
const ageOf = (since: string | undefined, nowMs: number): number => (since === undefined ? 0 : Math.max(0, nowMs - Date.parse(since)) / 1_000);

/** Reads totals that the read models store, and the ends of their indexes. The cost does not grow with the number of charges. */
async function readFigures(pool: Pool, nowMs: number) {
  const [charges, payouts, [openPayout], heldPayouts, due, [openSettlement], webhooks] = await Promise.all([
    findChargeTotals(pool),
    findPayoutTotals(pool),
    findOpenPayouts(pool, 0, 1),
    countHeldPayouts(pool),
    findDueAccounts(pool, timestamp(nowMs)),
    findOpenSettlements(pool, 1),
    findDeliveryBacklog(pool),
  ]);
  const dueSince = due
    .map(({ due_on }) => due_on)
    .reduce((oldest: string | undefined, each) => (oldest === undefined || each < oldest ? each : oldest), undefined);
  return {
    charges,
    payouts,
    heldPayouts,
    oldestPayoutSeconds: ageOf(openPayout?.created_on, nowMs),
    dueAccounts: due.length,
    oldestDueSeconds: ageOf(dueSince, nowMs),
    oldestSettlementSeconds: ageOf(openSettlement?.opened_on, nowMs),
    webhooks,
  };
}

/**
 * Registers business figures over all merchants, which are the same in every process. While the read models cannot be read, the figures keep their
 * last values.
 */
export function measureBusiness(registers: Registry[], pool: Pool, clock: Clock): void {
  let figures: Promise<Figures | undefined> | undefined;
  let readMs = 0;
  const current = (): Promise<Figures | undefined> => {
    if (figures === undefined || performance.now() - readMs > FRESH_MS) {
      readMs = performance.now();
      const previous = figures;
      figures = readFigures(pool, clock()).catch(() => previous);
    }
    return figures;
  };
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[], set: (of: Gauge<Label>, figures: Figures) => void): void => {
    new Gauge({
      ...{ name, help, labelNames, registers },
      async collect() {
        const known = await current();
        if (known) set(this, known);
      },
    });
  };
  const single = (name: string, help: string, figure: (figures: Figures) => number): void =>
    gauge(name, help, [], (of, known) => of.set(figure(known)));

  gauge('charges_by_status', 'Charges of all merchants, by channel and status.', ['channel', 'status'], (of, { charges }) => {
    for (const { channel_code: channel, status, total } of charges) of.set({ channel, status }, total);
  });
  gauge('payouts_by_status', 'Payouts of all merchants, by currency and status.', ['currency', 'status'], (of, { payouts }) => {
    // Removes statuses that no payout has now.
    of.reset();
    for (const { currency, payout_status: status, total } of payouts) of.set({ currency, status }, total);
  });
  single('payout_oldest_open_seconds', 'Age of the oldest open payout; 0 when no payout is open.', (known) => known.oldestPayoutSeconds);
  single('payouts_held', 'Payouts whose result no rule decides; an operator must resolve each one.', (known) => known.heldPayouts);
  single('settlement_accounts_due', 'Accounts with due lines that are not yet in a settlement.', (known) => known.dueAccounts);
  single(
    'settlement_oldest_due_seconds',
    'Time since the oldest due line that is not yet in a settlement became due.',
    (known) => known.oldestDueSeconds,
  );
  single(
    'settlement_oldest_open_seconds',
    'Age of the oldest open settlement; 0 when no settlement is open.',
    (known) => known.oldestSettlementSeconds,
  );
  single('webhook_deliveries_pending', 'Deliveries that wait for an attempt; 10000 means 10000 or more.', ({ webhooks }) => webhooks.pending);
  single('webhook_overdue_seconds', 'Time since the longest overdue delivery attempt became due.', ({ webhooks }) => webhooks.overdue_seconds);
  single(
    'webhook_endpoints_failing',
    'Endpoints with pending deliveries whose attempts have failed since the last success.',
    ({ webhooks }) => webhooks.failing,
  );
  single('webhook_oldest_failing_seconds', 'Time for which the longest failing endpoint has failed.', ({ webhooks }) => webhooks.failing_seconds);
}

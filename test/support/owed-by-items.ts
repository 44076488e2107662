import type { Pool } from 'pg';
import { daysIn } from '../../src/ledger/days.js';
import type { ReconSourceSet } from '../../src/ledger/events/reconciliation.events.js';
import { milliseconds } from '../../src/ledger/time.js';
import type { Log } from './histories.js';

interface OwedItem {
  readonly mode: string;
  readonly processor: string;
  readonly currency: string;
  readonly kind: string;
  readonly channel: string;
  readonly occurred_on: string;
  readonly amount: number;
  readonly is_closed: boolean;
}

interface Sums {
  items: number;
  amount: number;
  cost: number;
  items_without_cost: number;
}

/** Half up, as a contract rounds. @param percent with two decimals */
const partOf = (amount: number, percent: number): number => Math.floor((amount * Math.round(percent * 100) + 5_000) / 10_000);

/** The sums by day that recon.owed_sums must have, item by item, by the last settings of each processor's source in the log. */
export async function owedByItems(pool: Pool, { events }: Log): Promise<Record<string, Sums>> {
  const { rows } = await pool.query<OwedItem>(
    `select i.mode, i.processor, i.currency, i.kind, i.channel, i.occurred_on, i.amount::int as amount, i.closed_from is not null as is_closed
       from recon.items i
      where i.processor is not null
        and (i.closed_from is not null) = exists (select from recon.booked_items k where k.item = i.ordinal and k.booked_until is null)`,
  );
  const settings = events.flatMap(({ type, data }) => (type === 'ReconSourceSet' ? [data as unknown as ReconSourceSet] : []));
  const sums: Record<string, Sums> = {};
  for (const { mode, processor, currency, kind, channel, occurred_on, amount, is_closed } of rows) {
    const terms = settings.findLast((set) => set.mode === mode && set.processor === processor);
    const day = daysIn(terms?.time_zone ?? 'UTC')(milliseconds(occurred_on));
    const sum = (sums[[mode, processor, currency, day].join(' ')] ??= { items: 0, amount: 0, cost: 0, items_without_cost: 0 });
    sum.items += 1;
    sum.amount += is_closed ? -amount : amount;
    if (kind !== 'PAYMENT' || is_closed) continue;
    const cost = terms?.costs[channel];
    if (cost === undefined) {
      sum.items_without_cost += 1;
      continue;
    }
    const fee = Math.min(amount, cost.type === 'FIXED' ? cost.value : partOf(amount, cost.value));
    sum.cost += fee + partOf(fee, terms?.tax ?? 0);
  }
  return sums;
}

/** Contents of recon.owed_sums, in the same form. */
export async function owedSumsIn(pool: Pool): Promise<Record<string, Sums>> {
  const { rows } = await pool.query<{ readonly key: string } & Sums>(
    `select concat_ws(' ', mode, processor, currency, day) as key, items::int, amount::int, cost::int, items_without_cost::int from recon.owed_sums`,
  );
  return Object.fromEntries(rows.map(({ key, ...sums }) => [key, sums]));
}

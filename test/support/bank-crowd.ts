import type { Pool } from 'pg';
import { breakId } from '../../projections/reconciliation/break-id.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { closeDay } from './day-closing.js';
import { Batches } from './histories.js';
import { Remittances, type Booked, type Remitted } from './remittances.js';

const AMOUNT = 1_000;
/** Lines of a batch. */
const BATCH_LINES = 5;

/**
 * Three days of a bank and a processor with `size` records of each kind: every statement of ticks and closes has that many to handle at once, in its
 * matches, its breaks and its rows.
 */
export async function bankCrowd(pool: Pool, size: number): Promise<OrdinalEvent[][]> {
  const world = new Remittances();
  const { log } = world;
  const batches = new Batches(log);
  const close = async (n: number): Promise<void> => {
    await closeDay(pool, world, n, log.now.slice(0, 10));
    batches.end();
  };
  world.set('live-bca', { currencies: ['IDR'], by_amount: true });
  batches.end();
  batches.of(size, () => world.pay(AMOUNT));
  const references = Array.from({ length: size }, () => '');
  batches.of(size, (n) => (references[n] = world.payout(AMOUNT + n)));
  batches.of(size / 2, (n) => world.payoutGoes('PayoutSucceeded', n));

  // A quarter of the lines are of no payment. The file is issued again, with other nets of half of the batches.
  const remitted = (fee: number): Remitted[] =>
    references.map((_, n) => {
      const reference = n % 4 === 3 ? `unknown ${n}` : `R${n}`;
      return { reference, amount: AMOUNT, fee: n % (2 * BATCH_LINES) < BATCH_LINES ? fee : 10, batch: `B-${Math.floor(n / BATCH_LINES)}` };
    });
  const first = world.remit(remitted(10));
  batches.end();
  const net = BATCH_LINES * (AMOUNT - 10);
  const credits: Booked[] = Array.from({ length: size / BATCH_LINES }, (_, n) => ({ reference: `B-${n}`, amount: net }));
  const debits: Booked[] = references.map((reference, n) => ({ reference, amount: n % 8 === 7 ? -1 : -AMOUNT - n }));
  world.book([...credits, ...debits, ...references.map(() => ({ amount: -7, kind: 'CHARGE' as const }))]);
  batches.end();
  await close(1);

  world.days(3);
  const second = world.remit(remitted(20), { replaces: first });
  batches.end();
  batches.of(size / 4, (n) => world.payoutGoes('PayoutFailed', size / 2 + n));
  const unknown = references.flatMap((_, n) => (n % 4 === 3 ? [{ n, key: `B-${Math.floor(n / BATCH_LINES)} ${n}` }] : []));
  const acts = unknown.map(({ key }) => world.acts(breakId('live-sim', 'PROCESSOR_ONLY', key)));
  const items = log.events.filter(({ type }) => type === 'ChargePaid').map(({ id }) => id);
  batches.of(acts.length, (at) => acts[at]!.match(unknown[at]!.key, [items[unknown[at]!.n]!]));
  world.run();
  world.book(credits);
  batches.end();
  await close(2);

  world.days(3);
  batches.of(acts.length, (at) => acts[at]!.unmatch());
  world.remit(remitted(10), { replaces: second });
  world.book([]);
  batches.end();
  await close(3);
  return batches.all;
}

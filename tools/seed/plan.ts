import { channelByCode } from '../../src/ledger/channels.js';
import type { ChargeOrder } from '../../src/domain/charges/charge.decider.js';
import type { ChargeChange } from '../../src/domain/charges/charge.handlers.js';
import type { Random } from './random.js';
import { sale, shop } from './shops.js';

/** One charge and its changes: the times are milliseconds since the epoch, none of them in the future. */
export interface PlannedCharge {
  /** Index of its merchant. */
  readonly merchant: number;
  readonly at: number;
  readonly order: ChargeOrder;
  /** In order of time. */
  readonly changes: readonly { readonly at: number; readonly change: ChargeChange }[];
}

type Fate = 'paid' | 'failed' | 'expired' | 'cancelled' | 'paid-late' | 'paid-twice' | 'paid-short' | 'reversed' | 'charged-back';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Midnight in Jakarta, UTC. */
const SETTLING_HOUR = 17;
/** Age of the oldest charge of the seed, days. */
export const DAYS = 30;
/** Share of the newest charges, which still wait for their customers. */
const WAITING_SHARE = 0.04;
const WAITING_SINCE = 10 * MINUTE;
/** All changes of an older charge have happened. */
const SETTLED_DOWN = 30 * MINUTE;

/** Ensures that a few charges show every state. */
const FIRST: readonly Fate[] = ['paid', 'failed', 'reversed', 'expired', 'cancelled', 'charged-back', 'paid-late', 'paid-twice'];
const LATER: Readonly<Record<Fate, number>> = {
  ...{ paid: 79, expired: 8, failed: 6, cancelled: 4 },
  ...{ 'paid-late': 1, 'paid-twice': 0.5, 'paid-short': 0.3, reversed: 1, 'charged-back': 0.5 },
};
export const DISPUTED = 'The customer disputed the payment.';
const REASONS = ['The customer declined.', 'Insufficient funds.', 'The customer’s bank did not answer.', 'The daily limit is exceeded.'];

/** Plans `charges` charges of `merchants` merchants within the `days` before `now`, oldest first. */
export function* planCharges(charges: number, merchants: number, now: number, random: Random, days = DAYS): Generator<PlannedCharge> {
  const waiting = Math.max(1, Math.round(charges * WAITING_SHARE));
  const times = Float64Array.from({ length: charges }, (_, index) =>
    index < waiting ? now - random.between(1_000, WAITING_SINCE) : now - SETTLED_DOWN - random.between(0, days * DAY),
  ).sort();
  for (const [index, at] of times.entries()) {
    const merchant = Math.floor(random.next() ** 2 * merchants); // some merchants are larger than others
    const order = orderOf(merchant, index, random);
    const isWaiting = now - at <= WAITING_SINCE;
    const fate = FIRST[index] ?? random.weighted(LATER);
    yield { merchant, at: Math.floor(at), order, changes: isWaiting ? [] : changesOf(fate, order, Math.floor(at), now, random) };
  }
}

/** Keeps one of `kept` charges that still wait for their customers, all of which were created in the last minutes. */
export function* withFewWaiting(charges: Iterable<PlannedCharge>, kept: number): Generator<PlannedCharge> {
  let waiting = 0;
  for (const charge of charges) if (charge.changes.length > 0 || (waiting += 1) % kept === 0) yield charge;
}

/** Groups the charges between two settlements, at midnight in Jakarta, up to `end`. */
export function* byDay(
  charges: Iterable<PlannedCharge>,
  end: number,
): Generator<{ readonly planned: readonly PlannedCharge[]; readonly until: number }> {
  let planned: PlannedCharge[] = [];
  let until: number | undefined;
  for (const charge of charges) {
    until ??= nextMidnight(charge.at);
    for (; charge.at >= until && until < end; until += DAY) {
      yield { planned, until };
      planned = [];
    }
    planned.push(charge);
  }
  yield { planned, until: end };
}

/**
 * Returns the next settlement after `at`, milliseconds since the epoch: midnight in Jakarta, when everything is due that was due on that day in any
 * of the countries.
 */
export function nextMidnight(at: number): number {
  const sameDay = Math.floor(at / DAY) * DAY + SETTLING_HOUR * HOUR;
  return sameDay > at ? sameDay : sameDay + DAY;
}

function orderOf(merchant: number, index: number, random: Random): ChargeOrder {
  const { amount, description, channel_code } = sale(shop(merchant), random);
  const channel = channelByCode(channel_code)!;
  return {
    amount: Math.min(Math.max(amount, channel.min_amount), channel.max_amount),
    currency: channel.currency,
    channel_code,
    action_flow: channel.qr ? random.pick(['PAYLOAD', 'EMBEDDED'] as const) : random.pick(['REDIRECTION', 'EMBEDDED'] as const),
    reference_id: `INV-${String(index + 1).padStart(6, '0')}`,
    description,
    metadata: random.next() < 0.3 ? { table: String(Math.ceil(random.between(0, 20))) } : {},
  };
}

function changesOf(fate: Fate, order: ChargeOrder, at: number, now: number, random: Random): PlannedCharge['changes'] {
  const expiresAt = at + channelByCode(order.channel_code)!.ttl_seconds * 1000;
  const paidAt = at + Math.floor(random.between(15_000, 8 * MINUTE));
  const pay = (when: number, amount = order.amount): PlannedCharge['changes'][number] => ({
    at: when,
    change: {
      kind: 'pay',
      amount,
      payment_reference: `SIM-${Math.floor(random.next() * 1e12)
        .toString(36)
        .toUpperCase()}`,
    },
  });
  const past = (changes: PlannedCharge['changes']): PlannedCharge['changes'] =>
    changes.every((change) => change.at <= now) ? changes : [pay(paidAt)];
  switch (fate) {
    case 'paid':
      return [pay(paidAt)];
    case 'failed':
      return [{ at: paidAt, change: { kind: 'fail', reason: random.pick(REASONS) } }];
    case 'cancelled':
      return [{ at: paidAt, change: { kind: 'cancel' } }];
    case 'expired':
      return past([{ at: expiresAt, change: { kind: 'expire' } }]);
    case 'paid-late':
      return past([{ at: expiresAt, change: { kind: 'expire' } }, pay(expiresAt + Math.floor(random.between(MINUTE, HOUR)))]);
    case 'paid-twice':
      return [pay(paidAt), pay(paidAt + MINUTE)];
    case 'paid-short':
      return past([pay(paidAt, Math.ceil(order.amount / 2)), { at: expiresAt, change: { kind: 'expire' } }]);
    case 'reversed':
      return [pay(paidAt), { at: paidAt + 2 * MINUTE, change: { kind: 'reverse', reason: 'The order was called off.' } }];
    case 'charged-back':
      return past([pay(paidAt), { at: paidAt + 8 * DAY, change: { kind: 'reverse', reason: DISPUTED } }]);
    default:
      throw new Error(`no fate ${fate satisfies never as string}`);
  }
}

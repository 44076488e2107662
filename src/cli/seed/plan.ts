import { channelByCode } from '../../ledger/channels.js';
import type { ChargeOrder } from '../../charges/charge.decider.js';
import type { ChargeChange } from '../../charges/charge.handlers.js';
import type { Random } from './random.js';
import { sale, shop } from './shops.js';

/** One charge and what happens to it: the times are milliseconds since the epoch, none of them in the future. */
export interface PlannedCharge {
  /** Index of its merchant. */
  readonly merchant: number;
  readonly at: number;
  readonly order: ChargeOrder;
  /** In order of time. */
  readonly changes: readonly { readonly at: number; readonly change: ChargeChange }[];
}

type Fate = 'paid' | 'failed' | 'expired' | 'cancelled' | 'paid-late' | 'paid-twice' | 'reversed' | 'charged-back';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** How far back the oldest charge of the seed is. */
export const DAYS = 30;
/** The newest ones are still waiting for their customers. */
const WAITING_SHARE = 0.04;
const WAITING_SINCE = 10 * MINUTE;
/** Whatever happens to a charge has happened by then. */
const SETTLED_DOWN = 30 * MINUTE;

/** So that a few charges show every state there is. */
const FIRST: readonly Fate[] = ['paid', 'failed', 'reversed', 'expired', 'cancelled', 'charged-back', 'paid-late', 'paid-twice'];
const LATER: readonly { readonly weight: number; readonly item: Fate }[] = [
  { weight: 79, item: 'paid' },
  { weight: 8, item: 'expired' },
  { weight: 6, item: 'failed' },
  { weight: 4, item: 'cancelled' },
  { weight: 1, item: 'paid-late' },
  { weight: 0.5, item: 'paid-twice' },
  { weight: 1, item: 'reversed' },
  { weight: 0.5, item: 'charged-back' },
];
const REASONS = ['The customer declined.', 'Insufficient funds.', 'The customer’s bank did not answer.', 'The daily limit is exceeded.'];

/** `charges` charges of `merchants` merchants within the `days` before `now`, oldest first. */
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
  const pay = (when: number): PlannedCharge['changes'][number] => ({
    at: when,
    change: {
      kind: 'pay',
      amount: order.amount,
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
    case 'reversed':
      return [pay(paidAt), { at: paidAt + 2 * MINUTE, change: { kind: 'reverse', reason: 'The order was called off.' } }];
    case 'charged-back':
      return past([pay(paidAt), { at: paidAt + 8 * DAY, change: { kind: 'reverse', reason: 'The customer disputed the payment.' } }]);
    default:
      throw new Error(`no fate ${fate satisfies never as string}`);
  }
}

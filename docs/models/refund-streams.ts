/** The streams of refund.ts: the charge, the account, lines of settlements and balances that follow from them, and the rules that they obey. */
import { streamOf, type Store, type StoredEvent } from './store.js';

/** The amount that the customer paid. */
export const PAID = 10;

export type Place = 'pending' | 'available' | 'refunding' | 'disputed' | 'returns' | 'back' | 'paidOut';
export interface Line {
  readonly key: string;
  readonly amount: number;
}
export interface Event extends StoredEvent {
  readonly type: string;
  readonly refund?: number;
  /** Empty for a refund from pending, which reserves nothing on the account. */
  readonly reservation?: string;
  readonly amount?: number;
  /** The merchant's place that money returns to or is held from. */
  readonly to?: Place;
  readonly number?: number;
  readonly key?: string;
  readonly lines?: readonly Line[];
}
interface Refund {
  readonly amount: number;
  readonly reservation: string;
  status: 'PENDING' | 'PROCESSING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';
  to?: Place | undefined;
}
export interface Charge {
  /** The settlement that claimed the charge, 0 for none. */
  settlement: number;
  readonly refunds: Refund[];
  readonly declined: string[];
  /** Money that a dispute took from `returns`, or brought back there. */
  readonly disputed: Line[];
  readonly claims: Record<string, { readonly number: number; readonly amount: number }>;
  dispute: '' | 'OPEN' | 'WON' | 'LOST';
  held: number;
  /** Money that can still go back. */
  rest: number;
  error: string;
}
export interface Account {
  available: number;
  settlement: number;
  open: Event[];
  isOverdrawn: boolean;
}

export const isEnded = ({ status }: Refund): boolean => status !== 'PENDING' && status !== 'PROCESSING';
export const placeOf = ({ settlement }: Charge): Place => (settlement > 0 ? 'returns' : 'pending');

export function chargeOf(events: readonly Event[], revision = events.length - 1): Charge {
  const charge: Charge = { settlement: 0, refunds: [], declined: [], disputed: [], claims: {}, dispute: '', held: 0, rest: PAID, error: '' };
  for (const event of events.slice(0, revision + 1)) applyToCharge(charge, event);
  return charge;
}

function applyToCharge(charge: Charge, { type, id, refund: index = -1, reservation = '', amount = 0, to, number = 0, key = '' }: Event): void {
  const refund = charge.refunds[index];
  switch (type) {
    case 'RefundClaimed':
      if (refund) charge.error = `refund ${index} is claimed twice`;
      charge.refunds[index] = { amount, reservation, status: 'PENDING' };
      charge.rest -= amount;
      break;
    case 'RefundDeclined':
      charge.declined.push(reservation);
      break;
    case 'RefundSubmitted':
      refund!.status = 'PROCESSING';
      break;
    case 'RefundSucceeded':
    case 'RefundFailed':
    case 'RefundCancelled':
      if (isEnded(refund!)) charge.error = `refund ${index} ends twice`;
      refund!.status = type === 'RefundSucceeded' ? 'SUCCEEDED' : type === 'RefundFailed' ? 'FAILED' : 'CANCELLED';
      refund!.to = to;
      if (type !== 'RefundSucceeded') charge.rest += amount;
      break;
    case 'LineClaimed':
      charge.claims[key] = { number, amount };
      if (key === 'charge') charge.settlement = number;
      break;
    case 'DisputeOpened':
      charge.dispute = 'OPEN';
      break;
    default:
      applyToDispute(charge, type, amount, to === 'returns' ? id : null);
  }
}

function applyToDispute(charge: Charge, type: string, amount: number, line: string | null): void {
  const isHold = type === 'DisputeHeld';
  charge.held += isHold ? amount : -amount;
  if (type !== 'DisputeLost') charge.rest += isHold ? -amount : amount;
  if (!isHold) charge.dispute = type === 'DisputeWon' ? 'WON' : 'LOST';
  if (line !== null) charge.disputed.push({ key: line, amount: isHold ? -amount : amount });
}

/** Lines that follow from the charge: each belongs to one settlement, in the end. */
export function linesOf({ refunds, disputed, claims, rest }: Charge): Line[] {
  const returned = refunds.flatMap(({ to, amount }, index) => (to === 'returns' ? [{ key: `refund-${index}`, amount }] : []));
  return [{ key: 'charge', amount: claims['charge']?.amount ?? rest }, ...returned, ...disputed];
}

export function accountOf(events: readonly Event[], otherFunds: number, revision = events.length - 1): Account {
  const account: Account = { available: otherFunds, settlement: 0, open: [], isOverdrawn: false };
  for (const event of events.slice(0, revision + 1)) {
    const { type, amount = 0, lines = [], number } = event;
    if (type === 'FundsSettled')
      Object.assign(account, { settlement: number, available: account.available + lines.reduce((sum, line) => sum + line.amount, 0) });
    if (type === 'Reserved') account.open.push(event);
    if (type === 'Reserved' || type === 'PaidOut') account.available -= amount;
    if (type === 'Released') account.available += amount;
    if (type === 'Released' || type === 'Forgotten') account.open = account.open.filter(({ reservation }) => reservation !== event.reservation);
    if ((type === 'Reserved' || type === 'PaidOut') && account.available < 0) account.isOverdrawn = true;
  }
  return account;
}

/** From which place to which place an event moves its amount; in a settlement every line moves. */
function movesOf({ type, reservation, amount = 0, to, lines = [] }: Event): readonly (readonly [Place, Place, number])[] {
  switch (type) {
    case 'RefundClaimed':
      return reservation === '' ? [['pending', 'refunding', amount]] : [];
    case 'Reserved':
      return [['available', 'refunding', amount]];
    case 'Released':
      return [['refunding', 'available', amount]];
    case 'RefundSucceeded':
      return [['refunding', 'back', amount]];
    case 'RefundFailed':
    case 'RefundCancelled':
      return [['refunding', to!, amount]];
    case 'DisputeHeld':
      return [[to!, 'disputed', amount]];
    case 'DisputeWon':
      return [['disputed', to!, amount]];
    case 'DisputeLost':
      return [['disputed', 'back', amount]];
    case 'PaidOut':
      return [['available', 'paidOut', amount]];
    case 'FundsSettled':
      return lines.map((line) => [line.key === 'charge' ? 'pending' : 'returns', 'available', line.amount] as const);
    default:
      return [];
  }
}

export function balancesOf(log: readonly Event[], otherFunds: number): Record<Place, number> {
  const balances = { pending: PAID, available: otherFunds, refunding: 0, disputed: 0, returns: 0, back: 0, paidOut: 0 };
  for (const [from, to, amount] of log.flatMap(movesOf)) {
    balances[from] -= amount;
    balances[to] += amount;
  }
  return balances;
}

interface Observed {
  readonly store: Store<Event>;
  /** The processor's result for each refund, and how often it paid. */
  readonly processor: readonly ('paid' | 'refused' | '')[];
  readonly payments: readonly number[];
  readonly processes: readonly { readonly refund: number; readonly answer?: number | 'refused' }[];
}

export function violationOf(observed: Observed, charge: Charge, account: Account, otherFunds: number): string | undefined {
  const balances = balancesOf(observed.store.log, otherFunds);
  const negative = (['pending', 'refunding', 'disputed'] as const).find((place) => balances[place] < 0);
  const settled = streamOf(observed.store, 'account').flatMap(({ type, lines = [] }) => (type === 'FundsSettled' ? lines : []));
  const wrong = settled.find(({ key, amount }) => charge.claims[key]?.amount !== amount);
  if (charge.error !== '') return charge.error;
  if (account.isOverdrawn) return 'available falls below zero through a refund or a payout';
  if (negative) return `${negative} is below zero`;
  if (charge.rest < 0 || balances.back > PAID) return `more than the ${PAID} that were paid is claimed or has gone back`;
  if (new Set(settled.map(({ key }) => key)).size < settled.length) return 'a line is settled twice';
  if (wrong) return `${wrong.key} is settled with another amount than claimed`;
  if (settled.some(({ key }) => key === 'charge') && balances.pending !== 0) return 'pending keeps money of a settled charge';
  return [0, 1].map((refund) => violationOfRefund(observed, charge, account, refund)).find(Boolean);
}

function violationOfRefund(
  { store, processor, payments, processes }: Observed,
  charge: Charge,
  account: Account,
  number: number,
): string | undefined {
  const refund = charge.refunds[number];
  const stored = streamOf(store, 'account');
  const isReleased = ({ reservation }: Event): boolean => stored.some((each) => each.type === 'Released' && each.reservation === reservation);
  const reserved = stored.filter((each) => each.type === 'Reserved' && each.refund === number);
  const held = reserved.filter((each) => !isReleased(each));
  const ownReservation = reserved.find(({ reservation }) => reservation === refund?.reservation);
  const isAnswered = processes.some((each) => each.refund === number && typeof each.answer === 'number' && each.answer !== refund?.amount);
  if (payments[number]! > 1) return `the processor paid refund ${number} twice`;
  if (held.length > 1) return `refund ${number} is reserved twice`;
  if (held.some((each) => charge.declined.includes(each.reservation!) && !account.open.includes(each)))
    return `refund ${number} was declined, and its money stays reserved`;
  if (refund && refund.reservation !== '' && ownReservation?.amount !== refund.amount) return `refund ${number} is not claimed as it is reserved`;
  if (ownReservation && isReleased(ownReservation)) return `refund ${number} is claimed, and its reservation was released`;
  if (processor[number] === 'paid' && ['FAILED', 'CANCELLED'].includes(refund!.status)) return `refund ${number} was paid, and is ${refund!.status}`;
  return isAnswered ? `refund ${number} is not as it was confirmed` : undefined;
}

import fc from 'fast-check';
import { account, type AccountCommand } from '../../src/domain/accounts/account.decider.js';
import type { AccountState } from '../../src/domain/accounts/account-state.js';
import type { AccountEvent, SettlementLine } from '../../src/ledger/events/account.events.js';
import { house, type HouseState } from '../../src/domain/approvals/house.decider.js';
import {
  ACCOUNT_ADJUSTMENTS,
  HOUSE_ADJUSTMENTS,
  isAccountKind,
  isSuspenseKind,
  type AdjustmentKind,
  type SuspenseItem,
} from '../../src/ledger/events/adjustment.events.js';
import { charge, type ChargeCommand } from '../../src/domain/charges/charge.decider.js';
import { claimedLine, linesToSettle } from '../../src/domain/charges/charge-lines.js';
import { disputeId } from '../../src/domain/charges/disputes/charge-disputes.js';
import { permitRefund } from '../../src/domain/charges/refunds/charge-refunds.js';
import { ofCharge, type ChargeState, type ExistingCharge } from '../../src/domain/charges/charge-state.js';
import type { Decider } from '../../src/ledger/decider.js';
import { DISPUTE_STAGES } from '../../src/ledger/events/dispute.events.js';
import type { Fee } from '../../src/ledger/money.js';
import { claimedReturn, payout, type PayoutCommand, type PayoutState } from '../../src/domain/payouts/payout.decider.js';
import { settlement, type SettlementCommand, type SettlementState } from '../../src/domain/settlements/settlement.decider.js';
import { timestamp } from '../../src/ledger/time.js';
import { createCharge, termsOf } from '../support/create-charge.js';
import type { MovingEvent } from '../support/ledger-oracle.js';

/** One attempt; most random attempts are refused. Numbers identify records, modulo the number of records. */
export type Attempt =
  | { readonly kind: 'pay'; readonly amount: number; readonly fee: Fee }
  /** Another payment of a charge that is paid. */
  | { readonly kind: 'pay again'; readonly charge: number; readonly amount: number }
  | { readonly kind: 'reverse'; readonly charge: number }
  /**
   * `lines`: which candidates are listed; `stale`: lines of earlier settlements that a read model still names;
   * `reversed`: a charge that is reversed between the claims and the money.
   */
  | { readonly kind: 'settle'; readonly lines: number; readonly stale: number; readonly reversed: number | null }
  | { readonly kind: 'settle again'; readonly number: number }
  /** `share`: per mille of the available balance, so that most requests are near the limit. */
  | { readonly kind: 'request'; readonly share: number; readonly more: number; readonly fee: Fee }
  | { readonly kind: 'request again'; readonly payout: number }
  /** `share`: per mille of the paid amount; 0: the whole rest. `stop`: the request dies after this number of steps. */
  | { readonly kind: 'refund'; readonly charge: number; readonly share: number; readonly stop: number }
  | { readonly kind: 'finish reservations' }
  | { readonly kind: 'submit-refund' | 'succeed-refund' | 'fail-refund' | 'cancel-refund' | 'bounce-refund'; readonly refund: number }
  | { readonly kind: 'submit' | 'succeed' | 'fail' | 'cancel' | 'return'; readonly payout: number }
  /** `item`: a payment that no charge could take; `back`: a fee is corrected to the merchant's disadvantage. */
  | {
      readonly kind: 'adjust';
      readonly how: AdjustmentKind;
      readonly item: number;
      readonly amount: number;
      readonly waive_fee: boolean;
      readonly back: boolean;
    }
  | DisputeAttempt;

/** `reference`: of the processor, of whom a charge may have a few. */
interface OfDispute {
  readonly charge: number;
  readonly reference: number;
}

export type DisputeAttempt =
  /** `share`: per mille of the paid amount, possibly more than the whole. */
  | (OfDispute & { readonly kind: 'open dispute'; readonly stage: number; readonly share: number })
  | (OfDispute & { readonly kind: 'win dispute'; readonly stage: number; readonly final: boolean })
  | (OfDispute & { readonly kind: 'lose dispute'; readonly stage: number })
  /** answer: evidence, challenge, and the processor takes it; watch: a reminder and the end of the time. */
  | (OfDispute & { readonly kind: 'answer dispute' | 'accept dispute' | 'watch dispute' | 'erase evidence' });

const fee: fc.Arbitrary<Fee> = fc.oneof(
  fc.record({ type: fc.constant('PERCENTAGE' as const), value: fc.constantFrom(0, 0.7, 1.3, 2, 33.33, 100) }),
  fc.record({ type: fc.constant('FIXED' as const), value: fc.constantFrom(0, 1, 100, 250_000) }),
);
/** Small ones meet often, the largest pass 2^53 when they are added. */
const amount = fc.oneof(
  fc.integer({ min: 1, max: 50 }),
  fc.integer({ min: 1, max: 1_000_000 }),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1),
);
const nth = fc.nat({ max: 11 });

const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('pay' as const), amount, fee }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pay again' as const), charge: nth, amount }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('adjust' as const),
      how: fc.constantFrom<AdjustmentKind>(
        'UNMATCHED_TO_MERCHANT',
        ...ACCOUNT_ADJUSTMENTS,
        ...HOUSE_ADJUSTMENTS.filter((kind) => kind !== 'OPENING'),
      ),
      ...{ item: nth, amount: fc.integer({ min: 1, max: 1_000_000 }), waive_fee: fc.boolean(), back: fc.boolean() },
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reverse' as const), charge: nth }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      lines: fc.nat({ max: 255 }),
      stale: fc.nat({ max: 15 }),
      reversed: fc.option(nth, { freq: 4 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('refund' as const),
      charge: nth,
      share: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1_001 })),
      stop: fc.oneof(fc.constant(9), fc.nat({ max: 3 })),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'finish reservations' as const }) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'submit-refund' as const,
        'succeed-refund' as const,
        'fail-refund' as const,
        'cancel-refund' as const,
        'bounce-refund' as const,
      ),
      refund: nth,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle again' as const), number: nth }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('request' as const), share: fc.integer({ min: 1, max: 1_000 }), more: fc.nat({ max: 2 }), fee }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('request again' as const), payout: nth }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom('submit' as const, 'succeed' as const, 'fail' as const, 'cancel' as const, 'return' as const),
      payout: nth,
    }),
  },
);

const ofDispute = { charge: nth, reference: fc.nat({ max: 1 }) };
const stage = fc.nat({ max: 3 });
const disputeAttempt: fc.Arbitrary<DisputeAttempt> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('open dispute' as const),
      ...ofDispute,
      stage,
      share: fc.oneof(fc.constant(1_000), fc.integer({ min: 1, max: 1_200 })),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.oneof(
      fc.record({ kind: fc.constant('win dispute' as const), ...ofDispute, stage, final: fc.boolean() }),
      fc.record({ kind: fc.constant('lose dispute' as const), ...ofDispute, stage }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('answer dispute' as const, 'accept dispute' as const, 'watch dispute' as const, 'erase evidence' as const),
      ...ofDispute,
    }),
  },
);

const historyOf = (each: fc.Arbitrary<Attempt>): fc.Arbitrary<readonly Attempt[]> => fc.array(each, { minLength: 1, maxLength: 80, size: 'max' });

export const attempts = historyOf(attempt);
export const attemptsWithDisputes = historyOf(fc.oneof({ weight: 3, arbitrary: attempt }, { weight: 1, arbitrary: disputeAttempt }));

export interface History {
  /** In the order in which the log has them. */
  readonly events: readonly MovingEvent[];
  readonly account: AccountState;
}

/** Runs the attempts through the deciders. Returns the history of one account and its records in one log. */
export function play(owner: { readonly merchant_id: string; readonly currency: string }, tries: readonly Attempt[]): History {
  const player = new Player(owner);
  tries.forEach((attempt) => player.attempt(attempt));
  return { events: player.events, account: player.account };
}

/** Fee for a lost dispute, minor units. */
const DISPUTE_FEE = 7;
/** Each event takes a second. */
const DUE_IN_SECONDS = 12;
type WithoutNow<Command> = Command extends unknown ? Omit<Command, 'now'> : never;
type DisputeStep = WithoutNow<Extract<ChargeCommand, { readonly dispute_id: string }>>;

type RequestCommand = Extract<AccountCommand, { kind: 'request-payout' }>;

class Player {
  readonly events: MovingEvent[] = [];
  account: AccountState = account.initial;
  house: HouseState = house.initial;
  readonly #resolved = new Set<string>();
  readonly #charges: ChargeState[] = [];
  readonly #payouts: PayoutState[] = [];
  readonly #orders: RequestCommand[] = [];
  readonly #settlements: SettlementState[] = [];
  /** Which charge each refund is of. */
  readonly #refunds: { readonly refund_id: string; readonly charge: number }[] = [];
  /** Every line that ever was a candidate. */
  readonly #lines = new Map<string, SettlementLine>();

  constructor(private readonly owner: { readonly merchant_id: string; readonly currency: string }) {}

  get #now(): string {
    return timestamp(Date.UTC(2026, 0, 30) + this.events.length * 1000);
  }

  attempt(attempt: Attempt): void {
    switch (attempt.kind) {
      case 'pay':
        return this.#pay(attempt.amount, attempt.fee);
      case 'pay again': {
        const payment = { amount: attempt.amount, payment_reference: `again-${this.events.length}` };
        return this.#charge(attempt.charge, { kind: 'pay', ...payment, now: this.#now, holidays: new Map() });
      }
      case 'adjust':
        return this.#adjust(attempt);
      case 'reverse':
        return this.#charge(attempt.charge, { kind: 'reverse', reason: 'dispute', now: this.#now });
      case 'settle':
        return this.#settle(attempt);
      case 'settle again': {
        const done = this.#settlements[attempt.number % Math.max(1, this.#settlements.length)];
        if (done?.status === 'CLOSED') this.#decide(done.closed);
        return;
      }
      case 'request':
        return this.#request(attempt.share, attempt.more, attempt.fee);
      case 'request again': {
        const order = this.#orders[attempt.payout % Math.max(1, this.#orders.length)];
        if (order) this.#onAccount(order);
        return;
      }
      case 'return':
        return this.#return(attempt.payout);
      case 'open dispute':
      case 'win dispute':
      case 'lose dispute':
        return this.#processorSays(attempt);
      case 'answer dispute':
      case 'accept dispute':
      case 'watch dispute':
      case 'erase evidence':
        return this.#moveDispute(attempt);
      case 'refund':
        return this.#refund(attempt);
      case 'finish reservations':
        return this.#finishReservations();
      case 'submit-refund':
      case 'succeed-refund':
        return this.#moveRefund(attempt.refund, { kind: attempt.kind });
      case 'fail-refund':
      case 'bounce-refund':
        return this.#moveRefund(attempt.refund, { kind: attempt.kind, reason: 'no' });
      case 'cancel-refund':
        return this.#moveRefund(attempt.refund, { kind: attempt.kind, cancelled_by: 'key_1' });
      default:
        return this.#move(attempt.kind, attempt.payout);
    }
  }

  #pay(amount: number, fee: Fee): void {
    const number = this.#charges.length;
    const { merchant_id, currency } = this.owner;
    const terms = { ...termsOf('QR_QRIS', { fee, min_amount: 1, max_amount: amount }), currency: currency as 'IDR' };
    this.#charges.push(charge.initial);
    this.#charge(number, createCharge({ charge_id: `c${number}`, merchant_id }, terms, { amount }, this.#now));
    this.#charge(number, { kind: 'pay', amount, payment_reference: `pay-${number}`, now: this.#now, holidays: new Map() });
    const state = this.#charges[number]!;
    if (state.status !== 'SUCCEEDED') throw new Error(`charge ${number} is ${state.status}`);
    this.#offer('charge', state.created.charge_id, state.created);
  }

  /** As an approved proposal does: the item is claimed before, once. */
  #adjust({ how: kind, item: nth, amount: asked, waive_fee, back }: Extract<Attempt, { kind: 'adjust' }>): void {
    const unmatched = this.events.filter((event) => event.type === 'ChargePaymentUnmatched');
    const found = unmatched[nth % Math.max(1, unmatched.length)]?.data;
    const [{ merchant_id, currency }, now] = [this.owner, this.#now];
    const about = found && {
      ...found,
      item_id: `i${unmatched.findIndex(({ data }) => data === found)}`,
      mode: 'test' as const,
      since: found.received_on,
      is_matched: false,
    };
    const item: SuspenseItem | null = isSuspenseKind(kind) ? (about ?? null) : null;
    if (item && this.#resolved.has(item.item_id)) return;
    const amount = about && (isSuspenseKind(kind) || kind === 'WRITE_OFF') ? about.amount : asked;
    const order = { proposal_id: `a${this.events.length}`, amount, currency, relates_to: null, time_zone: 'UTC', mode: 'test' as const, item };
    const before = this.events.length;
    if (isAccountKind(kind)) {
      const state = this.#charges.find((each) => each.status !== 'NONE' && each.created.charge_id === found?.charge_id);
      const fee = kind === 'UNMATCHED_TO_MERCHANT' && !waive_fee && state && state.status !== 'NONE' ? state.created.fee : null;
      this.#onAccount({
        kind: 'adjust',
        order: { ...order, kind, merchant_id, direction: kind === 'FEE_CORRECTION' && back ? 'back' : null, fee },
        now,
      });
    } else {
      const at_processor = kind === 'WRITE_OFF' ? (about ?? null) : null;
      this.house = this.#follow(house, this.house, { kind: 'adjust', order: { ...order, kind, at_processor, opening: null }, now });
    }
    if (item && this.events.length > before) this.#resolved.add(item.item_id);
  }

  #offer(kind: SettlementLine['kind'], record_id: string, { net_amount, fee_amount }: { net_amount: number; fee_amount: number }): void {
    this.#lines.set(`${kind} ${record_id}`, { kind, record_id, net_amount, fee_amount });
  }

  #charge(nth: number, command: ChargeCommand): void {
    if (this.#charges.length === 0) return;
    const index = nth % this.#charges.length;
    const before = this.#charges[index]!;
    const after = (this.#charges[index] = this.#follow(charge, before, command));
    if (after.status === 'NONE' || before === after) return;
    for (const line of linesToSettle(after).lines) if (line.kind !== 'charge') this.#lines.set(`${line.kind} ${line.record_id}`, line);
  }

  /** As the protocol has it: from pending by the charge alone, else reserved by the account, and claimed or declined by the charge. */
  #refund({ charge: nth, share, stop }: Extract<Attempt, { kind: 'refund' }>): void {
    if (this.#charges.length === 0) return;
    const index = nth % this.#charges.length;
    const state = this.#charges[index]!;
    if (state.status === 'NONE') return;
    const refund_id = `r${this.#refunds.length}`;
    const amount = share === 0 ? null : Math.max(1, Number((BigInt(state.created.amount) * BigInt(share)) / 1000n));
    const details = { reason: null, reference_id: null, description: null, meta_data: {}, fingerprint: 'print', created_by: 'key_1' };
    this.#refunds.push({ refund_id, charge: index });
    if (!state.claim) {
      const { merchant_id } = this.owner;
      return this.#charge(index, { kind: 'refund', merchant_id, order: { refund_id, amount, ...details }, isRefundable: true, now: this.#now });
    }
    const permitted = permitRefund(state, amount, this.#now, { isRefundable: true });
    const order = 'refusal' in permitted ? permitted : { ...ofCharge(state), refund_id, ...permitted, ...details };
    const reservation_id = `v${this.events.length}`;
    this.#onAccount({ kind: 'reserve-refund', reservation: { refund_id, reservation_id, permitted: order }, now: this.#now });
    if (stop > 0) this.#finish(refund_id, stop);
  }

  #finishReservations(): void {
    for (const { refund_id } of this.#refunds) this.#finish(refund_id, 9);
  }

  /** `steps`: 1: the charge decides; more: the account forgets. */
  #finish(refund_id: string, steps: number): void {
    const open = this.account.reservations.get(refund_id);
    const refund = this.#refunds.find((each) => each.refund_id === refund_id)!;
    const reserved = this.events.find((event) => event.type === 'RefundReserved' && event.data.reservation_id === open?.reservation_id);
    if (!open || reserved?.type !== 'RefundReserved') return;
    this.#charge(refund.charge, { kind: 'claim-refund', reserved: reserved.data, now: this.#now });
    if (steps === 1) return;
    const claimed = (this.#charges[refund.charge] as ExistingCharge).refunds.get(refund_id)?.claimed;
    const kind = claimed?.reservation_id === open.reservation_id ? ('confirm-refund' as const) : ('release-refund' as const);
    this.#onAccount({ kind, refund_id, reservation_id: open.reservation_id, now: this.#now });
  }

  #moveRefund(
    nth: number,
    step:
      | { readonly kind: 'submit-refund' | 'succeed-refund' }
      | { readonly kind: 'fail-refund' | 'bounce-refund'; readonly reason: string }
      | { readonly kind: 'cancel-refund'; readonly cancelled_by: string },
  ): void {
    const refund = this.#refunds[nth % Math.max(1, this.#refunds.length)];
    if (refund) this.#charge(refund.charge, { ...step, refund_id: refund.refund_id, now: this.#now });
  }

  #processorSays(attempt: Extract<DisputeAttempt, { readonly stage: number }>): void {
    const state = this.#charges[attempt.charge % Math.max(1, this.#charges.length)];
    if (!state || state.status === 'NONE') return;
    const now = this.#now;
    const reference = `D${attempt.reference}`;
    const stage = DISPUTE_STAGES[attempt.stage]!;
    if (attempt.kind === 'win dispute') {
      return this.#charge(attempt.charge, { kind: 'win-dispute', reference, stage, is_final: attempt.final, now });
    }
    if (attempt.kind === 'lose dispute') return this.#charge(attempt.charge, { kind: 'lose-dispute', reference, stage, now });
    const share = (BigInt(state.created.amount) * BigInt(attempt.share)) / 1000n;
    const amount = share > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Math.max(1, Number(share));
    const due_by = timestamp(Date.parse(now) + DUE_IN_SECONDS * 1000);
    const claim = { reference, stage, amount, reason_code: '1', reason: 'no', due_by };
    this.#charge(attempt.charge, { kind: 'open-dispute', claim, dispute_fee_amount: DISPUTE_FEE, now });
  }

  #moveDispute({ kind, charge: nth, reference }: Exclude<DisputeAttempt, { readonly stage: number }>): void {
    const state = this.#charges[nth % Math.max(1, this.#charges.length)];
    if (!state || state.status === 'NONE') return;
    const dispute_id = disputeId(state.created.charge_id, `D${reference}`);
    const stage = state.disputes.get(dispute_id)?.stage ?? 'CHARGEBACK';
    const file = {
      evidence_id: `e${this.events.length}`,
      category: 'OTHER',
      media_type: 'text/plain',
      size: 1,
      sha256: 'ab',
      added_by: 'key_1',
    } as const;
    const commands: Record<typeof kind, readonly DisputeStep[]> = {
      'answer dispute': [
        { kind: 'add-evidence', dispute_id, evidence: file },
        { kind: 'challenge-dispute', dispute_id, challenged_by: 'key_1' },
        { kind: 'submit-dispute', dispute_id, stage },
      ],
      'accept dispute': [{ kind: 'accept-dispute', dispute_id }],
      'watch dispute': [
        { kind: 'remind-of-dispute', dispute_id, seconds_before: DUE_IN_SECONDS - 1 },
        { kind: 'lapse-dispute', dispute_id },
      ],
      'erase evidence': [{ kind: 'erase-evidence', dispute_id, erased_by: 'sari' }],
    };
    for (const command of commands[kind]) this.#charge(nth, { ...command, now: this.#now });
  }

  #settle({ lines: chosen, stale, reversed }: Extract<Attempt, { kind: 'settle' }>): void {
    const lines = [...this.#lines.values()].filter((_, index) => ((index % 12 < 8 ? chosen : stale) >> (index % 8)) & 1);
    if (lines.length === 0) return;
    const settlement_number = this.account.settlement_number + 1;
    const opening = { settlement_id: `s${settlement_number}`, ...this.owner, settlement_number, lines, opened_on: this.#now };
    const commands: SettlementCommand[] = [{ kind: 'open', opening }];
    let state = this.#follow(settlement, settlement.initial, commands[0]!);
    const claimed = lines.flatMap((line) => this.#claim(line, settlement_number));
    if (reversed !== null) this.#charge(reversed, { kind: 'reverse', reason: 'dispute', now: this.#now });
    state = this.#follow(settlement, state, { kind: 'close', claimed, now: this.#now });
    this.#settlements.push(state);
    if (state.status === 'CLOSED') this.#decide(state.closed);
  }

  #decide(closed: Extract<AccountCommand, { kind: 'settle-funds' }>['closed']): void {
    this.#onAccount({ kind: 'settle-funds', closed, now: this.#now });
  }

  #claim(line: SettlementLine, settlement_number: number): SettlementLine[] {
    const now = this.#now;
    const { kind, record_id } = line;
    const listed = { settlement_id: `s${settlement_number}`, ...this.owner, settlement_number, line };
    if (kind === 'return') {
      const index = Number(record_id.slice(1));
      const decision = payout.decide(this.#payouts[index]!, { kind: 'claim-return', listed, now });
      if ('refusal' in decision) return [];
      this.#payouts[index] = this.#follow(payout, this.#payouts[index]!, { kind: 'claim-return', listed, now });
      return [claimedReturn(this.#payouts[index], line)];
    }
    const index = Number((line.charge_id ?? record_id).slice(1));
    const command: ChargeCommand = { kind: 'claim', listed, now };
    if ('refusal' in charge.decide(this.#charges[index]!, command)) return [];
    this.#charges[index] = this.#follow(charge, this.#charges[index]!, command);
    return [claimedLine(this.#charges[index], line)];
  }

  #request(share: number, more: number, fee: Fee): void {
    const available = this.account.available > 0n ? this.account.available : 0n;
    const wanted = (available * BigInt(share)) / 1000n + BigInt(more);
    const amount = wanted > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Math.max(1, Number(wanted));
    const command: RequestCommand = {
      kind: 'request-payout',
      order: {
        ...this.owner,
        payout_id: `p${this.#orders.length}`,
        amount,
        fee,
        bank_account_name: 'Siti',
        bank_account_number: '12345678',
        bank_name: 'Maybank',
        reference_id: null,
        description: null,
        meta_data: {},
        fingerprint: 'print',
        created_by: 'key_1',
      },
      now: this.#now,
    };
    const [requested] = this.#onAccount(command);
    if (requested?.type !== 'PayoutRequested') return;
    this.#orders.push(command);
    this.#payouts.push(this.#follow(payout, payout.initial, { kind: 'register', request: requested.data }));
  }

  #move(kind: 'submit' | 'succeed' | 'fail' | 'cancel', nth: number): void {
    if (this.#orders.length === 0) return;
    const payout_id = `p${nth % this.#orders.length}`;
    const now = this.#now;
    const commands: Record<typeof kind, AccountCommand> = {
      submit: { kind: 'submit-payout', payout_id, now },
      succeed: { kind: 'succeed-payout', payout_id, now },
      fail: { kind: 'fail-payout', payout_id, reason: 'no such account', now },
      cancel: { kind: 'cancel-payout', payout_id, cancelled_by: 'key_1', now },
    };
    this.#onAccount(commands[kind]);
  }

  /** Only a payout that succeeded is returned: the success event is looked up first, as in the protocol. */
  #return(nth: number): void {
    if (this.#payouts.length === 0) return;
    const index = nth % this.#payouts.length;
    const success = this.events.find((event) => event.type === 'PayoutSucceeded' && event.data.payout_id === `p${index}`);
    if (success?.type !== 'PayoutSucceeded') return;
    const before = this.#payouts[index]!;
    const after = this.#follow(payout, before, {
      kind: 'return',
      reason: 'closed',
      succeeded_on: success.data.succeeded_on,
      now: this.#now,
    } satisfies PayoutCommand);
    this.#payouts[index] = after;
    if (after.status === 'RETURNED' && before !== after) this.#offer('return', `p${index}`, after.request);
  }

  #onAccount(command: AccountCommand): readonly AccountEvent[] {
    const decision = account.decide(this.account, command);
    if ('refusal' in decision) return [];
    this.account = decision.events.reduce(account.evolve, this.account);
    this.events.push(...decision.events);
    return decision.events;
  }

  #follow<State, Command, Event extends MovingEvent, Refusal extends string>(
    decider: Decider<State, Command, Event, Refusal>,
    state: State,
    command: Command,
  ): State {
    const decision = decider.decide(state, command);
    if ('refusal' in decision) return state;
    this.events.push(...decision.events);
    return decision.events.reduce((folded, event) => decider.evolve(folded, event), state);
  }
}

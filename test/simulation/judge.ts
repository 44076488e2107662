import type { AccountId } from '../../src/domain/accounts/account-queue.js';
import { account } from '../../src/domain/accounts/account.decider.js';
import type { AccountState } from '../../src/domain/accounts/account-state.js';
import {
  effectOnAvailable,
  type AccountEvent,
  type PayoutApproved,
  type PayoutCancelled,
  type PayoutRequested,
  type SettlementLine,
} from '../../src/ledger/events/account.events.js';
import type { ChargeReversed } from '../../src/ledger/events/charge.events.js';
import type { AccountRefundEvent, ChargeRefundClaimed, ChargeRefundEvent, RefundReserved } from '../../src/ledger/events/refund.events.js';
import { readEvent } from '../../src/ledger/catalogue.js';
import type { RecordedEvent } from '../../src/platform/event-store/event-store.js';
import { movesMoney } from '../../src/ledger/postings.js';
import { milliseconds } from '../../src/ledger/time.js';
import { PostedSums, Records, type MovingEvent } from '../support/ledger-oracle.js';
import { JudgedBooks } from './judged-books.js';
import { JudgedDisputes } from './judged-disputes.js';
import type { SimulatedApprovers } from './simulated-approvers.js';
import type { SimulatedBank } from './simulated-bank.js';
import type { SimulatedProcessor } from './simulated-processor.js';
import { must } from './violation.js';

interface SettlementSeen {
  readonly opened: readonly SettlementLine[];
  closed?: readonly SettlementLine[];
  isOnAccount: boolean;
}

const OVERDRAWING: ReadonlySet<string> = new Set(['reversal', 'dispute-hold', 'dispute-fee']);

const key = ({ kind, record_id }: Pick<SettlementLine, 'kind' | 'record_id'>): string => `${kind} ${record_id}`;

/**
 * Follows the log of one account and its records, event by event, and throws at a state that must never occur.
 * It relies on the events alone.
 */
export class Judge {
  readonly records = new Records();
  readonly #posted = new PostedSums();
  /** The account as its decider folds it. */
  state: AccountState = account.initial;
  readonly settlements = new Map<number, SettlementSeen>();
  /** Number that each line's own stream names. */
  readonly claims = new Map<string, number>();
  /** Net amount and fee that a settlement claimed, by charge. */
  readonly #claimed = new Map<string, readonly number[]>();
  /** Refused lines, each with its settlement's number. */
  readonly #refused = new Set<string>();
  /** PayoutRequested of each payout, and the stream's own first event. */
  readonly requested = new Map<string, MovingEvent>();
  readonly registered = new Map<string, MovingEvent>();
  readonly ended = new Set<string>();
  /** Approvals by payout and person, also voided ones. */
  readonly approvals = new Set<string>();
  /** Persons whose approval of a payout is valid, by payout. */
  readonly #given = new Map<string, Set<string>>();
  /** Claims of refunds, as their charges have them. */
  readonly refunds = new Map<string, ChargeRefundClaimed>();
  readonly submittedRefunds = new Set<string>();
  /** Reservations by id, with the state of each. */
  readonly #reservations = new Map<
    string,
    { readonly reserved: RefundReserved; state: 'HELD' | 'DECLINED' | 'CLAIMED' | 'RELEASED' | 'CONFIRMED' }
  >();
  readonly books: JudgedBooks;
  readonly disputes: JudgedDisputes;
  #judged = 0;

  /**
   * @param account whose log is followed; the books are those of all merchants.
   * @param forgotten payouts, refunds and disputes of which the store has lost events: the remaining ones need not agree with the bank, or with
   * the acknowledgements to clients.
   */
  constructor(
    private readonly account: AccountId,
    private readonly bank: SimulatedBank,
    private readonly processor: SimulatedProcessor,
    private readonly forgotten: ReadonlySet<string>,
    private readonly approvers: Pick<SimulatedApprovers, 'couldCount'> | null = null,
  ) {
    this.books = new JudgedBooks(account.currency);
    this.disputes = new JudgedDisputes(this.records, processor, forgotten);
  }

  /** Checks the new events of `log`. @throws at the first one that breaks a rule */
  judge(log: readonly RecordedEvent[]): void {
    for (; this.#judged < log.length; this.#judged += 1) {
      const event = readEvent(log[this.#judged]!);
      if (movesMoney(event)) {
        const wrong = this.books.add({ ...event, ordinal: this.#judged + 1 });
        must(wrong === null, wrong ?? '');
      }
      if (event.metadata.merchant_id !== this.account.merchant_id) continue;
      this.#follow(event as MovingEvent, event.stream, event.id);
      this.disputes.follow({ ...event, ordinal: this.#judged + 1 });
      this.#compareSums();
    }
    this.disputes.atRest();
  }

  #follow(event: MovingEvent, stream: string, eventId: string): void {
    this.records.add(event);
    this.#posted.add(event);
    if ('charge_id' in event.data && event.data.charge_id !== null) this.#compareBudget(event.data.charge_id);
    const { available } = this.state;
    if (stream.startsWith('account-')) this.state = account.evolve(this.state, event as AccountEvent);
    switch (event.type) {
      case 'ChargeReversed': {
        const claimed = this.claims.get(key({ kind: 'charge', record_id: event.data.charge_id })) ?? null;
        must(event.data.claimed_in === claimed, `${event.type} says claimed in ${event.data.claimed_in}, it was ${claimed}`);
        return this.#compareReversal(event.data);
      }
      case 'ChargeSettlementClaimed':
        this.#claimed.set(key({ kind: 'charge', record_id: event.data.charge_id }), [event.data.net_amount!, event.data.fee_amount!]);
        return this.#claim({ kind: 'charge', record_id: event.data.charge_id }, event.data.settlement_number);
      case 'ChargeReversalClaimed':
        return this.#claim({ kind: 'reversal', record_id: event.data.charge_id }, event.data.settlement_number);
      case 'PayoutOutcomeContradicted':
        return must(this.forgotten.has(event.data.payout_id), `the bank never contradicts itself, and yet payout ${event.data.payout_id} says so`);
      case 'PayoutReturnClaimed':
        return this.#claim({ kind: 'return', record_id: event.data.payout_id }, event.data.settlement_number);
      case 'ChargeLineClaimed':
        return this.#claim(event.data, event.data.settlement_number);
      case 'RefundReserved':
      case 'RefundReleased':
      case 'RefundConfirmed':
        return this.#followReservation(event);
      case 'ChargeRefundDeclined':
      case 'ChargeRefundClaimed':
      case 'ChargeRefundSubmitted':
      case 'ChargeRefundSucceeded':
      case 'ChargeRefundFailed':
      case 'ChargeRefundCancelled':
        return this.#followRefund(event);
      case 'SettlementLineRefused': {
        const { settlement_number } = event.data;
        must(
          this.claims.get(key(event.data)) !== settlement_number,
          `${key(event.data)} is refused although settlement ${settlement_number} has claimed it`,
        );
        this.#refused.add(`${settlement_number} ${key(event.data)}`);
        return;
      }
      case 'SettlementOpened':
        must(
          this.state.settlement_number >= event.data.settlement_number - 1,
          `settlement ${event.data.settlement_number} is opened, the account has ${this.state.settlement_number}`,
        );
        must(new Set(event.data.lines.map(key)).size === event.data.lines.length, `settlement ${event.data.settlement_number} names a line twice`);
        this.settlements.set(event.data.settlement_number, { opened: event.data.lines, isOnAccount: false });
        return;
      case 'SettlementClosed':
        return this.#close(event.data.settlement_number, event.data.lines);
      case 'FundsSettled': {
        const seen = this.settlements.get(event.data.settlement_number);
        must(
          JSON.stringify(seen?.closed) === JSON.stringify(event.data.lines),
          `FundsSettled ${event.data.settlement_number} differs from its SettlementClosed`,
        );
        seen!.isOnAccount = true;
        return this.#mustNotOverdraw(available, event.data.lines);
      }
      case 'PayoutRequested':
        this.requested.set(event.data.payout_id, event);
        must(this.state.available >= 0n, `available is ${this.state.available} after payout ${event.data.payout_id}`);
        return;
      case 'PayoutRegistered':
        must(
          JSON.stringify(this.requested.get(event.data.payout_id)?.data) === JSON.stringify(event.data),
          `PayoutRegistered differs from PayoutRequested`,
        );
        this.registered.set(event.data.payout_id, event);
        return;
      case 'PayoutApproved':
        return this.#approve(event.data);
      case 'PayoutApprovalVoided':
        this.#given.get(event.data.payout_id)!.delete(event.data.person_id);
        return;
      case 'PayoutSubmitted':
        must(this.registered.has(event.data.payout_id), `payout ${event.data.payout_id} is handed over without PayoutRegistered`);
        return this.#mustBeApproved(event.data.payout_id, eventId);
      case 'PayoutSucceeded':
        return this.#end(event.data.payout_id, true);
      case 'PayoutCancelled':
        if (event.data.cause === 'approval-expired') this.#mustHaveExpired(event.data);
        return this.#end(event.data.payout_id, false);
      case 'PayoutFailed':
        return this.#end(event.data.payout_id, false);
      default:
    }
  }

  #approve({ payout_id, person_id, approved_on }: PayoutApproved): void {
    const given = this.#given.get(payout_id) ?? new Set();
    this.#given.set(payout_id, given);
    must(!given.has(person_id), `${person_id} approves payout ${payout_id} twice`);
    const { approvals_required, approve_by } = this.#requestOf(payout_id);
    must(given.size < approvals_required, `payout ${payout_id} is approved once more than it takes`);
    must(milliseconds(approved_on) < milliseconds(approve_by!), `payout ${payout_id} is approved too late`);
    given.add(person_id);
    this.approvals.add(`${payout_id} ${person_id}`);
  }

  #mustBeApproved(payout_id: string, eventId: string): void {
    const given = [...(this.#given.get(payout_id) ?? [])];
    const { approvals_required } = this.#requestOf(payout_id);
    must(given.length >= approvals_required, `payout ${payout_id} goes to the bank with ${given.length} of ${approvals_required} approvals`);
    const isKnown = given.length === 0 || this.approvers?.couldCount(eventId, payout_id, given) === true;
    must(isKnown, `payout ${payout_id} goes to the bank by the word of somebody who was suspended`);
  }

  #mustHaveExpired({ payout_id, cancelled_on }: PayoutCancelled): void {
    const { approvals_required, approve_by } = this.#requestOf(payout_id);
    const given = this.#given.get(payout_id)?.size ?? 0;
    must(given < approvals_required, `payout ${payout_id} expires although it is approved`);
    must(milliseconds(cancelled_on) >= milliseconds(approve_by!), `payout ${payout_id} expires before its time`);
  }

  #requestOf(payoutId: string): PayoutRequested {
    return this.requested.get(payoutId)!.data as PayoutRequested;
  }

  /** Reversals and disputes alone may take more than there is. */
  #mustNotOverdraw(before: bigint, lines: readonly SettlementLine[]): void {
    const { available } = this.state;
    if (available >= before || available >= 0n) return;
    const taken = lines.filter((line) => effectOnAvailable(line) < 0n).map(({ kind }) => kind);
    must(
      taken.every((kind) => OVERDRAWING.has(kind)),
      `lines ${taken.join()} leave ${available} available`,
    );
  }

  #followReservation(event: AccountRefundEvent): void {
    const { reservation_id, refund_id } = event.data;
    const known = this.#reservations.get(reservation_id);
    switch (event.type) {
      case 'RefundReserved': {
        must(this.state.available >= 0n, `available is ${this.state.available} after the reservation of refund ${refund_id}`);
        const others = [...this.#reservations.values()].filter(({ reserved, state }) => reserved.refund_id === refund_id && state !== 'RELEASED');
        must(others.length === 0, `refund ${refund_id} is reserved twice`);
        this.#reservations.set(reservation_id, { reserved: event.data, state: 'HELD' });
        return;
      }
      case 'RefundReleased':
        must(known?.state === 'DECLINED', `reservation ${reservation_id} is released, it is ${known?.state}`);
        known!.state = 'RELEASED';
        return;
      case 'RefundConfirmed':
        must(known?.state === 'CLAIMED', `reservation ${reservation_id} is confirmed, it is ${known?.state}`);
        known!.state = 'CONFIRMED';
    }
  }

  #followRefund(event: Exclude<ChargeRefundEvent, { type: 'ChargeRefundBounced' }>): void {
    const { refund_id } = event.data;
    const isForgotten = this.forgotten.has(refund_id);
    const { asked, refunded } = this.processor;
    switch (event.type) {
      case 'ChargeRefundDeclined': {
        const known = this.#reservations.get(event.data.reservation_id);
        must(known?.state === 'HELD', `reservation ${event.data.reservation_id} is declined, it is ${known?.state}`);
        known!.state = 'DECLINED';
        return;
      }
      case 'ChargeRefundClaimed':
        this.refunds.set(refund_id, event.data);
        return this.#claimRefund(event.data);
      case 'ChargeRefundSubmitted':
        this.submittedRefunds.add(refund_id);
        return;
      case 'ChargeRefundSucceeded':
        return must(refunded.has(refund_id), `refund ${refund_id} succeeds, the processor knows nothing of it`);
      case 'ChargeRefundFailed':
        return must(!refunded.has(refund_id) || isForgotten, `refund ${refund_id} fails, the customer has the money`);
      case 'ChargeRefundCancelled':
        return must(!asked.has(refund_id) || isForgotten, `refund ${refund_id} is cancelled, the processor has it`);
    }
  }

  /** No more goes back of a charge, and of its fee, than was paid; all of the fee with the last of it. */
  #compareBudget(charge_id: string): void {
    const row = this.records.charges.get(charge_id);
    if (!row) return;
    const { amount, fee, net } = row;
    const gone = this.records.goneBack(charge_id);
    must(gone.amount <= amount && gone.fee <= fee, `${gone.amount} and ${gone.fee} of ${amount} and ${fee} of charge ${charge_id} go back`);
    must(gone.amount < amount || gone.fee === fee, `all of charge ${charge_id} goes back, and ${gone.fee} of its fee of ${fee}`);
    must(gone.amount - gone.fee <= net, `${gone.amount - gone.fee} go back of charge ${charge_id}, of which the merchant got ${net}`);
  }

  #compareReversal({ charge_id, amount, fee_amount }: ChargeReversed): void {
    const gone = this.records.goneBack(charge_id);
    const row = this.records.charges.get(charge_id)!;
    const left = `${row.amount - gone.amount} and ${row.fee - gone.fee}`;
    must(`${amount} and ${fee_amount}` === left, `${amount} and ${fee_amount} of charge ${charge_id} are reversed, ${left} are left`);
  }

  #claimRefund({ refund_id, charge_id, source, reservation_id, claimed_on: _, ...claimed }: ChargeRefundClaimed): void {
    const isClaimed = this.claims.has(key({ kind: 'charge', record_id: charge_id }));
    must(isClaimed === (source === 'AVAILABLE'), `refund ${refund_id} takes ${source} money, its charge is ${isClaimed ? '' : 'not '}claimed`);
    if (reservation_id === null) return;
    const known = this.#reservations.get(reservation_id);
    must(known?.state === 'HELD', `reservation ${reservation_id} is claimed, it is ${known?.state}`);
    const { reservation_id: __, reserved_on: ___, refund_id: ____, charge_id: _____, ...reserved } = known!.reserved;
    must(sameFields(reserved, claimed), `refund ${refund_id} is claimed otherwise than it is reserved`);
    known!.state = 'CLAIMED';
  }

  #claim(line: Pick<SettlementLine, 'kind' | 'record_id'>, number: number): void {
    must(!this.claims.has(key(line)), `${key(line)} is claimed twice`);
    const isListed = this.settlements.get(number)?.opened.some((opened) => key(opened) === key(line)) ?? false;
    must(isListed, `${key(line)} is claimed for settlement ${number}, which was not opened with it`);
    must(!this.#refused.has(`${number} ${key(line)}`), `${key(line)} is claimed for settlement ${number}, for which it was refused`);
    this.claims.set(key(line), number);
    const closed = this.settlements.get(number)?.closed;
    must(closed === undefined, `${key(line)} is claimed for settlement ${number}, which has closed without it: its money is lost for ever`);
  }

  #close(number: number, lines: readonly SettlementLine[]): void {
    const seen = this.settlements.get(number)!;
    must(
      lines.every((line) => this.claims.get(key(line)) === number),
      `settlement ${number} closes with a line that is not claimed for it`,
    );
    must(
      lines.every((line) => seen.opened.some((opened) => key(opened) === key(line))),
      `settlement ${number} closes with a line that it was not opened with`,
    );
    for (const line of lines) {
      const claimed = this.#claimed.get(key(line)) ?? [line.net_amount, line.fee_amount];
      must(claimed.join() === [line.net_amount, line.fee_amount].join(), `${key(line)} is claimed with ${claimed.join()}, and settled with others`);
    }
    const left = [...this.claims].filter(([line, claimedIn]) => claimedIn === number && !lines.some((closed) => key(closed) === line));
    must(left.length === 0, `${left.join()} claimed for settlement ${number}, which closes without it: its money is lost for ever`);
    seen.closed = lines;
  }

  #end(payoutId: string, hasSucceeded: boolean): void {
    must(this.registered.has(payoutId), `payout ${payoutId} ends without PayoutRegistered`);
    const agrees = this.bank.paid.has(payoutId) === hasSucceeded || this.forgotten.has(payoutId);
    must(agrees, `payout ${payoutId} ${hasSucceeded ? 'succeeds' : 'ends'}, the bank says otherwise`);
    this.ended.add(payoutId);
  }

  #compareSums(): void {
    const [posted, told] = [this.#posted.sums(), this.records.sums()];
    for (const name of Object.keys(told) as (keyof typeof told)[]) {
      must(posted[name] === told[name], `${name} is ${posted[name]} by the postings, ${told[name]} by the records`);
    }
    for (const name of ['pending', 'reserved', 'refunding', 'disputed'] as const) must(told[name] >= 0n, `${name} is ${told[name]}`);
    must(this.state.available === told.available, `available is ${this.state.available} to the account, ${told.available} by the records`);
    must(this.state.reserved === told.reserved, `reserved is ${this.state.reserved} to the account, ${told.reserved} by the records`);
    for (const [payoutId, times] of this.bank.paid) must(times === 1, `the bank paid ${payoutId} ${times} times`);
  }

  /** The reservation that the account holds for a refund, and its charge has not decided. */
  heldFor(refundId: string): string | undefined {
    return [...this.#reservations].find(([, { reserved, state }]) => reserved.refund_id === refundId && state === 'HELD')?.[0];
  }

  isClaimed(reservationId: string): boolean {
    const state = this.#reservations.get(reservationId)?.state;
    return state === 'CLAIMED' || state === 'CONFIRMED';
  }

  /** The first unfinished work; null when everything has ended. */
  unfinished(): string | null {
    for (const [number, { isOnAccount }] of this.settlements) if (!isOnAccount) return `settlement ${number} is not on the account`;
    for (const [id, { status, reversed }] of this.records.charges) {
      if (status === 'PENDING' || status === 'PROCESSING') return `charge ${id} is ${status}`;
      if (reversed && status !== 'REVERSED') return `the reversal of charge ${id} is not settled`;
    }
    for (const [id, { status, hasComeBack }] of this.records.payouts) {
      if (status === 'PENDING' || status === 'PROCESSING') return `payout ${id} is ${status}`;
      if (hasComeBack && status !== 'REVERSED') return `the return of payout ${id} is not settled`;
    }
    for (const [id, { status, to, isBack, net }] of this.records.refunds) {
      if (status === 'PENDING' || status === 'PROCESSING') return `refund ${id} is ${status}`;
      if (to === 'RETURNS' && !isBack && net > 0n) return `what comes back of refund ${id} is not settled`;
    }
    for (const [id, { state }] of this.#reservations) if (state !== 'RELEASED' && state !== 'CONFIRMED') return `reservation ${id} is ${state}`;
    const disputed = this.disputes.unfinished();
    if (disputed !== null) return disputed;
    const sums = this.records.sums();
    if (sums.refunding !== 0n || sums.disputed !== 0n) return `left over: ${sums.refunding} refunding, ${sums.disputed} disputed`;
    if (sums.returns !== 0n || sums.pending !== 0n || sums.reserved !== 0n)
      return `left over: ${sums.returns} returns, ${sums.pending} pending, ${sums.reserved} reserved`;
    return null;
  }
}

const sameFields = (a: object, b: object): boolean => JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());

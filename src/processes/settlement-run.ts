import { charge, type ChargeCommand, type ChargeRefusal } from '../charges/charge.decider.js';
import { chargeStream } from '../charges/charge.events.js';
import type { SettlementLine } from '../accounts/account.events.js';
import type { AccountId, AccountQueue } from '../accounts/account-queue.js';
import { decideOnStream } from '../ledger/decide-on-stream.js';
import { derivedId } from '../ledger/idempotency.js';
import { readFact } from '../ledger/catalogue.js';
import type { CommandContext } from '../ledger/new-event.js';
import { payout, type PayoutCommand, type PayoutRefusal } from '../payouts/payout.decider.js';
import { payoutStream } from '../payouts/payout.events.js';
import { StoreUnavailable, type EventStore, type Position } from '../platform/event-store/event-store.js';
import { lineKey, settlement, SETTLEMENT_LINES_MAX, type SettlementState } from '../settlements/settlement.decider.js';
import { settlementStream, type SettlementClosed, type SettlementEvent, type SettlementOpened } from '../settlements/settlement.events.js';
import type { Clock } from '../time.js';
import { concurrently } from './concurrently.js';

/** Lines that the next settlement of an account may have; asked when there is no open one. It may be behind: see `#claim`. */
export type FindLines = (limit: number) => Promise<readonly SettlementLine[]>;

export interface FinishedSettlement {
  readonly settlement_number: number;
  /** How many; none is left when every candidate had gone elsewhere. */
  readonly lines: number;
  /** Of FundsSettled: what a read that shows the settlement must have seen. */
  readonly position: Position | null;
}

/** A line's stream does not show yet what made the line a candidate. Ends the run; the next one reads again. */
export class ReadTooEarly extends StoreUnavailable {
  override readonly name: string = 'ReadTooEarly';
}

/** A line of a stored list that its own stream does not give: the settlement, and all behind it, wait. */
export class LineNotClaimed extends ReadTooEarly {
  override readonly name = 'LineNotClaimed';

  constructor(
    readonly settlement_number: number,
    readonly line: SettlementLine,
    readonly reason: string,
  ) {
    super(`settlement ${settlement_number} waits for ${lineKey(line)}: ${reason}`);
  }
}

const CLAIMS_AT_ONCE = 64;
const PAUSE_MAX_MS = 1_000;

type Context = Omit<CommandContext, 'now'>;
type Open = Extract<SettlementState, { status: 'OPEN' }>;
type Closed = Extract<SettlementState, { status: 'CLOSED' }>;

/**
 * One settlement of one account, from its opening to the account. Any number of these may run at once, for the same account too:
 * each step is decided by a stream, and whoever comes second goes on with what is stored.
 *
 * An error at any point leaves everything to the next run, which resumes what is stored.
 */
export class SettlementRun {
  constructor(
    private readonly store: EventStore,
    private readonly accounts: AccountQueue,
    private readonly clock: Clock,
    private readonly pause: (ms: number) => Promise<void>,
  ) {}

  /**
   * Finishes the settlement that is open, or else opens and finishes the next one with the lines that are found.
   * @param signal ends the attempts to bring a closed settlement to an account that keeps changing.
   * @returns undefined when none is open and no line is found.
   * @throws StoreUnavailable, OutcomeUnknown, ReadTooEarly
   */
  async next(account: AccountId, findLines: FindLines, context: Context, signal: AbortSignal): Promise<FinishedSettlement | undefined> {
    // The number comes from the account alone: streams that exist say nothing about what it has taken.
    const number = (await this.settled(account, context)).number + 1;
    const stored = (await this.#read(account, number)) ?? (await this.#open(account, number, findLines, context));
    if (!stored) return undefined;
    const { closed } = stored.status === 'CLOSED' ? stored : await this.#close(account, stored, context);
    const position = await this.#settle(account, closed, context, signal);
    return { settlement_number: number, lines: closed.lines.length, position };
  }

  /** The last settlement that the account has taken, 0 before the first; `position`: of the account's newest event. */
  async settled(account: AccountId, context: Context): Promise<{ readonly number: number; readonly position: Position | null }> {
    const outcome = await this.accounts.submit(account, { context });
    if (outcome.kind !== 'decided') throw new Error('a look at an account is answered with the account');
    return { number: outcome.state.settlement_number, position: outcome.position };
  }

  async #read({ merchant_id, currency }: AccountId, number: number): Promise<Open | Closed | undefined> {
    const events = await this.store.read(settlementStream(merchant_id, currency, number));
    const state = events.reduce<SettlementState>(
      (folded, event) => settlement.evolve(folded, readFact(event) as SettlementEvent),
      settlement.initial,
    );
    return state.status === 'NONE' ? undefined : state;
  }

  /** (a) Writes the list down. Whoever loses the race for it goes on with the list that is stored. */
  async #open(account: AccountId, number: number, findLines: FindLines, context: Context): Promise<Open | Closed | undefined> {
    const { merchant_id, currency } = account;
    const lines = eachOnce(await findLines(SETTLEMENT_LINES_MAX)).slice(0, SETTLEMENT_LINES_MAX);
    if (lines.length === 0) return undefined;
    const stream = settlementStream(merchant_id, currency, number);
    const opening = (opened_on: string): SettlementOpened => ({
      settlement_id: settlementId(account, number),
      merchant_id,
      currency,
      settlement_number: number,
      lines,
      opened_on,
    });
    const outcome = await decideOnStream(
      this.store,
      this.clock,
      stream,
      settlement,
      (now) => ({ kind: 'open' as const, opening: opening(now) }),
      context,
    );
    return outcome.state.status === 'NONE' ? this.#read(account, number) : outcome.state;
  }

  /** (b) claims the lines in their own streams, (c) writes down which were. What is stored counts, whoever stored it. */
  async #close(account: AccountId, { opened }: Open, context: Context): Promise<Closed> {
    const { merchant_id, currency, settlement_number, lines } = opened;
    const isClaimed = await concurrently(lines, CLAIMS_AT_ONCE, (line) => this.#claim(line, settlement_number, context));
    const claimed = lines.filter((_, index) => isClaimed[index]);
    const stream = settlementStream(merchant_id, currency, settlement_number);
    await decideOnStream(this.store, this.clock, stream, settlement, (now) => ({ kind: 'close' as const, claimed, now }), context);
    const stored = await this.#read(account, settlement_number);
    if (stored?.status !== 'CLOSED') throw new ReadTooEarly(`${stream} does not show that it is closed`);
    return stored;
  }

  /**
   * True when the line's own stream says that it belongs to settlement `number`, now or before. A line drops out only for a fact
   * that is found there. Whether it was due was decided by who wrote the list, and is not asked again.
   */
  async #claim(line: SettlementLine, number: number, context: Context): Promise<boolean> {
    const refusal = await (line.kind === 'return' ? this.#claimReturn(line, number, context) : this.#claimCharge(line, number, context));
    if (refusal === undefined) return true;
    if (DROPS[refusal]) return false;
    throw new LineNotClaimed(number, line, refusal);
  }

  async #claimCharge(line: SettlementLine, settlement_number: number, context: Context): Promise<ChargeRefusal | undefined> {
    const kind = line.kind === 'charge' ? 'claim-for-settlement' : 'claim-reversal';
    const outcome = await decideOnStream(
      this.store,
      this.clock,
      chargeStream(line.record_id),
      charge,
      (now): ChargeCommand => ({ kind, settlement_number, now }),
      context,
    );
    if (outcome.state.status !== 'NONE') mustAgree(line, settlement_number, outcome.state.created);
    return 'refusal' in outcome ? outcome.refusal : undefined;
  }

  async #claimReturn(line: SettlementLine, settlement_number: number, context: Context): Promise<PayoutRefusal | undefined> {
    const outcome = await decideOnStream(
      this.store,
      this.clock,
      payoutStream(line.record_id),
      payout,
      (now): PayoutCommand => ({ kind: 'claim-return', settlement_number, now }),
      context,
    );
    if (outcome.state.status !== 'NONE') mustAgree(line, settlement_number, outcome.state.request);
    return 'refusal' in outcome ? outcome.refusal : undefined;
  }

  /** (d) Brings the stored settlement to the account, however often payouts get in between. */
  async #settle(account: AccountId, closed: SettlementClosed, context: Context, signal: AbortSignal): Promise<Position | null> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        const outcome = await this.accounts.submit(account, { command: (now) => ({ kind: 'settle-funds', closed, now }), context });
        if (outcome.kind === 'decided') return outcome.position;
        throw new ReadTooEarly(`settlement ${closed.settlement_number} is not the next one of its account`);
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || error instanceof ReadTooEarly || signal.aborted) throw error;
      }
      await this.pause(Math.min(2 ** attempts, PAUSE_MAX_MS));
    }
  }
}

/** Whether a refused claim drops the line: only for a fact found in its stream, never for one that is missing there. */
const DROPS: Readonly<Record<ChargeRefusal | PayoutRefusal, boolean>> = {
  'charge-claimed-elsewhere': true,
  'charge-reversed-before-claim': true,
  'return-claimed-elsewhere': true,
  'charge-exists': false,
  'charge-not-found': false,
  'charge-not-pending': false,
  'charge-has-too-many-payments': false,
  'charge-not-paid': false,
  'charge-not-reversed-after-claim': false,
  'payout-not-found': false,
  'payout-not-returned': false,
};

/** The id under which a settlement is read. */
export function settlementId({ merchant_id, currency }: AccountId, number: number): string {
  return derivedId(settlementStream(merchant_id, currency, number), 'settlement');
}

function eachOnce(lines: readonly SettlementLine[]): SettlementLine[] {
  return [...new Map(lines.map((line) => [lineKey(line), line])).values()];
}

/** The list came from a read model; the record itself must say the same. */
function mustAgree(line: SettlementLine, settlementNumber: number, recorded: { readonly net_amount: number; readonly fee_amount: number }): void {
  if (line.net_amount !== recorded.net_amount || line.fee_amount !== recorded.fee_amount) {
    const listed = `listed with ${line.net_amount} and ${line.fee_amount}, recorded with ${recorded.net_amount} and ${recorded.fee_amount}`;
    throw new LineNotClaimed(settlementNumber, line, listed);
  }
}

import { claimedLine, DROPS_CHARGE } from '../charges/charge-lines.js';
import { charge, type ChargeCommand, type ChargeRefusal } from '../charges/charge.decider.js';
import type { SettlementLine } from '../../ledger/events/account.events.js';
import type { AccountCommand } from '../accounts/account.decider.js';
import type { AccountId, AccountQueue } from '../accounts/account-queue.js';
import { whyItWaits, type ListedLine } from '../accounts/listed-line.js';
import { decideOnStream, type DecisionContext } from '../../ledger/streams/decide-on-stream.js';
import { derivedId } from '../../ledger/ids/idempotency.js';
import { foldStream, type NewestEvent } from '../../ledger/streams/fold-stream.js';
import type { CommandContext } from '../../ledger/streams/new-event.js';
import { claimedReturn, DROPS_RETURN, payout, type PayoutCommand, type PayoutRefusal } from '../payouts/payout.decider.js';
import { ClockRefused } from '../../platform/event-store/clock-guard.js';
import { StoreUnavailable, StoreRestored, type EventRef, type EventStore, type Position } from '../../platform/event-store/event-store.js';
import { streamOfLine } from './refuse-line.js';
import { lineKey, settlement, SETTLEMENT_LINES_MAX, type SettlementState } from './settlement.decider.js';
import { settlementStream, type SettlementOpened } from '../../ledger/events/settlement.events.js';
import type { Clock, Timestamp } from '../../ledger/time.js';
import { concurrently } from '../../platform/worker/concurrently.js';
import { BackOff } from '../../platform/async/back-off.js';
import type { Refused } from '../../ledger/decider.js';

/** Returns candidates for the next settlement of an account. Called when no settlement is open. It may be behind: see `#claim`. */
export type FindLines = (limit: number) => Promise<readonly SettlementLine[]>;

export interface FinishedSettlement {
  readonly settlement_number: number;
  /** Number of lines; 0 when every candidate has dropped out. */
  readonly lines: number;
  /** Position of FundsSettled. A read must have reached it to show the settlement. */
  readonly position: Position | null;
}

/** A line's stream does not show yet the event that made the line a candidate. Ends the run; the next one reads again. */
export class ReadTooEarly extends StoreUnavailable {
  override readonly name: string = 'ReadTooEarly';
}

/** The own stream of a line in the stored list refuses the claim. The settlement, and all later ones of the account, wait. */
export class LineNotClaimed extends ReadTooEarly {
  override readonly name = 'LineNotClaimed';

  constructor(
    readonly opened: SettlementOpened,
    readonly line: SettlementLine,
    readonly reason: string,
  ) {
    super(`settlement ${opened.settlement_number} waits for ${lineKey(line)}: ${reason}`);
  }
}

const CLAIMS_AT_ONCE = 64;
const PAUSE_MS = 2;
const PAUSE_MAX_MS = 1_000;

type Context = Omit<CommandContext, 'now'>;
/** `newest`: the newest event of the settlement's stream. Decisions made from a settlement depend on it. */
type Stored<Status> = Extract<SettlementState, { status: Status }> & { readonly newest: EventRef };
type Open = Stored<'OPEN'>;
type Closed = Stored<'CLOSED'>;

interface Claim {
  /** Has the amounts of the claim. */
  readonly line: SettlementLine;
  readonly place: EventRef;
}

/**
 * Runs one settlement of one account, from its opening to the account. Any number of runs may work at once, also for the same account: a stream
 * decides each step, and a second process continues with the stored result. Each step depends on the previous one, which is in another stream, so a
 * restored store rejects the results of a step that it has lost.
 *
 * After an error at any point, the next run resumes from the stored state.
 */
export class SettlementRun {
  constructor(
    private readonly store: EventStore,
    private readonly accounts: AccountQueue,
    private readonly clock: Clock,
    private readonly pause: (ms: number) => Promise<void>,
  ) {}

  /**
   * Finishes the open settlement; without one, opens and finishes the next one with the lines that are found.
   * @param signal ends the attempts to bring a closed settlement to an account that keeps changing.
   * @returns undefined when none is open and no line is found.
   * @throws StoreUnavailable, OutcomeUnknown, ReadTooEarly
   */
  async next(account: AccountId, findLines: FindLines, context: Context, signal: AbortSignal): Promise<FinishedSettlement | undefined> {
    // The number comes from the account alone: existing settlement streams do not show which settlements it has taken.
    const settled = await this.settled(account);
    const number = settled.number + 1;
    const stored = (await readSettlement(this.store, account, number)) ?? (await this.#open(account, number, settled.newest, findLines, context));
    if (!stored) return undefined;
    const closed = stored.status === 'CLOSED' ? stored : await this.#close(account, stored, context);
    const position = await this.#settle(account, closed, context, signal);
    return { settlement_number: number, lines: closed.closed.lines.length, position };
  }

  /** Returns the number of the last settlement that the account has taken, 0 before the first, and the account's newest event. */
  async settled(account: AccountId): Promise<{ readonly number: number; readonly newest: NewestEvent | null }> {
    const { state, newest } = await this.accounts.read(account);
    return { number: state.settlement_number, newest };
  }

  /** (a) Appends the list. A process that loses the race continues with the stored list. */
  async #open(
    account: AccountId,
    number: number,
    settled: EventRef | null,
    findLines: FindLines,
    context: Context,
  ): Promise<Open | Closed | undefined> {
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
    const outcome = await decideOnStream(this.store, this.clock, stream, settlement, (now) => ({ kind: 'open' as const, opening: opening(now) }), {
      ...context,
      dependsOn: settled ? [settled] : [],
    });
    return 'refusal' in outcome || outcome.state.status !== 'OPEN'
      ? readSettlement(this.store, account, number)
      : { ...outcome.state, newest: outcome.newest };
  }

  /** (b) Claims the lines in their own streams, (c) appends the claimed ones. The stored list counts, regardless of the process that appended it. */
  async #close(account: AccountId, open: Open, context: Context): Promise<Closed> {
    const { merchant_id, currency, settlement_number, lines } = open.opened;
    const found = await concurrently(lines, CLAIMS_AT_ONCE, (line) => this.#claim(open, line, context));
    const claims = found.filter((claim) => claim !== undefined);
    const claimed = claims.map(({ line }) => line);
    const stream = settlementStream(merchant_id, currency, settlement_number);
    const claimedBy = { ...context, dependsOn: [open.newest, ...claims.map(({ place }) => place)] };
    // Refused when the store was restored and the settlement was opened again with other lines: it is still open, and the next run claims those.
    await decideOnStream(this.store, this.clock, stream, settlement, (now) => ({ kind: 'close' as const, claimed, now }), claimedBy);
    const stored = await readSettlement(this.store, account, settlement_number);
    if (stored?.status !== 'CLOSED') throw new ReadTooEarly(`${stream} does not show that it is closed`);
    return stored;
  }

  /**
   * Returns the line with the amounts of its claim, and the newest event of its stream, when that stream assigns the line to this settlement, now
   * or before. A line drops out only for an event that is found there. Whether it was due was decided by the process that wrote the list, and is not
   * checked again.
   */
  async #claim({ opened, newest }: Open, line: SettlementLine, context: Context): Promise<Claim | undefined> {
    const outcome = await this.#decideClaim(listedIn(opened, line), { ...context, dependsOn: [newest] });
    if (!('refusal' in outcome)) return outcome;
    if ((line.kind === 'return' ? DROPS_RETURN : DROPS_CHARGE).has(outcome.refusal)) return undefined;
    throw new LineNotClaimed(opened, line, whyItWaits(outcome));
  }

  async #decideClaim(listed: ListedLine, context: DecisionContext<never>): Promise<Claim | Refused<ChargeRefusal | PayoutRefusal>> {
    const stream = streamOfLine(listed.line);
    if (listed.line.kind === 'return') {
      const command = (now: Timestamp): PayoutCommand => ({ kind: 'claim-return', listed, now });
      const outcome = await decideOnStream(this.store, this.clock, stream, payout, command, context);
      return 'refusal' in outcome ? outcome : { line: claimedReturn(outcome.state, listed.line), place: outcome.newest };
    }
    const command = (now: Timestamp): ChargeCommand => ({ kind: 'claim', listed, now });
    const outcome = await decideOnStream(this.store, this.clock, stream, charge, command, context);
    return 'refusal' in outcome ? outcome : { line: claimedLine(outcome.state, listed.line), place: outcome.newest };
  }

  /** (d) Appends the stored settlement to the account, however often payouts change the account in between. */
  async #settle(account: AccountId, { closed, newest }: Closed, context: Context, signal: AbortSignal): Promise<Position | null> {
    const command = (now: Timestamp): AccountCommand => ({ kind: 'settle-funds', closed, now });
    for (const backOff = new BackOff(PAUSE_MS, PAUSE_MAX_MS); ;) {
      try {
        const outcome = await this.accounts.submit(account, { command, context, dependsOn: [newest] });
        if (outcome.kind === 'decided') return outcome.newest?.position ?? null;
        throw new ReadTooEarly(`settlement ${closed.settlement_number} is not the next one of its account`);
      } catch (error) {
        // A process whose clock is ahead decides nothing while that lasts; another process may.
        const isInVain = error instanceof ReadTooEarly || error instanceof StoreRestored || error instanceof ClockRefused || signal.aborted;
        if (isInVain || !(error instanceof StoreUnavailable)) throw error;
      }
      await this.pause(backOff.take());
    }
  }
}

/** Reads a stored settlement. @throws StoreUnavailable */
export async function readSettlement(
  store: Pick<EventStore, 'read'>,
  { merchant_id, currency }: AccountId,
  number: number,
): Promise<Open | Closed | undefined> {
  const { state, newest } = await foldStream(store, settlementStream(merchant_id, currency, number), settlement);
  return state.status === 'NONE' || !newest ? undefined : { ...state, newest };
}

export function listedIn({ settlement_id, merchant_id, currency, settlement_number }: SettlementOpened, line: SettlementLine): ListedLine {
  return { settlement_id, merchant_id, currency, settlement_number, line };
}

/** Returns the id under which a settlement is read. */
export function settlementId({ merchant_id, currency }: AccountId, number: number): string {
  return derivedId(settlementStream(merchant_id, currency, number), 'settlement');
}

function eachOnce(lines: readonly SettlementLine[]): SettlementLine[] {
  return [...new Map(lines.map((line) => [lineKey(line), line])).values()];
}

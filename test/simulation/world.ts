import type { SettlementLine } from '../../src/ledger/events/account.events.js';
import { AccountQueue, type AccountId } from '../../src/domain/accounts/account-queue.js';
import type { AccountSnapshots } from '../../src/domain/accounts/account-snapshots.js';
import { charge, type ChargeCommand, type CreateCommand } from '../../src/domain/charges/charge.decider.js';
import { chargeStream } from '../../src/ledger/events/charge.events.js';
import { createRecord } from '../../src/ledger/streams/create-record.js';
import { decideOnStream, waitOn } from '../../src/ledger/streams/decide-on-stream.js';
import { recordId } from '../../src/ledger/ids/idempotency.js';
import type { ChallengeInstruction } from '../../src/domain/charges/processor.js';
import type { CommandContext } from '../../src/ledger/streams/new-event.js';
import {
  CancelPayout,
  CancelPayoutHandler,
  RequestPayout,
  RequestPayoutHandler,
  type PayoutOrderBody,
} from '../../src/domain/payouts/payout.handlers.js';
import { ActOnPayout } from '../../src/domain/payouts/act-on-payout.js';
import { ApprovalExpiry } from '../../src/domain/payouts/approval-expiry.js';
import { ActOnPayoutHandler } from '../../src/domain/payouts/payout-approvals.handlers.js';
import { payoutDigest } from '../../src/domain/payouts/payout-digest.js';
import { PayoutOutcomes } from '../../src/domain/payouts/payout-outcomes.js';
import { PayoutRegistry } from '../../src/domain/payouts/payout-registry.js';
import { OutcomeUnknown, StoreUnavailable, type EventStore, type NewEvent, type RecordedEvent } from '../../src/platform/event-store/event-store.js';
import { ClockGuard } from '../../src/platform/event-store/clock-guard.js';
import { GuardedEventStore } from '../../src/platform/event-store/guarded-event-store.js';
import { Problem } from '../../src/platform/problem.js';
import { RequestRefund, RequestRefundHandler, type RefundBody } from '../../src/domain/charges/refunds/refund.handlers.js';
import { RefundReservations } from '../../src/domain/charges/refunds/refund-reservations.js';
import { RefundWorker } from '../../src/domain/charges/refunds/refund.worker.js';
import { DisputeWorker } from '../../src/domain/charges/disputes/dispute.worker.js';
import { NO_CONCESSIONS } from '../support/no-concessions.js';
import { PayoutWorker } from '../../src/domain/payouts/payout.worker.js';
import { refuseLine } from '../../src/domain/settlements/refuse-line.js';
import { SettleNow } from '../../src/domain/settlements/settle-now.js';
import { SettlementWorker } from '../../src/domain/settlements/settlement.worker.js';
import { settlementId, SettlementRun } from '../../src/domain/settlements/settlement-run.js';
import type { MerchantTerms } from '../../src/ledger/ports/merchant-terms.js';
import { timestamp, type Clock } from '../../src/ledger/time.js';
import { createCharge, termsOf } from '../support/create-charge.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { ClaimsInMemory } from '../support/payout-claims.js';
import { NO_TRANSFERS } from '../support/no-transfers.js';
import { simulatedWaits } from '../support/simulated-waits.js';
import { Judge } from './judge.js';
import { readersOf, View } from './read-models.js';
import { Scheduler, Stuck, type Killable } from './scheduler.js';
import { SimulatedBank } from './simulated-bank.js';
import { SimulatedDispute, type Court } from './simulated-dispute.js';
import { SimulatedProcessor } from './simulated-processor.js';
import { SimulatedStore, type Faults } from './simulated-store.js';
import { Violation } from './violation.js';
import { NOBODY } from '../support/approvals.js';
import { APPROVERS, approvalRules, SimulatedApprovers } from './simulated-approvers.js';

export const MERCHANT: AccountId = { merchant_id: '6b9e2f6a-3c1d-4f58-9a70-1d2c3b4a5968', currency: 'MYR' };
/** A merchant beside it, whose charges the same processes take. */
const NEIGHBOUR: AccountId = { merchant_id: '0d1e2f3a-4b5c-4d6e-8f70-8192a3b4c5d6', currency: MERCHANT.currency };
/** Its charges. */
const NEIGHBOURS = [9, 8, 7];
const ROUTE = 'POST /v1/payouts';
const SECRET = Buffer.alloc(32, 1);
export const START = Date.parse('2026-01-30T10:00:00.000Z');
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const FEE = 2;
/** Reminders, in seconds before the due time. */
const REMINDERS = [4, 1];
/** Maximum lead of an event over the database's clock: the tolerance of the guard and twice its error. */
const AHEAD_MAX_MS = 6_000;
/** Events that a store loses at once. */
const LOST_MAX = 12;
/** Maximum steps until new events are lost: a process has read them by then and is acting on them. */
const LOST_WITHIN = 40;
export const NO_SNAPSHOTS: AccountSnapshots = { find: async () => undefined, save: async () => false };
export const TERMS: MerchantTerms = {
  merchantName: () => 'Simulated',
  channelTerms: () => undefined,
  payoutFee: () => ({ type: 'FIXED', value: FEE }),
  payoutRules: () => null,
  disputeFee: () => 0,
  currencies: () => [MERCHANT.currency],
  timezone: () => undefined,
  merchantCreatedOn: () => undefined,
};

/** Every file that the log knows, under its own name. */
export const KEPT_EVIDENCE = {
  namesOf: async () => ({ get: (id: string) => id }) as unknown as Map<string, string>,
  open: async function* () {
    yield Buffer.of();
  },
};

type Context = Omit<CommandContext, 'now'>;

/** One process of the service with everything it remembers; a crash forgets it. */
class SimulatedProcess implements Killable {
  isAlive = true;
  readonly died: Promise<'died'>;
  readonly store: GuardedEventStore;
  readonly guard: ClockGuard;
  readonly request: RequestPayoutHandler;
  readonly cancel: CancelPayoutHandler;
  readonly rail: PayoutOutcomes;
  readonly railProcess: PayoutWorker;
  /** Approvals by operators; null if no payout requires approvals. */
  readonly approvals: { readonly act: ActOnPayoutHandler; readonly expiry: ApprovalExpiry } | null;
  readonly refund: RequestRefundHandler;
  readonly refundProcess: RefundWorker;
  readonly disputeProcess: DisputeWorker;
  readonly settlement: SettlementWorker;
  readonly settleNow: SettleNow;
  readonly clock: () => number;
  /** Moments that its clock has shown. */
  readonly shown = new Set<string>();
  /** How often it has noticed that the store was put back. */
  restoreCount = 0;
  kill!: () => void;

  constructor(
    readonly name: string,
    world: World,
    /** Error of its clock. */
    public skewMs: number,
  ) {
    this.died = new Promise((resolve) => {
      this.kill = () => {
        this.isAlive = false;
        resolve('died');
      };
    });
    const pause = (): Promise<void> => world.scheduler.step(this, 'pauses');
    const waits = simulatedWaits(pause);
    this.clock = () => {
      const now = world.now + (world.isCalm ? 0 : this.skewMs);
      this.shown.add(timestamp(now));
      return now;
    };
    const ask = async (): Promise<number> => {
      const then = world.now;
      await world.scheduler.step(this, "is told the database's time");
      return then;
    };
    this.guard = new ClockGuard({ ask, clock: this.clock, steady: () => world.now });
    const onSent = (events: readonly NewEvent[]): void => {
      world.judgeTimes(this, events);
      world.approvers?.sends(this, events);
    };
    this.store = new GuardedEventStore(
      new SimulatedStore(world.engine, world.scheduler, this, world.faults, onSent, () => world.judgeNow()),
      this.guard,
    );
    waitOn(this.store, waits);
    const accounts = new AccountQueue(this.store, NO_SNAPSHOTS, this.clock, waits);
    const registry = new PayoutRegistry(this.store, accounts, this.clock);
    const readers = readersOf(MERCHANT, () => world.view());
    const { approvers } = world;
    const terms = approvers ? { ...TERMS, payoutRules: () => approvalRules(MERCHANT.currency) } : TERMS;
    this.request = new RequestPayoutHandler(accounts, registry, terms, SECRET, new ClaimsInMemory());
    const onError = (_: string, error: unknown): void => world.note(error);
    this.approvals = approvers && {
      act: new ActOnPayoutHandler({ accounts, registry, operators: approvers.operators(this), accountOf: async () => MERCHANT, secret: SECRET }),
      expiry: new ApprovalExpiry({ accounts, registry, findUnapproved: readers.findUnapproved, clock: this.clock, onError }),
    };
    this.cancel = new CancelPayoutHandler(accounts, registry, readers.payouts);
    this.rail = new PayoutOutcomes(this.store, accounts, registry, readers.payouts, this.clock, () => undefined, approvers?.of(this) ?? NOBODY);
    this.railProcess = new PayoutWorker({
      payouts: this.rail,
      reader: readers.openPayouts,
      railOf: () => ({ simulated: world.bank }),
      transfers: NO_TRANSFERS,
      clock: this.clock,
      elapsedMs: () => world.now,
      restoreCount: () => this.restoreCount,
      untilNextPoll: (idle) => idle,
      onError: (_, error) => world.note(error),
    });
    const reservations = new RefundReservations(this.store, accounts, this.clock);
    this.refund = new RequestRefundHandler(this.store, reservations, this.clock, Buffer.alloc(32, 1));
    this.refundProcess = new RefundWorker({
      store: this.store,
      reservations,
      reader: readers.openRefunds,
      processorOf: () => world.processor,
      clock: this.clock,
      elapsedMs: () => world.now,
      restoreCount: () => this.restoreCount,
      untilNextPoll: (idle) => idle,
      reservationRestMs: 0,
      onError: (_, error) => world.note(error),
    });
    this.disputeProcess = new DisputeWorker({
      concessions: NO_CONCESSIONS,
      store: this.store,
      evidence: KEPT_EVIDENCE,
      findDue: () => readers.disputes.findDue(timestamp(this.clock()), REMINDERS),
      findChallenges: readers.disputes.findChallenges,
      processorOf: () => world.processor,
      clock: this.clock,
      onError: (_, error) => world.note(error),
    });
    const run = new SettlementRun(this.store, accounts, this.clock, pause);
    const findLines: typeof readers.settlements.findLines = async (...asked) => world.misread(await readers.settlements.findLines(...asked));
    this.settlement = new SettlementWorker(run, { ...readers.settlements, findLines }, this.clock, (_, error) => world.note(error));
    this.settleNow = new SettleNow(this.store, run);
  }
}

export interface RunResult {
  readonly seed: number;
  readonly steps: number;
  readonly events: number;
  /** Types of the events in the log. */
  readonly types: readonly string[];
  /** The violation; null without one. */
  readonly violation: string | null;
  readonly trace: readonly string[];
}

/** One account with its charges, payouts, merchants' clients, bank and processes, all played from one seed. */
export class World {
  readonly scheduler: Scheduler;
  readonly engine = new InMemoryEventStore();
  readonly bank: SimulatedBank;
  readonly processor: SimulatedProcessor;
  /** null: no payout takes approvals. */
  readonly approvers: SimulatedApprovers | null;
  judge: Judge;
  readonly faults: Faults;
  now = START;
  violation: string | null = null;
  #processes: SimulatedProcess[] = [];
  #crashesLeft: number;
  #lossesLeft: number;
  /** The store loses events in this run. */
  readonly #goesBack: boolean;
  #losses = 0;
  /** From when on the store has no more than so many events. */
  #doomed: { readonly step: number; readonly events: number } | null = null;
  /** Payouts, refunds and disputes of which the store has lost events. */
  readonly #forgotten = new Set<string>();
  readonly #lost: RecordedEvent[] = [];
  /** Number of events from before the first step: they are never lost. */
  #kept = 0;
  /** Payouts and refunds that were acknowledged to clients. */
  readonly #answered = new Set<string>();
  isCalm = false;
  /** True while a list with a line that no stream has is still to be recorded. An operator handles it then. */
  #isMisreading: boolean;
  /** Number of a charge that is not there, and may be created late. */
  #late = 0;
  #waiting = 0;
  #attempts = 0;
  readonly #log: RecordedEvent[] = [];
  /** Counts of events at which an append ends. */
  readonly #ends = new Set<number>();
  /** Views by the number of events that they have seen. */
  readonly #views = new Map<number, View>();
  /** Reservations that were held while a request for their refund was refused. */
  readonly #refusedReservations: string[] = [];
  /** Attempts whose response was that nothing was recorded. */
  readonly #denied = new Set<string>();
  readonly #disputes: SimulatedDispute[] = [];
  /** Requests that wait for their answer, and whether less than they ask for was available at any moment since. */
  readonly #inFlight = new Set<{ readonly amount: number; wasShort: boolean }>();

  constructor(
    private readonly seed: number,
    { approvals = false } = {},
  ) {
    this.scheduler = new Scheduler(seed);
    this.approvers = approvals ? new SimulatedApprovers(this.scheduler) : null;
    this.bank = new SimulatedBank(this.scheduler);
    this.processor = new SimulatedProcessor(
      this.scheduler,
      (id) => {
        const isSubmitted = this.judge.submittedRefunds.has(id) || this.#forgotten.has(id);
        this.#must(isSubmitted, `the processor is asked for refund ${id}, which was not handed over`);
      },
      (challenge) => this.#judgeChallenge(challenge),
    );
    this.judge = new Judge(MERCHANT, this.bank, this.processor, this.#forgotten, this.approvers);
    // Now and then a fault; in some runs a time in which hardly anything can be written.
    this.faults = this.scheduler.chance(0.8)
      ? { left: this.scheduler.below(5), ofReads: 0.04, ofAppends: 0.04 }
      : { left: 5 + this.scheduler.below(20), ofReads: 0.1, ofAppends: 0.85 };
    this.#crashesLeft = this.scheduler.below(4);
    this.#lossesLeft = this.scheduler.chance(0.4) ? 1 + this.scheduler.below(3) : 0;
    this.#goesBack = this.#lossesLeft > 0;
    this.#isMisreading = this.scheduler.chance(0.3);
  }

  async play(): Promise<RunResult> {
    try {
      await this.#set();
      const chaos = 60 + this.scheduler.below(400);
      await this.scheduler.run(
        () => this.violation !== null || this.scheduler.trace.length >= chaos,
        () => this.#between(),
        chaos + 1,
      );
      this.#calm();
      await this.scheduler.run(
        () => this.violation !== null || this.#hasEnded(),
        () => this.#between(),
        5_000,
      );
      this.#judgeDenied();
      this.#judgeEnd();
    } catch (error) {
      const isStuck = error instanceof Stuck;
      const unfinished = this.#waiting > 0 ? `${this.#waiting} clients wait` : this.judge.unfinished();
      this.violation ??= isStuck ? `it never ends: ${unfinished}` : `${(error as Error).name}: ${(error as Error).message}`;
    }
    const { trace } = this.scheduler;
    const types = [...new Set(this.#log.map(({ type }) => type))];
    return { seed: this.seed, steps: trace.length, events: this.#log.length, types, violation: this.violation, trace };
  }

  // --- shared by all processes -----------------------------------------------------------------------------------------

  /** The state that a read model may show: all of the log, or as much as it had seen at an earlier moment. */
  view(): View {
    const { length } = this.#log;
    const count = this.isCalm || this.scheduler.chance(0.5) ? length : Math.floor(length * (0.3 + 0.7 * this.scheduler.random()));
    let view = this.#views.get(count);
    if (!view) this.#views.set(count, (view = new View(this.#log.slice(0, count), MERCHANT)));
    return view;
  }

  /** Once in some runs: a charge that is not there, another merchant's, or another amount than the record has. */
  misread(lines: readonly SettlementLine[]): readonly SettlementLine[] {
    const [first, ...others] = lines;
    if (!this.#isMisreading || !first || this.isCalm) return lines;
    this.#isMisreading = false;
    const amounts = { net_amount: 7, fee_amount: 1 };
    return this.scheduler.pick([
      [...lines, { kind: 'charge', record_id: chargeId(this.#late), ...amounts }],
      [...lines, { kind: 'charge', record_id: chargeId(NEIGHBOURS[0]!), ...amounts }],
      [{ ...first, net_amount: first.net_amount + 1 }, ...others],
    ]);
  }

  judgeNow(): void {
    const added = this.engine.all(this.#log.length);
    this.#log.push(...added);
    this.#ends.add(this.#log.length);
    for (const { type, metadata } of added) {
      const aheadMs = Date.parse(metadata.occurred_on) - this.now;
      if (aheadMs > AHEAD_MAX_MS) this.violation ??= `${type} lies ${aheadMs} ms ahead of the database's clock`;
    }
    try {
      this.judge.judge(this.#log);
    } catch (error) {
      this.violation ??= `${(error as Error).name}: ${(error as Error).message}`;
    }
    for (const request of this.#inFlight) request.wasShort ||= this.judge.state.available < BigInt(request.amount);
  }

  /** Checks that each event has a time that the clock of its process has shown. */
  judgeTimes({ name, shown }: SimulatedProcess, events: readonly NewEvent[]): void {
    for (const { type, metadata } of events) {
      if (!shown.has(metadata.occurred_on)) this.violation ??= `${name} gives ${type} the time ${metadata.occurred_on}, which its clock never showed`;
    }
  }

  /** Errors that a process lives with: a store that is away, a bank that hangs up. Everything else is a fault. */
  note(error: unknown): void {
    if (error instanceof StoreUnavailable || (error as Error).message.startsWith('simulated:')) return;
    // A process that read before the store was restored, and continues afterwards, finds impossible states.
    if (this.#losses > 0 && !this.isCalm) return;
    this.violation ??= `${(error as Error).name}: ${(error as Error).message}`;
  }

  // --- the course of things --------------------------------------------------------------------------------------------

  async #set(): Promise<void> {
    const funded = this.#goesBack ? 2 + this.scheduler.below(3) : this.scheduler.below(4);
    const charges = funded + 1 + this.scheduler.below(3);
    for (let i = 0; i < charges; i += 1) await this.#payCharge(i, i < funded ? 'T+0' : this.scheduler.pick(['T+0', 'T+2']));
    await this.#settleBefore(funded);
    this.#kept = this.#log.length;
    for (const name of ['A', 'B', 'W1', 'W2']) this.#start(name);
    this.#late = charges;
    // A list that was read before the store went back may name a line that is gone, too.
    if (this.#isMisreading || this.#goesBack) void this.#refuseLines();
    if (this.#isMisreading) {
      if (this.scheduler.chance(0.5)) this.#client(() => this.#createLate(charges));
    }
    const keys = 1 + this.scheduler.below(4);
    for (let k = 0; k < keys; k += 1) this.#askForPayout(k, charges);
    const { approvers } = this;
    if (approvers && this.scheduler.chance(0.7)) this.#client(() => this.#suspend(approvers));
    // In some runs hardly any line of a settlement is left to be claimed.
    const disputed = this.#goesBack && this.seed % 4 === 0 ? 0.9 : 0.3;
    for (let i = 0; i < charges; i += 1) {
      if (this.scheduler.chance(disputed)) this.#client(() => this.#reverse(i));
      if (this.scheduler.chance(0.3)) this.#client(() => this.#settleNow(i));
    }
    if (this.scheduler.chance(0.5)) this.#client(() => this.#sellBeside());
    // One charge has more of it than the others.
    const contested = this.scheduler.below(charges);
    const some = (): number => (this.scheduler.chance(0.5) ? contested : this.scheduler.below(charges));
    for (let k = this.scheduler.below(4); k > 0; k -= 1) this.#askForRefund(k, some());
    // Runs about approvals are about payouts.
    if (!approvers && this.scheduler.chance(0.6)) for (let k = this.scheduler.below(4); k > 0; k -= 1) this.#dispute(some(), `D-${k}`);
  }

  /** Money that is available from the start. */
  async #settleBefore(charges: number): Promise<void> {
    const accounts = new AccountQueue(this.engine, NO_SNAPSHOTS, () => START, simulatedWaits());
    const run = new SettlementRun(
      this.engine,
      accounts,
      () => START,
      async () => undefined,
    );
    const now = new SettleNow(this.engine, run);
    for (let i = 0; i < charges; i += 1)
      await now.charge(chargeId(i), { actor: 'System', correlation_id: 'setup', causation_id: 'setup' }, new AbortController().signal);
    this.judgeNow();
  }

  #between(): void {
    this.now += 1 + this.scheduler.below(60);
    if (this.isCalm) {
      // The intervals between inquiries to banks grow, so time advances further for their answers to arrive.
      if (this.scheduler.trace.length % 500 === 0) this.now += HOUR;
      // As every process does every few seconds: one that was ahead learns that its clock is right again.
      if (this.scheduler.trace.length % 100 === 0) for (const { guard } of this.#processes) void guard.compare();
      return;
    }
    if (this.scheduler.chance(0.01)) this.scheduler.pause(this.scheduler.pick(this.#processes), 20 + this.scheduler.below(120));
    if (this.scheduler.chance(0.01)) this.#moveClock(this.scheduler.pick(this.#processes));
    if (this.scheduler.chance(0.01)) void this.scheduler.pick(this.#processes).guard.compare();
    this.#goBack();
    if (this.#crashesLeft === 0 || !this.scheduler.chance(0.01)) return;
    this.#crashesLeft -= 1;
    const victim = this.scheduler.pick(this.#processes);
    this.scheduler.trace.push(`${victim.name} CRASHES`);
    victim.kill();
    this.scheduler.bury();
    this.#processes = this.#processes.filter((process) => process !== victim);
    this.#start(victim.name);
  }

  /** Right but for a little, or wrong by days. */
  #skew(): number {
    if (this.scheduler.chance(0.6)) return this.scheduler.below(10_001) - 5_000;
    return this.scheduler.pick([-1, 1]) * (1 + this.scheduler.below(90)) * DAY;
  }

  #moveClock(process: SimulatedProcess): void {
    process.skewMs = this.#skew();
    this.scheduler.trace.push(`${process.name}'s clock JUMPS to ${process.skewMs} ms`);
  }

  /** Goes back now and then by any number of events, and now and then by a recent event and all later ones. */
  #goBack(): void {
    const { length } = this.#log;
    if (this.#lossesLeft === 0 || length <= this.#kept) return;
    const step = this.scheduler.trace.length;
    if (this.#doomed === null && this.scheduler.chance(0.05)) {
      this.#doomed = { step: step + this.scheduler.below(LOST_WITHIN), events: length - 1 };
    } else if (this.#doomed !== null && step >= this.#doomed.step) {
      const { events } = this.#doomed;
      this.#doomed = null;
      if (events < length) this.#lose(length - events);
    } else if (this.scheduler.chance(0.005)) this.#lose(1 + this.scheduler.below(Math.min(LOST_MAX, length - this.#kept)));
  }

  /** The store continues without its newest appends, of `countMin` events at least. The processes continue with their state and notice later. */
  #lose(countMin: number): void {
    let count = countMin;
    while (!this.#ends.has(this.#log.length - count)) count += 1;
    this.#lossesLeft -= 1;
    this.#losses += 1;
    this.scheduler.trace.push(`store LOSES ${count}`);
    const lost = this.#log.splice(-count);
    this.#lost.push(...lost);
    this.engine.lose(count);
    for (const { data } of lost)
      for (const name of ['payout_id', 'refund_id', 'dispute_id']) if (name in data) this.#forgotten.add((data as Record<string, string>)[name]!);
    for (const end of this.#ends) if (end > this.#log.length) this.#ends.delete(end);
    for (const seen of this.#views.keys()) if (seen > this.#log.length) this.#views.delete(seen);
    this.judge = new Judge(MERCHANT, this.bank, this.processor, this.#forgotten, this.approvers);
    this.judgeNow();
    for (const process of this.#processes)
      void this.scheduler.step(process, 'notices that the store went back').then(() => (process.restoreCount += 1));
  }

  /** From now on nothing fails, every clock is right, every read model is up to date, and everything is due: all must end. */
  #calm(): void {
    this.isCalm = true;
    this.faults.left = 0;
    this.now += 30 * DAY;
    // A client with an acknowledgement does not repeat its request unless it is asked to.
    for (const { type, data } of this.#lost) {
      if (type === 'ChargeReversed') this.#client(() => this.#reverse(Number((data as { charge_id: string }).charge_id.at(-1))));
    }
    const forgotten = new Set(this.#lost.flatMap(({ data }) => ('dispute_id' in data ? [data.dispute_id] : [])));
    for (const dispute of this.#disputes) if (forgotten.has(dispute.id)) this.#client(() => dispute.repeat());
  }

  /** Every acknowledged record exists, except those that the store has lost; and the books of the past agree with those of today. */
  #judgeEnd(): void {
    for (const id of this.#refusedReservations)
      this.#must(!this.judge.isClaimed(id) || this.#losses > 0, `a refund was refused, and what was reserved for it goes on: ${id}`);
    const isThere = (id: string): boolean => this.judge.requested.has(id) || this.judge.refunds.has(id) || this.#forgotten.has(id);
    for (const id of this.#answered) this.#must(isThere(id), `payout or refund ${id} was answered, and is gone`);
    for (const dispute of this.#disputes) if (!this.#forgotten.has(dispute.id)) this.violation ??= dispute.judgeEnd();
    this.violation ??= this.judge.books.compareAsOf(this.now);
  }

  #hasEnded(): boolean {
    return this.#waiting === 0 && this.judge.unfinished() === null;
  }

  #judgeDenied(): void {
    for (const { type, metadata } of this.#log) {
      if (['PayoutRequested', 'RefundReserved', 'ChargeRefundClaimed'].includes(type) && this.#denied.has(metadata.$correlationId))
        this.violation ??= 'a client was told that nothing was recorded, and it was';
    }
  }

  #start(name: string): void {
    const process = new SimulatedProcess(name, this, this.#skew());
    this.#processes.push(process);
    if (name.startsWith('W')) void this.#work(process);
  }

  /** A worker goes round for ever. Two do: the one that is elected, and one that was and has not noticed. */
  async #work(process: SimulatedProcess): Promise<void> {
    const never = new AbortController().signal;
    const rounds = [
      () => process.railProcess.pass(never),
      () => process.refundProcess.pass(never),
      () => process.disputeProcess.pass(never),
      () => process.settlement.all(never),
      () => process.settlement.urgent(never),
      ...(process.approvals ? [() => process.approvals!.expiry.pass()] : []),
    ];
    const loop = async (round: () => Promise<void>): Promise<void> => {
      for (;;) {
        await this.scheduler.idleStep(process, 'looks around');
        if (!(await process.guard.mayDecide())) continue;
        await round().catch((error: unknown) => this.note(error));
      }
    };
    await Promise.all(rounds.map(loop));
  }

  /** An operator tries to drop any line of any open settlement, again and again: a line that proceeds by itself must not be dropped. */
  async #refuseLines(): Promise<void> {
    for (;;) {
      await this.scheduler.idleStep(null, 'somebody looks at settlements');
      const [open] = [...this.judge.settlements].filter(([, { closed }]) => closed === undefined);
      if (!open || this.scheduler.chance(0.5)) continue;
      const [settlement_number, { opened }] = open;
      const line = this.scheduler.pick([...opened]);
      const listed = { settlement_id: settlementId(MERCHANT, settlement_number), ...MERCHANT, settlement_number, line };
      const process = this.scheduler.pick(this.#processes);
      const said = { reason: 'simulated', refused_by: 'somebody' };
      await Promise.race([refuseLine(process.store, process.clock, listed, said), process.died]).catch((error: unknown) => this.note(error));
    }
  }

  // --- clients ---------------------------------------------------------------------------------------------------------

  #client(act: () => Promise<void>): void {
    this.#waiting += 1;
    const arrives = this.scheduler.chance(0.5) ? this.scheduler.step(null, 'client arrives') : this.#later('client comes later');
    void arrives
      .then(act)
      .catch((error: unknown) => this.note(error))
      .finally(() => (this.#waiting -= 1));
  }

  /** Runs a request on one process, and again on another when that dies or fails; undefined when the client gives up. */
  async #ask<Answer>(
    ask: (process: SimulatedProcess, context: Context) => Promise<Answer>,
    onDenied?: (attempt: string) => void,
  ): Promise<Answer | undefined> {
    for (let tries = 0; tries < 8; tries += 1) {
      const api = this.scheduler.pick(['A', 'B']);
      const process = this.#processes.find(({ name }) => name === api)!;
      const attempt = `attempt ${++this.#attempts}`;
      const losses = this.#losses;
      try {
        const answer = await Promise.race([ask(process, { actor: 'client', correlation_id: attempt, causation_id: attempt }), process.died]);
        if (answer !== 'died') return answer;
        // Some never come back.
        if (this.scheduler.chance(0.25)) return undefined;
      } catch (error) {
        if (!(error instanceof StoreUnavailable) && losses === this.#losses) throw error;
        if (error instanceof StoreUnavailable && !(error instanceof OutcomeUnknown)) onDenied?.(attempt);
      }
      await this.scheduler.step(null, 'client tries again');
    }
    return undefined;
  }

  #askForPayout(k: number, charges: number): void {
    const amount = FEE + 1 + this.scheduler.below(6 * charges);
    const bodies = [payoutBody(amount), payoutBody(amount), payoutBody(amount + 1)];
    const clients = 1 + this.scheduler.below(4);
    for (let c = 0; c < clients; c += 1) {
      const body = bodies[c % bodies.length]!;
      this.#client(async () => {
        // Once, or again when the first answer has long been there: keys do not expire.
        for (let times = 1 + this.scheduler.below(3); times > 0; times -= 1) {
          await this.#requestPayout(`key ${k}`, body);
          if (this.scheduler.chance(0.7)) await this.#later('client waits');
        }
      });
    }
    if (this.scheduler.chance(0.4)) this.#client(() => this.#cancelPayout(`key ${k}`));
    if (this.scheduler.chance(0.4)) this.#client(() => this.#returnPayout(`key ${k}`));
    if (this.approvers) for (let operator = 0; operator < 4; operator += 1) this.#client(() => this.#actOnPayout(`key ${k}`));
  }

  /** An operator looks at a payout now and then, and decides about the shown one or about a different one. */
  async #actOnPayout(key: string): Promise<void> {
    const payout_id = recordId(MERCHANT.merchant_id, ROUTE, key);
    for (let looks = 0; looks < 8; looks += 1) {
      await this.scheduler.idleStep(null, 'person looks at payouts');
      const shown = this.judge.requested.get(payout_id);
      if (shown?.type !== 'PayoutRequested' || this.scheduler.chance(0.3)) continue;
      const operator = this.scheduler.pick(APPROVERS);
      const kind = this.scheduler.chance(0.9) ? 'approve' : 'decline';
      const isOther = this.scheduler.chance(0.1);
      const digest = payoutDigest(SECRET, isOther ? { ...shown.data, amount: shown.data.amount + 1 } : shown.data);
      await this.#ask(async ({ approvals }, ids) => {
        try {
          await approvals!.act.execute(new ActOnPayout({ kind, payout_id, digest, reason: 'simulated' }, operator, ids));
          this.#must(!isOther || this.#forgotten.has(payout_id), `${key} is decided about as it was never shown`);
          const isDone =
            kind === 'approve'
              ? this.judge.approvals.has(`${payout_id} ${operator}`)
              : this.judge.records.payouts.get(payout_id)?.status === 'CANCELLED';
          this.#must(isDone || this.#forgotten.has(payout_id), `to ${kind} ${key} is answered, and is not recorded`);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          this.#must(error.code !== 'digest-mismatch' || isOther || this.#forgotten.has(payout_id), `${key} is not taken for what was shown`);
        }
      });
    }
  }

  /** Persons leave, and some come back. */
  async #suspend(approvers: SimulatedApprovers): Promise<void> {
    for (let times = 1 + this.scheduler.below(3); times > 0; times -= 1) {
      await this.#later('somebody leaves');
      const operator = this.scheduler.pick(APPROVERS);
      approvers.suspend(operator);
      await this.#later('somebody is away');
      if (this.scheduler.chance(0.7)) approvers.restore(operator);
    }
  }

  async #requestPayout(key: string, body: PayoutOrderBody): Promise<void> {
    const id = recordId(MERCHANT.merchant_id, ROUTE, key);
    const deny = (attempt: string): void => void this.#denied.add(attempt);
    await this.#ask(async (process, context) => {
      const wasThere = this.judge.requested.has(id);
      const request = { amount: body.amount, wasShort: this.judge.state.available < BigInt(body.amount) };
      this.#inFlight.add(request);
      try {
        const { registered } = await process.request.execute(new RequestPayout(body, key, MERCHANT.merchant_id, context));
        this.#answered.add(id);
        const isRecorded = JSON.stringify(this.judge.requested.get(id)?.data) === JSON.stringify(registered);
        this.#must(isRecorded || this.#forgotten.has(id), `${key} is answered with what is not recorded`);
        this.#must(registered.amount === body.amount || this.#forgotten.has(id), `${key} is answered with another body's payout`);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const recorded = this.judge.requested.get(id);
        if (error.code === 'insufficient-balance') {
          this.#must(request.wasShort, `${key} is refused ${body.amount} although it was there all the time`);
          this.#must(!wasThere || this.#forgotten.has(id), `${key} is refused for want of money although its payout exists`);
        } else if (error.code === 'idempotency-key-reused') {
          const isOther = recorded?.type === 'PayoutRequested' && recorded.data.amount !== body.amount;
          this.#must(isOther || this.#forgotten.has(id), `${key} is said to be reused, and is not`);
        } else throw error;
      } finally {
        this.#inFlight.delete(request);
      }
    }, deny);
  }

  async #cancelPayout(key: string): Promise<void> {
    const id = recordId(MERCHANT.merchant_id, ROUTE, key);
    await this.#later('client thinks');
    await this.#ask(async (process, context) => {
      try {
        await process.cancel.execute(new CancelPayout(id, MERCHANT.merchant_id, context));
        const isCancelled = this.judge.records.payouts.get(id)?.status === 'CANCELLED';
        this.#must(isCancelled || this.#forgotten.has(id), `${key} is answered as cancelled, and is not`);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const expected = error.code === 'not-found' || this.judge.records.payouts.get(id)?.status !== 'PENDING';
        this.#must(expected || this.#forgotten.has(id), `${key} cannot be cancelled although it is pending`);
      }
    });
  }

  /** A bank returns a payout after it has paid it, and reports this until it is accepted. */
  async #returnPayout(key: string): Promise<void> {
    await this.#returnOf(recordId(MERCHANT.merchant_id, ROUTE, key));
  }

  async #returnOf(id: string): Promise<void> {
    for (let tries = 0; tries < 60; tries += 1) {
      await this.scheduler.idleStep(null, 'bank thinks of a return');
      if (!this.bank.paid.has(id)) continue;
      const outcome = await this.#ask((process, context) => process.rail.record(id, { kind: 'returned', reason: 'simulated' }, context));
      if (outcome?.kind === 'recorded') return;
      if (outcome?.kind === 'contradicted' && this.#forgotten.has(id)) return;
      this.#must(outcome?.kind !== 'contradicted', `the return of payout ${id}, which was paid, is refused`);
    }
  }

  #askForRefund(k: number, i: number): void {
    const amount = this.scheduler.chance(0.4) ? null : 1 + this.scheduler.below(9);
    const bodies = [refundBody(amount), refundBody(amount), refundBody((amount ?? 3) + 1)];
    const clients = 1 + this.scheduler.below(4);
    for (let c = 0; c < clients; c += 1) {
      const body = bodies[c % bodies.length]!;
      this.#client(async () => {
        for (let times = 1 + this.scheduler.below(3); times > 0; times -= 1) {
          await this.#later('client thinks of a refund');
          await this.#requestRefund(`refund ${k}`, i, body);
        }
      });
    }
    if (this.scheduler.chance(0.4)) this.#client(() => this.#moveRefund(`refund ${k}`, i, 'cancel-refund'));
    if (this.scheduler.chance(0.4)) this.#client(() => this.#moveRefund(`refund ${k}`, i, 'bounce-refund'));
  }

  async #requestRefund(key: string, i: number, body: RefundBody): Promise<void> {
    const id = refundId(key, i);
    const deny = (attempt: string): void => void this.#denied.add(attempt);
    await this.#ask(async (process, context) => {
      const wasThere = this.judge.refunds.has(id);
      const held = this.judge.heldFor(id);
      const request = { amount: body.amount ?? 12, wasShort: this.judge.state.available < BigInt(body.amount ?? 12) };
      this.#inFlight.add(request);
      try {
        const merchant = { merchant_id: MERCHANT.merchant_id, mode: 'test' as const };
        const { claimed } = await process.refund.execute(new RequestRefund(chargeId(i), body, key, merchant, context));
        this.#answered.add(id);
        const isRecorded = JSON.stringify(this.judge.refunds.get(id)) === JSON.stringify(claimed);
        this.#must(isRecorded || this.#forgotten.has(id), `${key} is answered with what is not recorded`);
        this.#must(body.amount === undefined || claimed.amount === body.amount || this.#forgotten.has(id), `${key} is answered with another refund`);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (error.code === 'idempotency-key-reused') return;
        this.#must(!wasThere || this.#forgotten.has(id), `${key} is refused (${error.code}) although its refund exists`);
        if (held !== undefined) this.#refusedReservations.push(held);
        if (error.code === 'insufficient-balance') this.#must(request.wasShort, `${key} is refused although the money was there all the time`);
      } finally {
        this.#inFlight.delete(request);
      }
    }, deny);
  }

  /** The merchant cancels it once, or the customer's side returns it until this is accepted. */
  async #moveRefund(key: string, i: number, kind: 'cancel-refund' | 'bounce-refund'): Promise<void> {
    const refund_id = refundId(key, i);
    const tries = kind === 'cancel-refund' ? 1 : 60;
    for (let n = 0; n < tries; n += 1) {
      await this.scheduler.idleStep(null, 'somebody thinks of a refund');
      if (kind === 'bounce-refund' && this.judge.records.refunds.get(refund_id)?.status !== 'SUCCEEDED') continue;
      const outcome = await this.#ask(({ store, clock }, context) =>
        decideOnStream(
          store,
          clock,
          chargeStream(chargeId(i)),
          charge,
          (now): ChargeCommand =>
            kind === 'cancel-refund' ? { kind, refund_id, cancelled_by: 'client', now } : { kind, refund_id, reason: 'closed', now },
          context,
        ),
      );
      if (outcome && !('refusal' in outcome)) return;
    }
  }

  #dispute(i: number, reference: string): void {
    const { amount } = this.judge.records.charges.get(chargeId(i))!;
    const dispute = new SimulatedDispute(this.#courtOf(i), { charge_id: chargeId(i), amount: Number(amount) }, reference);
    this.#disputes.push(dispute);
    this.#client(() => dispute.play());
    if (this.scheduler.chance(0.7)) this.#client(() => dispute.answer());
  }

  #courtOf(i: number): Court {
    const { scheduler, processor } = this;
    return {
      scheduler,
      processor,
      judge: () => this.judge,
      now: () => this.now,
      isCalm: () => this.isCalm,
      decide: async (command) => {
        const outcome = await this.#ask(({ store, clock }, context) =>
          decideOnStream(store, clock, chargeStream(chargeId(i)), charge, command, context),
        );
        return outcome && ('refusal' in outcome ? outcome.refusal : null);
      },
      must: (holds, otherwise) => this.#must(holds, otherwise),
    };
  }

  /** Checks that the processor receives all evidence of the merchant once it has challenged. */
  #judgeChallenge({ dispute_id, stage, evidence }: ChallengeInstruction): void {
    if (this.#forgotten.has(dispute_id)) return;
    const dispute = this.judge.disputes.seen.get(dispute_id);
    const challenges = dispute?.challengedWith.get(stage) ?? [];
    this.#must(challenges.length > 0, `the processor is shown evidence in dispute ${dispute_id}, which nobody has challenged`);
    // A slow process submits the evidence of an earlier challenge of the stage, although the dispute was reopened with more since.
    const isAllOfIt = dispute?.evidence === null || challenges.includes(evidence.map(({ id }) => id).join());
    this.#must(isAllOfIt, `the processor is not shown all evidence in dispute ${dispute_id}`);
  }

  async #reverse(i: number): Promise<void> {
    await this.#later('customer disputes');
    await this.#ask((process, context) =>
      decideOnStream(
        process.store,
        process.clock,
        chargeStream(chargeId(i)),
        charge,
        (now): ChargeCommand => ({ kind: 'reverse', reason: 'dispute', now }),
        context,
      ),
    );
  }

  async #settleNow(i: number): Promise<void> {
    await this.#later('tester thinks');
    await this.#ask((process, context) => process.settleNow.charge(chargeId(i), context, new AbortController().signal));
  }

  /** The processes take charges of another merchant, each by its own clock. */
  async #sellBeside(): Promise<void> {
    for (const n of NEIGHBOURS) {
      await this.#later('neighbour sells');
      await this.#sell(n, createOf(n, 8, 'T+2', NEIGHBOUR));
    }
  }

  async #createLate(i: number): Promise<void> {
    await this.#later('customer comes late');
    await this.#sell(i, createOf(i, 8, 'T+0'));
  }

  async #sell(n: number, create: CreateCommand): Promise<void> {
    await this.#ask(({ store, clock }, context) => this.#create(store, clock, n, create, context));
    const pay = payingOf(n, create.order.amount);
    await this.#ask(({ store, clock }, context) => decideOnStream(store, clock, chargeStream(chargeId(n)), charge, pay, context));
  }

  async #payCharge(i: number, settlementCycle: string): Promise<void> {
    const create = createOf(i, 8 + this.scheduler.below(5), settlementCycle);
    const context = { actor: 'System', correlation_id: 'setup', causation_id: 'setup' };
    const clock = (): number => START;
    await this.#create(this.engine, clock, i, create, context);
    await decideOnStream(this.engine, clock, chargeStream(chargeId(i)), charge, payingOf(i, create.order.amount), context);
    this.judgeNow();
  }

  /** As CreateChargeHandler does. */
  async #create(store: EventStore, clock: Clock, n: number, create: CreateCommand, context: Context): Promise<void> {
    const now = timestamp(clock());
    const decision = charge.decide(charge.initial, { ...create, now });
    const outcome = await createRecord(store, chargeStream(chargeId(n)), 'ChargeCreated', decision, { ...context, now }, `charge ${n}`);
    if ('refusal' in outcome) throw new Error(`charge ${n} is refused: ${outcome.detail}`);
    this.#must(outcome.data.amount === create.order.amount, `charge ${n} is answered with another charge`);
  }

  /** At any time of the run, early and late. */
  async #later(label: string): Promise<void> {
    for (let waits = this.scheduler.below(12); waits >= 0; waits -= 1) await this.scheduler.idleStep(null, label);
  }

  #must(holds: boolean, otherwise: string): void {
    if (!holds) this.violation ??= new Violation(otherwise).message;
  }
}

export const refundId = (key: string, i: number): string => recordId(MERCHANT.merchant_id, `POST /v1/charges/${chargeId(i)}/refunds`, key);

export function refundBody(amount: number | null): RefundBody {
  return { ...(amount === null ? {} : { amount }), reason: null, reference_id: null, description: null, metadata: {} };
}

export const chargeId = (i: number): string => `00000000-0000-4000-8000-00000000000${i}`;

const payingOf =
  (n: number, amount: number) =>
  (now: string): ChargeCommand => ({ kind: 'pay', amount, payment_reference: `pay-${n}`, now, holidays: new Map() });

export function payoutBody(amount: number): PayoutOrderBody {
  return {
    amount,
    currency: MERCHANT.currency,
    bank_account_name: 'Siti',
    bank_account_number: '12345678',
    bank_name: 'Maybank',
    reference_id: null,
    description: null,
    metadata: {},
  };
}

export function createOf(i: number, amount: number, settlement_cycle: string, { merchant_id }: AccountId = MERCHANT): CreateCommand {
  const terms = termsOf('WALLET_TNG', { fee: { type: 'FIXED', value: 1 }, min_amount: 1, settlement_cycle });
  return createCharge({ charge_id: chargeId(i), merchant_id }, terms, { amount, reference_id: `order-${i}` }, timestamp(START));
}

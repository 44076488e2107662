import { AccountQueue } from '../../src/domain/accounts/account-queue.js';
import { waitOn } from '../../src/ledger/streams/decide-on-stream.js';
import { foldStream } from '../../src/ledger/streams/fold-stream.js';
import { accountStream, type PayoutRequested } from '../../src/ledger/events/account.events.js';
import { transferStream, type TransferEvent } from '../../src/ledger/events/transfer.events.js';
import { DAY_MS, HOUR_MS, timestamp } from '../../src/ledger/time.js';
import { PayoutOutcomes } from '../../src/domain/payouts/payout-outcomes.js';
import { PayoutRegistry } from '../../src/domain/payouts/payout-registry.js';
import type { RemoteBank, TransferTerms } from '../../src/domain/payouts/transfer/remote-bank.js';
import { resolvePayout } from '../../src/domain/payouts/transfer/resolve-payout.js';
import { Transfers, type Inquiries } from '../../src/domain/payouts/transfer/transfer.js';
import { transfer, type TransferState } from '../../src/domain/payouts/transfer/transfer.decider.js';
import { StoreUnavailable } from '../../src/platform/event-store/event-store.js';
import { BankInMemory, TERMS, type Fate } from '../support/bank-in-memory.js';
import { newEvent } from '../support/events.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { ReferencesInMemory } from '../support/references-in-memory.js';
import { simulatedWaits } from '../support/simulated-waits.js';
import { Scheduler, Stuck, type Killable } from './scheduler.js';
import { SimulatedStore, type Faults } from './simulated-store.js';
import { NO_SNAPSHOTS, START, type RunResult } from './world.js';
import { NOBODY, NOT_HELD } from '../support/approvals.js';

const OF = { payout_id: '11111111-2222-5333-8444-555555555555', merchant_id: '0b0f2d6e-3f0e-4c55-9d3b-2a4f0a1c7e11', currency: 'IDR' };
const ACCOUNT = accountStream(OF.merchant_id, OF.currency);
const STEPS_MAX = 2_400;
/** That a held payout is still followed for. */
const STEPS_HELD = 150;
/** A pause of a worker that its protocol does not name, ms. */
const PAUSE_MS = 5_000;

/** Banks by the properties in docs/models/rail.ts: some allow to pay again safely, the terms of others must forbid it. */
const BANKS: readonly { readonly isLate: boolean; readonly memory: 'all' | 'success' | 'none'; readonly pay_again: boolean }[] = [
  { isLate: false, memory: 'success', pay_again: true },
  { isLate: true, memory: 'all', pay_again: true },
  { isLate: true, memory: 'success', pay_again: false },
  { isLate: true, memory: 'none', pay_again: false },
];

class Worker implements Killable {
  isAlive = true;
  readonly transfers: Transfers;
  readonly inquiries: Inquiries = {};

  constructor(
    readonly name: string,
    world: TransferWorld,
  ) {
    const { scheduler } = world;
    const store = new SimulatedStore(
      world.engine,
      scheduler,
      this,
      world.faults,
      () => undefined,
      () => world.written(this),
    );
    const waits = simulatedWaits(() => scheduler.step(this, 'pauses'));
    waitOn(store, waits);
    const accounts = new AccountQueue(store, NO_SNAPSHOTS, world.clock, waits);
    const registry = new PayoutRegistry(store, accounts, world.clock);
    const bank = world.bankFor(this);
    this.transfers = new Transfers({
      store,
      registry,
      payouts: new PayoutOutcomes(
        store,
        accounts,
        registry,
        { find: async () => undefined },
        world.clock,
        () => world.violate('contradicted'),
        NOBODY,
      ),
      references: world.references,
      routes: {
        route: () => ({ bank, is_stopped: false, is_on_trial: false }),
        named: () => bank,
        begun: () => ({ bank, is_stopped: false, is_on_trial: false }),
      },
      clock: world.clock,
      elapsedMs: world.clock,
      onHeld: () => undefined,
      onTrouble: () => undefined,
    });
  }
}

/** One payout, two workers of which one may be an old leader, a notifier, and a bank that forgets, answers late or not at all. */
export class TransferWorld {
  readonly engine = new InMemoryEventStore();
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly references = new ReferencesInMemory();
  readonly clock = (): number => this.#now;
  readonly #bank: BankInMemory;
  #now = START;
  #violation: string | null = null;
  #crashesLeft: number;
  #heldSince: number | undefined;
  #workers: Worker[] = [];
  #started = 0;
  /** True once nothing fails any more, so that unfinished work can end. */
  #isCalm = false;

  constructor(private readonly seed: number) {
    this.scheduler = new Scheduler(seed);
    const { scheduler } = this;
    this.faults = { left: scheduler.below(4), ofReads: 0.04, ofAppends: 0.06 };
    this.#crashesLeft = scheduler.below(3);
    const { isLate, memory, pay_again } = scheduler.pick(BANKS);
    const terms: TransferTerms = { ...TERMS, pay_again };
    const isHostile = scheduler.chance(0.7);
    this.#bank = new BankInMemory({
      clock: this.clock,
      terms,
      memory,
      fate: () => this.#fate(isHostile),
      delayMs: () => Math.floor(scheduler.random() * (isLate && scheduler.chance(0.5) ? 2 * DAY_MS : terms.settle_after === 900 ? 890_000 : 0)),
      ends: () => ({
        afterMs: Math.floor(scheduler.random() * scheduler.pick([5_000, 2 * HOUR_MS, DAY_MS])),
        as: scheduler.chance(0.7) ? 'paid' : 'failed',
      }),
      answers: () => this.#isCalm || !scheduler.chance(0.15),
    });
  }

  violate(what: string): void {
    this.#violation ??= what;
  }

  /** Now and then a worker sleeps between a stored attempt and its call. */
  written(worker: Worker): void {
    const isAttempt = this.engine.all().at(-1)?.type === 'PayoutAttempted';
    if (isAttempt && !this.#isCalm && this.scheduler.chance(0.15)) this.scheduler.pause(worker, 20 + this.scheduler.below(120));
  }

  /** The bank acts at once; its caller gets the answer later, or never. */
  bankFor(worker: Worker): RemoteBank {
    const bank = this.#bank;
    const heard = async <T>(what: string, answer: Promise<T>): Promise<T> => {
      answer.catch(() => undefined);
      if (!this.#isCalm && this.scheduler.chance(0.05)) this.scheduler.pause(worker, 20 + this.scheduler.below(120));
      await this.scheduler.step(worker, `is answered ${what}`);
      return answer;
    };
    return {
      name: bank.name,
      terms: bank.terms,
      bankCode: (of) => bank.bankCode(of),
      inquireName: (of) => heard('who holds the account', bank.inquireName(of)),
      pay: (attempt) => heard(`to pay ${attempt.attempt}`, bank.pay(attempt)),
      status: (attempt) => heard('what has become of it', bank.status(attempt)),
      statement: bank.statement,
      balance: bank.balance,
      parse: bank.parse,
      check: bank.check,
    };
  }

  async play(): Promise<RunResult> {
    try {
      await this.#fund();
      for (const name of ['W1', 'W2']) this.#start(name);
      if (this.scheduler.chance(0.4)) void this.#notify();
      await this.scheduler.run(
        () => this.#violation !== null || this.#end() !== undefined || this.#isLongHeld() || this.scheduler.trace.length > STEPS_MAX / 2,
        () => this.#between(),
        STEPS_MAX,
      );
      await this.#judgeEnd();
    } catch (error) {
      this.violate(error instanceof Stuck ? 'it never ends' : `${(error as Error).name}: ${(error as Error).message}`);
    }
    const { trace } = this.scheduler;
    const log = this.engine.all();
    const types = [...new Set(log.map(({ type }) => type))];
    return { seed: this.seed, steps: trace.length, events: log.length, types, violation: this.#violation, trace };
  }

  async #fund(): Promise<void> {
    const created_on = timestamp(this.#now);
    const requested: PayoutRequested = {
      ...{ ...OF, amount: 600, fee: { type: 'FIXED', value: 100 }, fee_amount: 100, net_amount: 500 },
      ...{ bank_account_name: 'Siti', bank_account_number: '12345678', bank_name: 'BCA', reference_id: null, description: null, meta_data: {} },
      ...{ fingerprint: 'print', ...NOT_HELD, created_by: 'key_1', created_on },
    };
    const { merchant_id, currency } = OF;
    const lines = [{ kind: 'charge', record_id: 'c', net_amount: 600, fee_amount: 0 }];
    const settled = { merchant_id, currency, settlement_number: 1, lines, totals: { net_amount: '600' }, settled_on: created_on };
    await this.engine.append(ACCOUNT, 'no-stream', [newEvent(settled, 'FundsSettled'), newEvent(requested, 'PayoutRequested')]);
  }

  #start(name: string): void {
    this.#started += 1;
    const worker = new Worker(`${name}.${this.#started}`, this);
    this.#workers.push(worker);
    void this.#work(worker);
  }

  /** As OpenRecordPoller does: looks after the payout when that is due, for ever. */
  async #work(worker: Worker): Promise<void> {
    await this.scheduler.step(worker, 'begins');
    for (;;) {
      let advanced: boolean | number = false;
      try {
        advanced = await worker.transfers.advance({ ...OF, mode: 'live' }, worker.inquiries);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) this.violate(`${(error as Error).name}: ${(error as Error).message}`);
      }
      const until = this.#now + (typeof advanced === 'number' ? advanced : PAUSE_MS * (1 + this.scheduler.below(20)));
      await this.scheduler.idleStep(worker, 'waits');
      this.#now = Math.max(this.#now, until);
    }
  }

  /** Sends notifications of an outcome, true or not. */
  async #notify(): Promise<void> {
    for (let n = 0; n < 4; n += 1) {
      await this.scheduler.idleStep(null, 'notifies');
      const reference = await this.references.partnerReference(this.#bank.name, { ...OF, created_on: timestamp(START) });
      await this.#workers
        .at(-1)!
        .transfers.confirm(this.#bank.name, reference)
        .catch(() => undefined);
    }
  }

  #between(): void {
    if (this.scheduler.trace.length > STEPS_MAX / 3) this.#calm();
    if (this.#crashesLeft > 0 && this.scheduler.chance(0.02)) {
      this.#crashesLeft -= 1;
      const victim = this.scheduler.pick(this.#workers);
      victim.isAlive = false;
      this.scheduler.bury();
      this.#workers = this.#workers.filter((worker) => worker !== victim);
      this.#start(victim.name.slice(0, 2));
    }
    if (this.#bank.paid > 1) this.violate(`paid ${this.#bank.paid} times`);
    // A worker sleeps between two of its steps while the other continues, so its reads get old.
    if (!this.#isCalm && this.#workers.length > 1 && this.scheduler.chance(0.015))
      this.scheduler.pause(this.scheduler.pick(this.#workers), 20 + this.scheduler.below(200));
    if (!this.#isCalm && this.scheduler.chance(0.03)) this.#now += this.scheduler.pick([15_000, 1_000_000, 10 * HOUR_MS, 4 * DAY_MS]);
  }

  #calm(): void {
    this.#isCalm = true;
    this.#crashesLeft = 0;
    this.faults.left = 0;
  }

  #fate(isHostile: boolean): Fate {
    if (!isHostile || this.#isCalm) return 'arrives';
    return this.scheduler.pick<Fate>([
      'arrives',
      'arrives, and the answer is lost',
      'arrives later',
      'arrives later',
      'is lost',
      'refused',
      'not now',
      'breaks',
    ]);
  }

  /** How it has ended for the merchant. */
  #end(): 'SUCCEEDED' | 'FAILED' | undefined {
    for (const { type } of this.engine.all()) {
      if (type === 'PayoutSucceeded') return 'SUCCEEDED';
      if (type === 'PayoutFailed') return 'FAILED';
    }
    return undefined;
  }

  /** Returns true once only the final statement of the bank can decide the payout. */
  #isLongHeld(): boolean {
    if (this.#heldSince === undefined && this.engine.all().some(({ type }) => type === 'PayoutHeld')) this.#heldSince = this.scheduler.trace.length;
    return this.#heldSince !== undefined && this.scheduler.trace.length > this.#heldSince + STEPS_HELD;
  }

  async #state(): Promise<TransferState> {
    return (await foldStream<TransferState, TransferEvent>(this.engine, transferStream(OF.payout_id), transfer)).state;
  }

  async #judgeEnd(): Promise<void> {
    if (this.#violation !== null) return;
    const { held, decided } = await this.#state();
    for (const worker of this.#workers) worker.isAlive = false;
    this.scheduler.bury();
    // Whatever is still on its way arrives, or never will.
    this.#now += 10 * DAY_MS;
    const { paid } = this.#bank;
    if (!this.#end() && !decided) {
      if (held.length === 0) return this.violate('it has not ended, and nobody knows');
      await this.#resolve(paid);
    }
    const end = this.#end();
    if (paid > 1) this.violate(`paid ${paid} times`);
    else if (end === 'FAILED' && paid > 0) this.violate('FAILED, and paid');
    else if (end === 'SUCCEEDED' && paid === 0) this.violate('SUCCEEDED, and never paid');
  }

  /** An operator decides the payout by the final statement. */
  async #resolve(paid: number): Promise<void> {
    const clock = this.clock;
    const accounts = new AccountQueue(this.engine, NO_SNAPSHOTS, clock, simulatedWaits());
    const registry = new PayoutRegistry(this.engine, accounts, clock);
    const payouts = new PayoutOutcomes(
      this.engine,
      accounts,
      registry,
      { find: async () => undefined },
      clock,
      () => this.violate('contradicted'),
      NOBODY,
    );
    const word = { verdict: paid > 0 ? ('paid' as const) : ('failed' as const), decided_by: 'sari', evidence: 'statement 7', is_final: true };
    const outcome = await resolvePayout({ store: this.engine, payouts, clock, inquiryWindowDays: async () => undefined }, OF.payout_id, word);
    if ('refusal' in outcome) this.violate(`a person cannot end it: ${outcome.detail}`);
  }
}

import { describe, expect, it } from '@jest/globals';
import { AccountQueue } from '../../src/domain/accounts/account-queue.js';
import { waitOn } from '../../src/ledger/streams/decide-on-stream.js';
import { accountStream, type PayoutRequested } from '../../src/ledger/events/account.events.js';
import { DAY_MS, timestamp } from '../../src/ledger/time.js';
import { PayoutOutcomes } from '../../src/domain/payouts/payout-outcomes.js';
import { PayoutRegistry } from '../../src/domain/payouts/payout-registry.js';
import type { BankRoutes, RemoteBank } from '../../src/domain/payouts/transfer/remote-bank.js';
import { Transfers } from '../../src/domain/payouts/transfer/transfer.js';
import type { AppendResult, EventStore, RecordedEvent, SubscriptionBatch } from '../../src/platform/event-store/event-store.js';
import { BankInMemory, TERMS, type Fate } from '../support/bank-in-memory.js';
import { newEvent } from '../support/events.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { ReferencesInMemory } from '../support/references-in-memory.js';
import { simulatedWaits } from '../support/simulated-waits.js';
import { NO_SNAPSHOTS, START } from './world.js';
import { NOBODY, NOT_HELD } from '../support/approvals.js';

const OF = { payout_id: '11111111-2222-5333-8444-555555555555', merchant_id: '0b0f2d6e-3f0e-4c55-9d3b-2a4f0a1c7e11', currency: 'IDR' };
const LOOKS_MAX = 200;
const NO_ANSWER = new Promise<never>(() => undefined);

/** The end of a process: at its nth step to the outside, which is made or not. */
interface Death {
  readonly step: number;
  readonly isMade: boolean;
}

/** Calls of a process to others. After its death no call returns. */
class Life {
  steps = 0;
  #isDead = false;
  #die!: () => void;
  readonly died = new Promise<'died'>((resolve) => (this.#die = () => resolve('died')));

  constructor(private readonly death?: Death) {}

  async step<T>(make: () => Promise<T>): Promise<T> {
    if (this.#isDead) return NO_ANSWER;
    this.steps += 1;
    if (this.steps !== this.death?.step) return make();
    this.#isDead = true;
    if (this.death.isMade) await make().catch(() => undefined);
    this.#die();
    return NO_ANSWER;
  }
}

class MortalStore implements EventStore {
  constructor(
    private readonly engine: InMemoryEventStore,
    private readonly life: Life,
  ) {}

  append(...asked: Parameters<EventStore['append']>): Promise<AppendResult> {
    return this.life.step(() => this.engine.append(...asked));
  }

  read(...asked: Parameters<EventStore['read']>): Promise<RecordedEvent[]> {
    return this.engine.read(...asked);
  }

  head(): Promise<bigint | null> {
    return this.engine.head();
  }

  subscribe(): AsyncIterable<SubscriptionBatch> {
    throw new Error('nobody subscribes here');
  }

  async close(): Promise<void> {}
}

interface Plot {
  readonly name: string;
  /** Fate of each attempt, in order; the last one applies to all later attempts. */
  readonly fates: readonly Fate[];
  readonly endsAs?: 'paid' | 'failed' | 'returned';
  readonly payAgain?: boolean;
  readonly holder?: 'nobody';
}

const PLOTS: readonly Plot[] = [
  { name: 'is paid', fates: ['arrives'] },
  { name: 'fails', fates: ['arrives'], endsAs: 'failed' },
  { name: 'is given back', fates: ['arrives'], endsAs: 'returned' },
  { name: 'is refused', fates: ['refused'] },
  { name: 'is paid, and the answer is lost', fates: ['arrives, and the answer is lost'] },
  { name: 'is taken at the second time', fates: ['not now', 'arrives'] },
  { name: 'is lost, and paid by a second attempt', fates: ['is lost', 'arrives'] },
  { name: 'is lost, and may not be paid again', fates: ['is lost'], payAgain: false },
  { name: 'arrives late, while an operator looks at it', fates: ['arrives later'], payAgain: false },
  { name: 'goes to an account that does not exist', fates: ['arrives'], holder: 'nobody' },
];

class Story {
  readonly engine = new InMemoryEventStore();
  readonly bank: BankInMemory;
  readonly #references = new ReferencesInMemory();
  #now = START;

  constructor({ fates, endsAs = 'paid', payAgain = true, holder }: Plot) {
    let attempts = 0;
    this.bank = new BankInMemory({
      clock: () => this.#now,
      terms: { ...TERMS, pay_again: payAgain },
      fate: () => fates[Math.min(attempts++, fates.length - 1)]!,
      delayMs: () => 2 * DAY_MS,
      ends: () => ({ afterMs: 30_000, as: endsAs }),
      ...(holder && { holder: () => ({ is: 'rejected', code: '4041511', detail: 'no such account' }) }),
    });
  }

  async begin(): Promise<void> {
    const created_on = timestamp(this.#now);
    const { merchant_id, currency } = OF;
    const requested: PayoutRequested = {
      ...{ ...OF, amount: 600, fee: { type: 'FIXED', value: 100 }, fee_amount: 100, net_amount: 500 },
      ...{ bank_account_name: 'Siti', bank_account_number: '12345678', bank_name: 'BCA', reference_id: null, description: null, meta_data: {} },
      ...{ fingerprint: 'print', ...NOT_HELD, created_by: 'key_1', created_on },
    };
    const lines = [{ kind: 'charge', record_id: 'c', net_amount: 600, fee_amount: 0 }];
    const settled = { merchant_id, currency, settlement_number: 1, lines, totals: { net_amount: '600' }, settled_on: created_on };
    await this.engine.append(accountStream(merchant_id, currency), 'no-stream', [
      newEvent(settled, 'FundsSettled'),
      newEvent(requested, 'PayoutRequested'),
    ]);
  }

  /** Until it has ended, is held, or the process is dead. */
  async play(life: Life): Promise<void> {
    const transfers = this.#process(life);
    const inquiries = {};
    for (let looks = 0; looks < LOOKS_MAX && !this.#isOver(); looks += 1) {
      const advanced = await Promise.race([transfers.advance({ ...OF, mode: 'live' }, inquiries), life.died]);
      if (advanced === 'died') return;
      this.#now += typeof advanced === 'number' ? advanced : 1_000;
    }
  }

  count(type: string): number {
    return this.engine.all().filter((event) => event.type === type).length;
  }

  /** How often money has left the bank once nothing can happen any more. */
  get paidInTheEnd(): number {
    this.#now += 10 * DAY_MS;
    return this.bank.paid;
  }

  #isOver(): boolean {
    const isReturned = this.engine.all().some(({ type, data }) => type === 'PayoutDecided' && (data as { verdict: string }).verdict === 'returned');
    return this.count('PayoutHeld') + this.count('PayoutFailed') + (isReturned ? this.count('PayoutReturned') : this.count('PayoutSucceeded')) > 0;
  }

  #process(life: Life): Transfers {
    const clock = (): number => this.#now;
    const store = new MortalStore(this.engine, life);
    const waits = simulatedWaits();
    waitOn(store, waits);
    const accounts = new AccountQueue(store, NO_SNAPSHOTS, clock, waits);
    const registry = new PayoutRegistry(store, accounts, clock);
    const contradicted = ({ said }: { readonly said: string }): never => {
      throw new Error(`contradicted: ${said}`);
    };
    return new Transfers({
      ...{ store, registry, clock, elapsedMs: clock, references: this.#references, routes: this.#routes(life) },
      payouts: new PayoutOutcomes(store, accounts, registry, { find: async () => undefined }, clock, contradicted, NOBODY),
      onHeld: () => undefined,
      onTrouble: () => undefined,
    });
  }

  #routes(life: Life): BankRoutes {
    const { bank } = this;
    const mortal: RemoteBank = {
      ...{ name: bank.name, terms: bank.terms, statement: bank.statement, balance: bank.balance, parse: bank.parse, check: bank.check },
      bankCode: (of) => bank.bankCode(of),
      inquireName: (of) => life.step(() => bank.inquireName(of)),
      pay: (attempt) => life.step(() => bank.pay(attempt)),
      status: (attempt) => life.step(() => bank.status(attempt)),
    };
    const route = () => ({ bank: mortal, is_stopped: false, is_on_trial: false });
    return { route, named: () => mortal, begun: route };
  }
}

describe('kill -9 between any two steps of a payout over a network', () => {
  const types = new Set<string>();

  it.each(PLOTS)(
    'a crash between two steps of a payout over a network leaves no step half done and nothing paid twice, when it $name',
    async (plot) => {
      const whole = new Story(plot);
      await whole.begin();
      const undisturbed = new Life();
      await whole.play(undisturbed);
      for (const { type } of whole.engine.all()) types.add(type);
      for (let step = 1; step <= undisturbed.steps; step += 1) {
        for (const isMade of [false, true]) {
          const story = new Story(plot);
          await story.begin();
          await story.play(new Life({ step, isMade }));
          await story.play(new Life());
          const [succeeded, failed, held] = ['PayoutSucceeded', 'PayoutFailed', 'PayoutHeld'].map((type) => story.count(type));
          const paid = story.paidInTheEnd;
          expect({ step, isMade, ends: succeeded! + failed! + held!, contradicted: story.count('PayoutOutcomeContradicted') }).toEqual({
            ...{ step, isMade, ends: 1, contradicted: 0 },
          });
          expect({ step, isMade, isTwice: paid > 1, wrong: (succeeded === 1 && paid === 0) || (failed === 1 && paid > 0) }).toEqual({
            ...{ step, isMade, isTwice: false, wrong: false },
          });
          for (const { partner_reference } of story.bank.attempts) expect(partner_reference).toBe(story.bank.attempts[0]!.partner_reference);
        }
      }
    },
  );

  it('crashes of payouts over a network strike every kind of step', () => {
    expect([...types].filter((type) => /^(Beneficiary|Payout)/.test(type)).sort()).toEqual([
      ...['BeneficiaryChecked', 'PayoutAttemptClosed', 'PayoutAttempted', 'PayoutDecided', 'PayoutFailed', 'PayoutHeld', 'PayoutRegistered'],
      ...['PayoutRequested', 'PayoutReturned', 'PayoutSubmitted', 'PayoutSucceeded'],
    ]);
  });
});

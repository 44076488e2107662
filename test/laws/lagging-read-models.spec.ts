import { describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { findOwedUpTo } from '../../projections/approvals/at-processor.js';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { findReceivable } from '../../projections/reconciliation/matches/receivable.js';
import { ledger } from '../../src/app/ledger.projection.js';
import { accountSnapshots } from '../../src/domain/accounts/open-accounts.js';
import { adjustmentKind, type AdjustmentContent } from '../../src/domain/approvals/adjustment-kind.js';
import { ProposalEffects } from '../../src/domain/approvals/proposal-effects.js';
import type { ProposalKind } from '../../src/domain/approvals/proposal-kind.js';
import { reconKinds } from '../../src/domain/reconciliation/proposal-kinds.js';
import { dayCloser } from '../../src/domain/reconciliation/reconciliation-services.js';
import { proposalStream, type ProposalMade } from '../../src/ledger/events/proposal.events.js';
import { derivedId } from '../../src/ledger/ids/idempotency.js';
import { systemContext } from '../../src/ledger/streams/new-event.js';
import { StoreUnavailable } from '../../src/platform/event-store/event-store.js';
import { DecisionReads } from '../../src/platform/projector/decision-reads.js';
import type { OrdinalEvent, Projection } from '../../src/platform/projector/projection.js';
import { BankDays, openItemsAfterEach } from '../support/bank-days.js';
import { appendRecorded, InMemoryEventStore } from '../support/in-memory-event-store.js';
import { balancesAfterEach } from '../support/ledger-oracle.js';
import { project, projectOn, setCheckpoint } from '../support/projected.js';
import { entitledFor } from '../support/proposals.js';
import { PROCESSOR } from '../support/recon.js';
import { simulatedWaits } from '../support/simulated-waits.js';
import { suiteDatabase } from '../support/suite-database.js';

const DAYS = 4;
const SEEDS = [1, 2, 3, 4, 6, 7, 16];
const BANKS = ['live-bca', 'live-bni'];
/** Sources of the one processor. Each can be opened once. */
const SOURCES = ['live-sim', 'live-two'];
const OF = { mode: 'live', currency: 'IDR' } as const;
const [MAKER, ...APPROVERS] = ['siti', 'budi', 'eka'].map((name) => derivedId('test', name)) as [string, string, string];
const CONTEXT = systemContext('test');
/** Kinds of adjustments, and differences of matches. */
const KINDS = 8;
const ROUNDS_MAX = 50;
/** Steps of operators between the opening of a close and its end. */
const STEPS_WHILE_OPEN = 4;
const HEAD = { position: 1, events: 1, hash: '0'.repeat(64), signature: 'AA==', sealed_on: '2026-01-31T08:15:30.123+00:00' };

/** Number of proposals by kind and end; `late` counts attempts for which the read models were too far behind. */
type Outcomes = Map<string, number>;

/**
 * Trade and files of two banks with one processor, while operators' proposals take effect and days are closed by the service's own code, on read
 * models that stop anywhere in the log, `ledger` and `recon` each for itself.
 */
class LaggingDesk extends BankDays {
  readonly #store = new InMemoryEventStore();
  readonly #effects: ProposalEffects;
  readonly #kinds: Readonly<Record<string, ProposalKind<never>>>;
  readonly #applied = new Map<Projection, number>([
    [recon, 0],
    [ledger, 0],
  ]);
  /** Proposals that have not ended. */
  #pending: string[] = [];
  readonly #toldKinds = new Map<string, string>();
  #isSealed = true;

  constructor(
    seed: number,
    private readonly pool: Pool,
    private readonly outcomes: Outcomes,
  ) {
    super(seed, BANKS);
    this.world.set('live-two', PROCESSOR);
    const clock = (): number => this.world.log.clockMs;
    const reads = new DecisionReads(this.#store, pool, async () => undefined);
    this.#kinds = {
      ADJUSTMENT: adjustmentKind(this.#store, { reads, snapshots: accountSnapshots(null), timeZone: 'UTC' }),
      MATCH_DIFFERENCE: reconKinds(reads, clock).MATCH_DIFFERENCE,
    };
    this.#effects = new ProposalEffects({
      ...{ store: this.#store, clock, waits: simulatedWaits() },
      entitled: async () => entitledFor(...APPROVERS),
      targetOf: ({ kind, content, ...made }) => this.#kinds[kind]!.targetOf(content as never, made),
    });
  }

  get #log() {
    return this.world.log;
  }

  async begin(): Promise<void> {
    for (const projection of this.#applied.keys()) {
      await project(this.pool, projection, [], 1);
      await setCheckpoint(this.pool, projection, undefined);
    }
  }

  /** A read model applies more of the log, operators propose, and something that waits is tried. */
  async between(): Promise<void> {
    for (const projection of this.#applied.keys()) if (this.random() < 0.4) await this.#apply(projection, this.upTo(12));
    if (this.random() < 0.35) await this.#propose();
    this.#isSealed = this.random() < 0.5;
    await this.#settle(0.2);
    if (this.random() < 0.3) for (const bank of BANKS) await this.#close(bank);
  }

  /** The open closes end. */
  async closeAll(): Promise<void> {
    this.#isSealed = true;
    await this.applyAll();
    for (const bank of BANKS) await this.#close(bank);
  }

  /** Everything that waits ends. */
  async end(): Promise<void> {
    // Each round may add a claim that the next one needs to be applied.
    for (let rounds = 0; this.#pending.length > 0 && rounds < ROUNDS_MAX; rounds += 1) {
      await this.applyAll();
      await this.#settle(1);
    }
    expect(this.#pending).toEqual([]);
    await this.applyAll();
  }

  async applyAll(): Promise<void> {
    await this.#share();
    for (const projection of this.#applied.keys()) await this.#apply(projection, this.#log.events.length);
  }

  async #apply(projection: Projection, count: number): Promise<void> {
    const from = this.#applied.get(projection)!;
    const until = Math.min(from + count, this.#log.events.length);
    await projectOn(this.pool, projection, this.#log.events.slice(from, until), 1_000);
    await setCheckpoint(this.pool, projection, this.#log.events[until - 1]);
    this.#applied.set(projection, until);
  }

  /** The store and the log receive each other's new events. */
  async #share(): Promise<void> {
    await appendRecorded(this.#store, this.#log.events.slice(this.#store.all().length));
    for (const event of this.#store.all(this.#log.events.length)) this.#log.take(event);
  }

  /** Runs the service's own code. @returns undefined when its read models are too far behind, or a part is missing */
  async #run<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    await this.#share();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return undefined;
    } finally {
      await this.#share();
    }
  }

  #count(outcome: string): void {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }

  async #propose(): Promise<void> {
    const proposed = await this.#run(() =>
      this.one([() => this.#writeOff(), () => this.#opening(), () => this.#resolution(), () => this.#resolution(), () => this.#difference()])!(),
    );
    if (!proposed) return;
    const [kind, content, name] = proposed;
    const proposal_id = this.#log.id(`proposal ${this.#log.events.length}`);
    const of = { merchant_id: null, proposal_id, key_id: 'key_1', reason: 'why' };
    const digest = '0'.repeat(64);
    const made: ProposalMade = {
      ...of,
      ...{ kind, content, digest, evidence: [], person_id: MAKER, approvals_required: 2, controllers_required: 1 },
      ...{ approve_by: '2027-01-01T00:00:00.000+00:00', made_on: this.#log.now },
    };
    const refused = await this.#run(async () => (await this.#effects.refusalOf(made)) ?? null);
    if (refused !== null) return;
    this.#log.add({ type: 'ProposalMade', data: made }, proposalStream(proposal_id));
    for (const person_id of APPROVERS) {
      const data = { ...of, person_id, role: 'controller', digest, approved_on: this.#log.now } as const;
      this.#log.add({ type: 'ProposalApproved', data }, proposalStream(proposal_id));
    }
    this.#toldKinds.set(proposal_id, name);
    this.#pending.push(proposal_id);
  }

  #adjustment(content: AdjustmentContent): Proposed {
    return ['ADJUSTMENT', { ...content }, content.kind];
  }

  async #writeOff(): Promise<Proposed | undefined> {
    const charge = this.one(this.paid);
    return charge && this.#adjustment({ kind: 'WRITE_OFF', ...OF, amount: charge.amount, item_id: charge.event_id });
  }

  /** The figures are those that an operator sees, however late they are. */
  async #opening(): Promise<Proposed | undefined> {
    const newest = this.#log.events.length;
    const position = this.random() < 0.5 ? newest + 1 - this.upTo(6) : 1 + this.upTo(newest);
    const { amount } = await findOwedUpTo(this.pool, { processor: 'SIMULATOR', ...OF, position });
    const source = this.one(SOURCES)!;
    return amount > 0n ? this.#adjustment({ kind: 'OPENING', ...OF, amount: Number(amount), source, position }) : undefined;
  }

  async #resolution(): Promise<Proposed | undefined> {
    const { rows } = await this.pool.query<{ id: string; amount: number; is_payment: boolean }>(
      `select id, amount::int4 as amount, merchant_id <> '00000000-0000-0000-0000-00000000000a' as is_payment
         from ledger.suspense_items where item_status <> 'RESOLVED' order by came, id`,
    );
    const item = this.one(rows);
    if (!item) return undefined;
    const about = { currency: 'IDR', amount: Math.abs(item.amount), item_id: item.id };
    if (item.amount < 0) return this.#adjustment({ kind: this.random() < 0.5 ? 'LOSS' : 'COST', mode: 'live', ...about });
    const merchant_id = this.world.merchants.live;
    if (!item.is_payment) return this.#adjustment({ kind: 'TOP_UP', merchant_id, ...about });
    return this.random() < 0.5
      ? this.#adjustment({ kind: 'UNMATCHED_SENT_BACK', mode: 'live', ...about })
      : this.#adjustment({ kind: 'UNMATCHED_TO_MERCHANT', merchant_id, waive_fee: true, ...about });
  }

  async #difference(): Promise<Proposed | undefined> {
    const { rows } = await this.pool.query<{ id: string }>(
      `select id from recon.breaks where resolved_from is null and kind in ('AMOUNT', 'PAYOUT_AMOUNT', 'REMITTANCE_SHORT') order by opened_from, id`,
    );
    const found = this.one(rows);
    if (!found) return undefined;
    const content = await this.#kinds['MATCH_DIFFERENCE']!.completed!({
      break_id: found.id,
      account: this.random() < 0.5 ? 'costs' : 'losses',
    } as never);
    return 'amount' in content ? ['MATCH_DIFFERENCE', content, 'MATCH_DIFFERENCE'] : undefined;
  }

  /** Tries proposals that wait: some of them, with this likelihood. */
  async #settle(likelihood: number): Promise<void> {
    for (const id of this.#pending) {
      if (this.random() >= likelihood) continue;
      const name = this.#toldKinds.get(id)!;
      const position = await this.#run(() => this.#effects.run(id, CONTEXT));
      if (position === undefined) {
        this.#count(`${name} late`);
        continue;
      }
      this.#pending = this.#pending.filter((each) => each !== id);
      this.#count(`${name} ${this.#log.events.findLast(({ stream }) => stream === proposalStream(id))!.type}`);
    }
  }

  async #close(bank: string): Promise<void> {
    const sealed = { isSealed: async () => this.#isSealed, head: async () => HEAD };
    const closer = dayCloser({ store: this.#store, clock: () => this.#log.clockMs, pool: this.pool, sealed });
    await this.#run(() => closer.run(bank, CONTEXT));
  }
}

type Proposed = readonly [kind: string, content: Readonly<Record<string, unknown>>, name: string];

/** Whether a close was open at each event: its tick counts at once, and its lines part by part. */
function closing(events: readonly OrdinalEvent[]): boolean[] {
  let open = 0;
  return events.map(({ type }) => {
    if (type === 'DayCloseOpened') open += 1;
    if (type === 'DayClosed') open -= 1;
    return open > 0;
  });
}

describe('decisions on read models that are behind the log', () => {
  let pool: Pool;
  const outcomes: Outcomes = new Map();
  suiteDatabase((opened) => (pool = opened), { statementTimeoutMs: 0 });

  it.each(SEEDS)(
    'the debts of processors and suspense equal their open items after each event (%i)',
    async (seed) => {
      const desk = new LaggingDesk(seed, pool, outcomes);
      const { world } = desk;
      await desk.begin();
      for (let n = 1; n <= DAYS; n += 1) {
        await desk.day(() => desk.between());
        for (const bank of BANKS) world.openDay(n, world.log.now.slice(0, 10), bank);
        for (let steps = 0; steps < STEPS_WHILE_OPEN; steps += 1) await desk.between();
        await desk.closeAll();
        world.days(1);
      }
      await desk.end();
      const { events } = world.log;
      expect(events.filter(({ type }) => type === 'DayClosed')).toHaveLength(DAYS * BANKS.length);
      const isClosing = closing(events);
      const processor = balancesAfterEach(events, 'processor');
      for (const { ordinal } of events) {
        if (isClosing[ordinal - 1]) continue;
        const owed = (await findReceivable(pool, 'live', world.log.now, ordinal)).reduce((sum, { amount }) => sum + amount, 0n);
        expect({ ordinal, owed }).toEqual({ ordinal, owed: -processor[ordinal - 1]! });
      }
      expect(await openItemsAfterEach(pool, events)).toEqual(balancesAfterEach(events, 'suspense'));
    },
    120_000,
  );

  it('the proposals of these histories have taken effect, failed, and waited for read models', () => {
    const ends = ['ProposalExecuted', 'ProposalFailed', 'late'].map((end) => [...outcomes.keys()].filter((outcome) => outcome.endsWith(` ${end}`)));
    expect(ends[0]).toHaveLength(KINDS);
    for (const kinds of ends) expect(kinds).not.toEqual([]);
  });
});

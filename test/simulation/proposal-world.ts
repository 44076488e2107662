import { entitledFor } from '../support/proposals.js';
import { ProposalEffects } from '../../src/domain/approvals/proposal-effects.js';
import { refusedIn, targetOf, type ProposalTarget } from '../../src/domain/approvals/proposal-target.js';
import type { Refused } from '../../src/ledger/decider.js';
import { waitOn } from '../../src/ledger/streams/decide-on-stream.js';
import { OPERATORS_STREAM } from '../../src/ledger/events/operator.events.js';
import { proposalStream } from '../../src/ledger/events/proposal.events.js';
import { systemContext } from '../../src/ledger/streams/new-event.js';
import { timestamp } from '../../src/ledger/time.js';
import { operators, type OperatorCommand } from '../../src/domain/operators/operators.decider.js';
import { StoreUnavailable, type NewEvent, type RecordedEvent } from '../../src/platform/event-store/event-store.js';
import { newEvent } from '../support/events.js';
import { InMemoryEventStore } from '../support/in-memory-event-store.js';
import { simulatedWaits } from '../support/simulated-waits.js';
import { Scheduler, Stuck, type Killable } from './scheduler.js';
import { SimulatedStore, type Faults } from './simulated-store.js';
import { START, type RunResult } from './world.js';

const APPROVER = 'budi';
const PERSON = 'dewi';
const STEPS_MAX = 2_000;
/** Steps after all proposals have ended, so that late answers arrive. */
const STEPS_AFTER = 150;

/** Brings proposals into effect, as a request or the elected worker does. */
class Executor implements Killable {
  isAlive = true;
  /** Whether the approver could approve when this process looked last. */
  looked = true;
  readonly effects: ProposalEffects;

  constructor(
    readonly name: string,
    world: ProposalWorld,
  ) {
    const { engine, scheduler, faults } = world;
    const store = new SimulatedStore(
      engine,
      scheduler,
      this,
      faults,
      (events) => world.sent(this, events),
      () => world.judge(),
    );
    const waits = simulatedWaits(() => scheduler.step(this, 'pauses'));
    waitOn(store, waits);
    this.effects = new ProposalEffects({
      ...{ store, waits, clock: world.clock },
      entitled: async () => {
        await scheduler.step(this, 'looks who may approve');
        this.looked = !world.isSuspended;
        return entitledFor(...(this.looked ? [APPROVER] : []));
      },
      targetOf: (made) => world.targetOf(made.proposal_id),
    });
  }
}

/** Proposals that want to change one person, executors that die and come late, others who change the same stream, and a rule outside of it. */
export class ProposalWorld {
  readonly engine = new InMemoryEventStore();
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly clock = (): number => START;
  isSuspended = false;
  /** The rule outside of the target. */
  #isStrict = false;
  #violation: string | null = null;
  #crashesLeft: number;
  #trafficLeft: number;
  #executors: Executor[] = [];
  #started = 0;
  #endedAt: number | undefined;
  readonly #ids: readonly string[];
  /** That all of the proposals resolve; null: none. */
  readonly #item: string | null;

  constructor(private readonly seed: number) {
    this.scheduler = new Scheduler(seed);
    this.faults = { left: this.scheduler.below(5), ofReads: 0.04, ofAppends: 0.12 };
    this.#crashesLeft = this.scheduler.below(3);
    this.#trafficLeft = this.scheduler.below(5);
    this.#ids = this.scheduler.chance(0.5) ? ['p1'] : ['p1', 'p2'];
    this.#item = this.scheduler.chance(0.5) ? 'i1' : null;
  }

  targetOf(proposal_id: string): ProposalTarget {
    const at = { stream: OPERATORS_STREAM, refused: refusedIn(null), item: this.#item };
    return targetOf(at, operators, (now): OperatorCommand | Refused =>
      this.#isStrict
        ? { refusal: 'strict', detail: 'A newer build says no.' }
        : { kind: 'set-roles' as const, person_id: PERSON, roles: [], reason: 'why', proposal_id, now },
    );
  }

  sent({ looked, name }: Executor, events: readonly NewEvent[]): void {
    if (!looked && events.some(({ type }) => type === 'ProposalClaimed'))
      this.#violate(`${name} goes on though it knows that the approver is suspended`);
  }

  async play(): Promise<RunResult> {
    try {
      await this.#begin();
      for (const name of ['request', 'worker']) this.#start(name);
      await this.scheduler.run(
        () => this.#violation !== null || (this.#endedAt !== undefined && this.scheduler.trace.length > this.#endedAt + STEPS_AFTER),
        () => this.#between(),
        STEPS_MAX,
      );
      this.judge();
    } catch (error) {
      this.#violate(error instanceof Stuck ? 'it never ends' : `${(error as Error).name}: ${(error as Error).message}`);
    }
    for (const executor of this.#executors) executor.isAlive = false;
    this.scheduler.bury();
    const log = this.engine.all();
    const { trace } = this.scheduler;
    return {
      seed: this.seed,
      steps: trace.length,
      events: log.length,
      types: [...new Set(log.map(({ type }) => type))],
      violation: this.#violation,
      trace,
    };
  }

  /** After each event that was written. */
  judge(): void {
    const log = this.engine.all();
    for (const id of this.#ids)
      this.#judgeOne(
        id,
        log.filter(({ data }) => (data as { proposal_id?: string }).proposal_id === id),
      );
    const isEnd = ({ type }: RecordedEvent): boolean => ENDS.includes(type);
    if (log.filter(isEnd).length >= this.#ids.length) this.#endedAt ??= this.scheduler.trace.length;
  }

  #judgeOne(id: string, events: readonly RecordedEvent[]): void {
    const inTarget = events.filter(({ stream }) => stream === OPERATORS_STREAM);
    if (inTarget.length > 1) this.#violate(`${id} took effect ${inTarget.length} times`);
    if (events.filter(({ type }) => type === 'ProposalClaimed').length > 1) this.#violate(`${id} has two marks`);
    const ends = events.filter(({ type }) => ENDS.includes(type)).map(({ type }) => type);
    if (ends.length > 1) this.#violate(`${id} has two ends`);
    const [effect] = inTarget;
    const wanted = effect && (effect.type === 'ProposalRefused' ? 'ProposalFailed' : 'ProposalExecuted');
    const [claimed] = this.engine.all().filter(({ type }) => type === 'SuspenseItemClaimed');
    const isOfAnother = claimed !== undefined && (claimed.data as { proposal_id: string }).proposal_id !== id;
    if (effect && this.#item !== null && (!claimed || isOfAnother)) this.#violate(`${id} takes an item that is not its own`);
    const isWithout = ends[0] === 'ProposalVoided' || (ends[0] === 'ProposalFailed' && isOfAnother);
    const isAsFound = isWithout ? effect === undefined : ends[0] === wanted;
    if (ends.length > 0 && !isAsFound) this.#violate(`${id} ended with ${ends[0]}, and its target has ${effect?.type ?? 'nothing'}`);
  }

  #violate(what: string): void {
    this.#violation ??= what;
  }

  async #begin(): Promise<void> {
    const now = timestamp(START);
    const of = { merchant_id: null, person_id: PERSON };
    const added = newEvent({ ...of, name: 'Dewi', sealed: '', reason: 'joins', added_on: now }, 'OperatorAdded');
    // Without the operator at first, a refusal and an effect are both possible.
    await this.engine.append(OPERATORS_STREAM, 'no-stream', [this.scheduler.chance(0.7) ? added : this.#added('first')]);
    for (const proposal_id of this.#ids) {
      const made = {
        ...{ proposal_id, kind: 'ROLES', content: {}, digest: 'digest', reason: 'why', evidence: [], person_id: 'siti', key_id: 'key_1' },
        ...{ approvals_required: 1, controllers_required: 1, approve_by: timestamp(START + 1), merchant_id: null, made_on: now },
      };
      const by = { merchant_id: null, proposal_id, person_id: APPROVER, key_id: 'key_2', role: 'controller', digest: 'digest', reason: 'yes' };
      await this.engine.append(proposalStream(proposal_id), 'no-stream', [
        newEvent(made, 'ProposalMade'),
        newEvent({ ...by, approved_on: now }, 'ProposalApproved'),
      ]);
    }
  }

  #added(person_id: string): NewEvent {
    return newEvent({ merchant_id: null, person_id, name: person_id, sealed: '', reason: 'joins', added_on: timestamp(START) }, 'OperatorAdded');
  }

  #start(name: string): void {
    this.#started += 1;
    const executor = new Executor(`${name}.${this.#started}`, this);
    this.#executors.push(executor);
    void this.#work(executor);
  }

  async #work(executor: Executor): Promise<void> {
    for (;;) {
      await this.scheduler.idleStep(executor, 'looks what is approved');
      for (const id of this.#ids) {
        await executor.effects.run(id, systemContext()).catch((error: unknown) => {
          if (!(error instanceof StoreUnavailable)) this.#violate(`${(error as Error).name}: ${(error as Error).message}`);
        });
      }
    }
  }

  #between(): void {
    const { scheduler } = this;
    if (this.#trafficLeft > 0 && scheduler.chance(0.05)) {
      this.#trafficLeft -= 1;
      void this.#traffic();
    }
    if (scheduler.chance(0.01)) this.isSuspended = true;
    if (scheduler.chance(0.02)) this.#isStrict = true;
    if (this.#executors.length > 0 && scheduler.chance(0.03)) scheduler.pause(scheduler.pick(this.#executors), 10 + scheduler.below(60));
    if (this.#crashesLeft > 0 && scheduler.chance(0.03)) {
      this.#crashesLeft -= 1;
      const victim = scheduler.pick(this.#executors);
      victim.isAlive = false;
      scheduler.bury();
      this.#executors = this.#executors.filter((executor) => executor !== victim);
      this.#start(victim.name.split('.')[0]!);
    }
  }

  /** Another process changes the target, now and then by the event that decides the outcome. */
  async #traffic(): Promise<void> {
    const stream = await this.engine.read(OPERATORS_STREAM);
    const isThere = stream.some(({ type, data }) => type === 'OperatorAdded' && (data as { person_id: string }).person_id === PERSON);
    await this.engine.append(OPERATORS_STREAM, stream.at(-1)!, [this.#added(isThere ? `other ${this.#trafficLeft}` : PERSON)]);
    this.judge();
  }
}

const ENDS = ['ProposalExecuted', 'ProposalFailed', 'ProposalVoided'];

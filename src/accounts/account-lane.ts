import { newEvent, type CommandContext } from '../ledger/new-event.js';
import {
  OutcomeUnknown,
  StoreUnavailable,
  type AppendResult,
  type EventStore,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from '../platform/event-store/event-store.js';
import { timestamp, type Clock, type Timestamp } from '../time.js';
import { account, type AccountCommand, type AccountRefusal, type AccountState } from './account.decider.js';
import type { AccountEvent } from './account.events.js';
import type { AccountStateStore, LoadedAccount } from './account-state-store.js';

export interface AccountRequest {
  /** Given the moment to decide at, the process's own. Absent: the account as it stands is the answer. */
  readonly command?: (now: Timestamp) => AccountCommand;
  readonly context: Omit<CommandContext, 'now'>;
  /**
   * Asked once the revision that the decision will rest on is fixed, and again whenever that changes.
   * An event found is the answer, and nothing is decided.
   */
  readonly lookAgain?: () => Promise<RecordedEvent | undefined>;
}

export type AccountOutcome =
  | { readonly kind: 'found'; readonly event: RecordedEvent }
  | {
      readonly kind: 'decided';
      /** What this request added; empty when it had been done already. */
      readonly events: readonly AccountEvent[];
      /** As this request left it. */
      readonly state: AccountState;
      /** Of the account's newest event; null while it has none. */
      readonly position: Position | null;
    }
  | { readonly kind: 'refused'; readonly refusal: AccountRefusal; readonly detail: string; readonly state: AccountState };

export interface LaneServices {
  readonly store: EventStore;
  readonly states: AccountStateStore;
  readonly clock: Clock;
  /** Lets `ms` pass: between two attempts at what somebody else got in the way of. */
  readonly pause: (ms: number) => Promise<void>;
}

interface Waiting {
  readonly request: AccountRequest;
  readonly resolve: (outcome: AccountOutcome) => void;
  readonly reject: (error: unknown) => void;
}

interface Plan {
  readonly taken: readonly { readonly waiting: Waiting; readonly answer: (position: Position | null) => void }[];
  /** What did not fit into one append. */
  readonly rest: readonly Waiting[];
  readonly events: readonly NewEvent[];
  readonly after: AccountState;
  /** Rests on what an account does not hold, which nothing protects but a fresh look. */
  readonly needsFresh: boolean;
}

/** Of one batch; with the payout stream's look-ups that each may cost. */
const COMMANDS_MAX = 256;
/** Of one append: half of what an engine takes, so that no event of a plausible size tips it over. */
const APPEND_BYTES_MAX = 512 * 1024;
/** Metadata, type and id of an event, generously. */
const ENVELOPE_BYTES = 512;
/** Requests that may wait for one account. */
const WAITING_MAX = 10_000;
/** Conflicts before a batch gives up; each one means that another process made progress. */
const CONFLICTS_MAX = 20;
/** Sendings of one append whose outcome stays unknown. */
const SENDINGS_MAX = 5;
const PAUSE_MAX_MS = 200;

/**
 * The queue of one account in this process. Whoever waits is taken together: the batch fixes the revision it rests on, looks
 * again for every payout that it might create, decides one request after the other, and appends once.
 *
 * An acceptance is protected by the expected revision; a refusal is protected by nothing, so it is answered only after the
 * append it rests on, or from an account that was loaded after the request had come.
 */
export class AccountLane {
  #waiting: Waiting[] = [];
  #running = false;
  #loaded: LoadedAccount | undefined;
  #snapshotAt = -1;
  #keepingSnapshot = false;

  constructor(
    readonly stream: string,
    private readonly services: LaneServices,
  ) {}

  get isIdle(): boolean {
    return !this.#running;
  }

  /** @throws StoreUnavailable when nothing was recorded; OutcomeUnknown when that could not be learnt. */
  submit(request: AccountRequest): Promise<AccountOutcome> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= WAITING_MAX) {
        reject(new StoreUnavailable(`too many requests wait for ${this.stream}; nothing was recorded`));
        return;
      }
      this.#waiting.push({ request, resolve, reject });
      if (!this.#running) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, COMMANDS_MAX);
      try {
        await this.#run(batch);
      } catch (error) {
        // Those that were answered already take no notice.
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = false;
  }

  async #run(batch: readonly Waiting[]): Promise<void> {
    let fresh = this.#loaded === undefined;
    let base = (this.#loaded ??= await this.services.states.load(this.stream));
    let commands = await this.#lookAgain(batch);
    for (let conflicts = 0; commands.length > 0;) {
      const plan = this.#decide(base, commands);
      if (plan.events.length === 0) {
        if (!plan.needsFresh || fresh) return this.#answer(plan, base);
        const known = base;
        base = this.#loaded = await this.services.states.refresh(this.stream, known);
        fresh = true;
        if (base.state.revision !== known.state.revision) commands = await this.#lookAgain(commands);
        continue;
      }
      const result = await this.#append(base, plan.events);
      if (result.ok) {
        const newest = { id: plan.events.at(-1)!.id, position: result.position };
        this.#loaded = { state: plan.after, newest };
        return this.#answer(plan, this.#loaded);
      }
      conflicts += 1;
      if (conflicts >= CONFLICTS_MAX) throw new StoreUnavailable(`${this.stream} kept changing; nothing was recorded`);
      await this.services.pause(Math.min(2 ** conflicts, PAUSE_MAX_MS));
      base = this.#loaded = await this.services.states.refresh(this.stream, base);
      fresh = true;
      commands = await this.#lookAgain(commands);
    }
  }

  /** Answers those whose payout is found by now; returns the others. */
  async #lookAgain(commands: readonly Waiting[]): Promise<Waiting[]> {
    const found = await Promise.all(
      commands.map(async ({ request, reject }) => {
        try {
          return await request.lookAgain?.();
        } catch (error) {
          reject(error);
          return 'rejected';
        }
      }),
    );
    return commands.filter(({ resolve }, index) => {
      const event = found[index];
      if (event !== undefined && event !== 'rejected') resolve({ kind: 'found', event });
      return event === undefined;
    });
  }

  /** Each request on the state that the one before has left. */
  #decide(base: LoadedAccount, commands: readonly Waiting[]): Plan {
    const now = timestamp(this.services.clock());
    const taken: Plan['taken'][number][] = [];
    const events: NewEvent[] = [];
    let state = base.state;
    let bytes = 0;
    let needsFresh = false;
    for (const [index, waiting] of commands.entries()) {
      const { command, context } = waiting.request;
      try {
        const decision = command ? account.decide(state, command(now)) : undefined;
        if (decision === undefined || 'refusal' in decision) {
          needsFresh = true;
          const stateThen = state;
          taken.push({
            waiting,
            answer: (position) =>
              waiting.resolve(
                decision ? { kind: 'refused', ...decision, state: stateThen } : { kind: 'decided', events: [], state: stateThen, position },
              ),
          });
          continue;
        }
        const added = decision.events.map((fact) =>
          newEvent(fact, { ...context, now }, fact.type === 'PayoutRequested' ? fact.data.fingerprint : undefined),
        );
        const addedBytes = added.reduce((sum, event) => sum + ENVELOPE_BYTES + Buffer.byteLength(JSON.stringify(event.data)), 0);
        if (events.length > 0 && bytes + addedBytes > APPEND_BYTES_MAX) {
          return { taken, rest: commands.slice(index), events, after: state, needsFresh };
        }
        const after = decision.events.reduce(account.evolve, state);
        taken.push({ waiting, answer: (position) => waiting.resolve({ kind: 'decided', events: decision.events, state: after, position }) });
        events.push(...added);
        bytes += addedBytes;
        state = after;
      } catch (error) {
        // A fault in one request is no reason to fail the others.
        taken.push({ waiting, answer: () => waiting.reject(error) });
      }
    }
    return { taken, rest: [], events, after: state, needsFresh };
  }

  #answer(plan: Plan, loaded: LoadedAccount): void {
    this.#waiting.unshift(...plan.rest);
    for (const { answer } of plan.taken) answer(loaded.newest?.position ?? null);
    void this.#keepSnapshot(loaded);
  }

  /** The same events again, nothing added, until it is known what became of them. */
  async #append(base: LoadedAccount, events: readonly NewEvent[]): Promise<AppendResult> {
    const expected = base.newest ? { revision: base.state.revision, id: base.newest.id } : 'no-stream';
    for (let sendings = 1, unknown = false; ; sendings += 1) {
      try {
        return await this.services.store.append(this.stream, expected, events);
      } catch (error) {
        unknown ||= error instanceof OutcomeUnknown;
        if (!unknown || !(error instanceof StoreUnavailable)) throw error;
        if (sendings >= SENDINGS_MAX) {
          this.#loaded = undefined;
          throw new OutcomeUnknown(`it could not be learnt whether ${this.stream} has taken what was sent`, { cause: error });
        }
      }
      await this.services.pause(Math.min(2 ** sendings, PAUSE_MAX_MS));
    }
  }

  async #keepSnapshot(loaded: LoadedAccount): Promise<void> {
    if (this.#keepingSnapshot) return;
    this.#keepingSnapshot = true;
    this.#snapshotAt = await this.services.states.keep(this.stream, loaded, this.#snapshotAt);
    this.#keepingSnapshot = false;
  }
}

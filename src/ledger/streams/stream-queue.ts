import type { Decider, Refused } from '../decider.js';
import {
  OutcomeUnknown,
  StoreUnavailable,
  StoreRestored,
  StreamBusy,
  type AppendResult,
  type EventRef,
  type EventStore,
  type NewEvent,
  type RecordedEvent,
} from '../../platform/event-store/event-store.js';
import { timestamp, type Clock, type Timestamp } from '../time.js';
import type { LedgerEvent } from '../catalogue.js';
import { newestLoaded, type LoadedStream, type NewestEvent } from './fold-stream.js';
import { newEvent, type CommandContext } from './new-event.js';
import { BackOff } from '../../platform/async/back-off.js';

/** How a kind of stream is loaded and decided on. */
export interface StreamKind<State, Command, Event extends LedgerEvent, Refusal extends string> {
  readonly decider: Decider<State, Command, Event, Refusal>;
  /**
   * Loads the stream as the leader knows it now, folded on from `known` when that is given and still valid.
   * @param onPage called with the events of each page that were folded. @throws StoreUnavailable
   */
  load(stream: string, known: LoadedStream<State> | undefined, onPage: (added: readonly Event[]) => void): Promise<LoadedStream<State>>;
  /** Returns the record beside the stream that the event concerns; needed when requests create such records. */
  readonly recordOf?: (event: Event) => string | undefined;
  /** Returns the fingerprint of the event's request, for an event that answers a repeat of it. */
  readonly fingerprintOf?: (event: Event) => string | undefined;
  /** Called after an append. */
  readonly appended?: (stream: string, loaded: LoadedStream<State>, bytes: number) => void;
}

export interface StreamRequest<Command, State> {
  /** Receives the time of the decision, on this process's clock. Absent: the request returns the stream as it stands. */
  readonly command?: (now: Timestamp) => Command;
  readonly context: Omit<CommandContext, 'now'>;
  /** The record that the command would create beside the stream, after an event of the stream that concerns it. */
  readonly record?: {
    readonly id: string;
    /**
     * Called once the revision that the decision depends on is fixed, and again when new events of the stream concern the record. A found event is
     * the result, and nothing is decided.
     */
    readonly find: () => Promise<RecordedEvent | undefined>;
  };
  /** Events of other streams that the command was made from: without them, nothing is recorded. */
  readonly dependsOn?: readonly EventRef[];
  /** The stream as it was read before. An acceptance names the event that it follows; every other result is computed from a new read. */
  readonly known?: LoadedStream<State>;
}

export type StreamOutcome<State, Event, Refusal extends string> =
  | { readonly kind: 'found'; readonly event: RecordedEvent }
  /** `events`: added by this request; empty when it was already done. */
  | ({ readonly kind: 'decided'; readonly events: readonly Event[] } & StreamThen<State>)
  | ({ readonly kind: 'refused' } & Refused<Refusal> & StreamThen<State>);

interface StreamThen<State> {
  /** State after this request. */
  readonly state: State;
  /** The stream's newest event; null while it has none. */
  readonly newest: NewestEvent | null;
  /** The stream up to that event, including the events of requests that were decided together with this one. */
  readonly loaded: LoadedStream<State>;
}

/** How a queue waits: for the system's clock, or for a simulated one. */
export interface Waits {
  /** Milliseconds on a clock that only moves forwards. */
  now(): number;
  /** Waits a random part of `ms`, so that two processes do not collide again. */
  pause(ms: number): Promise<void>;
}

export interface QueueServices {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly waits: Waits;
}

interface Waiting<State, Command, Event, Refusal extends string> {
  readonly request: StreamRequest<Command, State>;
  /** Time at which it is rejected as busy, on the clock of `Waits`. */
  readonly deadline: number;
  readonly resolve: (outcome: StreamOutcome<State, Event, Refusal>) => void;
  readonly reject: (error: unknown) => void;
}

interface Plan<State, Waiting> {
  readonly taken: readonly { readonly waiting: Waiting; readonly answer: (loaded: LoadedStream<State>) => void }[];
  /** Requests whose events did not fit into one append. */
  readonly rest: readonly Waiting[];
  readonly events: readonly NewEvent[];
  /** Dependencies of the commands that added events. */
  readonly dependsOn: readonly EventRef[];
  readonly bytes: number;
  readonly after: State;
  /** True when a result depends on events that the stream does not have, which only a new read can confirm. */
  readonly needsFresh: boolean;
}

/** Maximum requests of one batch, with the look-ups that each may cost. */
const COMMANDS_MAX = 256;
/** Maximum size of one append, bytes: half of the limit of an engine, so that no event of a plausible size exceeds it. */
const APPEND_BYTES_MAX = 512 * 1024;
/** Generous estimate for metadata, type and id of an event, bytes. */
const ENVELOPE_BYTES = 512;
/** Maximum requests that wait for one stream. */
const WAITING_MAX = 10_000;
/** Maximum time that a request waits for its turn and through conflicts, ms: less than an HTTP handler may take, so that it gets the true reason. */
const PATIENCE_MS = 4_000;
/** Maximum times that one append is sent while its outcome stays unknown. */
const SENDINGS_MAX = 5;
/**
 * Longest pause, ms, after an append to a stream that other processes change as well, whether it succeeded or not, so that they take turns. If only
 * the losers paused, and longer each time, a process that needs longer for an attempt would hardly ever win.
 */
const TURN_MS = 8;
/** Time after a conflict for which other processes are assumed to change the stream as well, ms. */
const RIVALS_FOR_MS = 1_000;
/** Pauses before the append is sent again while its outcome is unknown, ms. */
const SENDING_PAUSE_MS = 2;
const SENDING_PAUSE_MAX_MS = 200;
const CHANGED = 'it kept changing';
const LOADING = 'it is long, and still being read';

/**
 * The queue of one stream in this process. Waiting commands are decided together: the batch fixes the revision that it depends on, looks for every
 * record that it might create elsewhere, decides one request after the other, and appends once.
 *
 * The expected revision protects an acceptance. Nothing protects a refusal, or the result that nothing is left to do, so these are returned only
 * after the append that they depend on, or from a stream that was loaded after the request arrived.
 */
export class StreamQueue<State, Command, Event extends LedgerEvent, Refusal extends string> {
  #waiting: Waiting<State, Command, Event, Refusal>[] = [];
  #running = false;
  /** Time until which other processes are assumed to change the stream as well, on the clock of `Waits`. */
  #rivalsUntil = 0;
  #loaded: LoadedStream<State> | undefined;

  constructor(
    readonly stream: string,
    private readonly kind: StreamKind<State, Command, Event, Refusal>,
    private readonly services: QueueServices,
    private readonly onIdle: () => void = () => undefined,
  ) {}

  get isIdle(): boolean {
    return !this.#running;
  }

  /** As this process knows the stream; undefined before it has read it. */
  get state(): State | undefined {
    return this.#loaded?.state;
  }

  /** Requests that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * @throws StoreUnavailable when nothing was recorded, StreamBusy among them when others kept changing the stream;
   * OutcomeUnknown when that could not be determined.
   */
  submit(request: StreamRequest<Command, State>): Promise<StreamOutcome<State, Event, Refusal>> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= WAITING_MAX) {
        reject(new StreamBusy(this.stream, 'too many requests wait for it'));
        return;
      }
      this.#waiting.push({ request, deadline: this.services.waits.now() + PATIENCE_MS, resolve, reject });
      if (!this.#running) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      const batch = this.#patient(this.#waiting.splice(0, COMMANDS_MAX), CHANGED);
      try {
        await this.#run(batch);
      } catch (error) {
        // Has no effect on requests that were answered already.
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running = false;
    this.onIdle();
  }

  async #run(batch: readonly Waiting<State, Command, Event, Refusal>[]): Promise<void> {
    const { waits } = this.services;
    this.#loaded ??= newestLoaded(batch.flatMap(({ request: { known } }) => known ?? []));
    let fresh = this.#loaded === undefined;
    let base = (this.#loaded ??= await this.#load(batch));
    let commands = await this.#findRecords(this.#patient(batch, CHANGED));
    while (commands.length > 0) {
      const plan = this.#decide(base, commands);
      const result = plan.events.length > 0 ? await this.#append(base, plan) : undefined;
      if (!result && (!plan.needsFresh || fresh)) return this.#answer(plan, base);
      if (result?.ok) {
        const { revision, position } = result;
        const newest = { stream: this.stream, id: plan.events.at(-1)!.id, revision, position };
        this.#loaded = { state: plan.after, newest };
        this.#answer(plan, this.#loaded);
        this.kind.appended?.(this.stream, this.#loaded, plan.bytes);
        if (waits.now() < this.#rivalsUntil) await waits.pause(TURN_MS);
        return;
      }
      if (result) {
        this.#rivalsUntil = waits.now() + RIVALS_FOR_MS;
        await waits.pause(TURN_MS);
      }
      const concerned = new Set<string | undefined>();
      base = this.#loaded = await this.#load(commands, base, concerned);
      fresh = true;
      commands = await this.#findRecords(this.#patient(commands, CHANGED), ({ id }) => concerned.has(id));
    }
  }

  /**
   * Loads for as long as that takes: the result also serves requests that are repeated.
   * @param concerned collects the records that the events missing in `known` concern; those of all events when `known` is no longer valid.
   */
  async #load(
    batch: readonly Waiting<State, Command, Event, Refusal>[],
    known?: LoadedStream<State>,
    concerned?: Set<string | undefined>,
  ): Promise<LoadedStream<State>> {
    const why = known ? CHANGED : LOADING;
    return this.kind.load(this.stream, known, (added) => {
      for (const event of added) concerned?.add(this.kind.recordOf?.(event));
      this.#patient(batch, why);
      this.#waiting = this.#patient(this.#waiting, why);
    });
  }

  /** Returns the requests whose deadline has not passed. Rejects the others: nothing of theirs was recorded. */
  #patient(waiting: readonly Waiting<State, Command, Event, Refusal>[], why: string): Waiting<State, Command, Event, Refusal>[] {
    const now = this.services.waits.now();
    return waiting.filter(({ deadline, reject }) => {
      if (deadline > now) return true;
      reject(new StreamBusy(this.stream, why));
      return false;
    });
  }

  /** Answers the requests whose record exists by now; returns the others. */
  async #findRecords(
    commands: readonly Waiting<State, Command, Event, Refusal>[],
    mayBeThere: (record: { readonly id: string }) => boolean = () => true,
  ): Promise<Waiting<State, Command, Event, Refusal>[]> {
    const found = await Promise.all(
      commands.map(async ({ request: { record }, reject }) => {
        try {
          return record && mayBeThere(record) ? await record.find() : undefined;
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

  /** Decides each request on the state that the previous one left. */
  #decide(
    base: LoadedStream<State>,
    commands: readonly Waiting<State, Command, Event, Refusal>[],
  ): Plan<State, Waiting<State, Command, Event, Refusal>> {
    const { decider, fingerprintOf } = this.kind;
    const now = timestamp(this.services.clock());
    const taken: { waiting: Waiting<State, Command, Event, Refusal>; answer: (loaded: LoadedStream<State>) => void }[] = [];
    const events: NewEvent[] = [];
    const dependsOn: EventRef[] = [];
    let state = base.state;
    let bytes = 0;
    let needsFresh = false;
    for (const [index, waiting] of commands.entries()) {
      const { command, context, dependsOn: of = [] } = waiting.request;
      try {
        const decision = command ? decider.decide(state, command(now)) : undefined;
        if (decision === undefined || 'refusal' in decision) {
          needsFresh = true;
          const stateThen = state;
          taken.push({
            waiting,
            answer: (loaded) => {
              const then = { state: stateThen, newest: loaded.newest, loaded };
              waiting.resolve(decision ? { kind: 'refused', ...decision, ...then } : { kind: 'decided', events: [], ...then });
            },
          });
          continue;
        }
        needsFresh ||= decision.events.length === 0;
        const added = decision.events.map((event) => newEvent(event, { ...context, now }, fingerprintOf?.(event)));
        const addedBytes = added.reduce((sum, event) => sum + ENVELOPE_BYTES + Buffer.byteLength(JSON.stringify(event.data)), 0);
        if (events.length > 0 && bytes + addedBytes > APPEND_BYTES_MAX) {
          return { taken, rest: commands.slice(index), events, dependsOn, bytes, after: state, needsFresh };
        }
        const after = decision.events.reduce(decider.evolve, state);
        taken.push({
          waiting,
          answer: (loaded) => waiting.resolve({ kind: 'decided', events: decision.events, state: after, newest: loaded.newest, loaded }),
        });
        events.push(...added);
        if (added.length > 0) dependsOn.push(...of);
        bytes += addedBytes;
        state = after;
      } catch (error) {
        // An error in one request must not fail the others.
        taken.push({ waiting, answer: () => waiting.reject(error) });
      }
    }
    return { taken, rest: [], events, dependsOn, bytes, after: state, needsFresh };
  }

  #answer({ taken, rest }: Plan<State, Waiting<State, Command, Event, Refusal>>, loaded: LoadedStream<State>): void {
    this.#waiting.unshift(...rest);
    for (const { answer } of taken) answer(loaded);
  }

  /** Sends the same events again, with nothing added, until the outcome is known: the store finds them by their ids. */
  async #append(base: LoadedStream<State>, { events, dependsOn }: Plan<State, Waiting<State, Command, Event, Refusal>>): Promise<AppendResult> {
    const expected = base.newest ?? 'no-stream';
    const backOff = new BackOff(SENDING_PAUSE_MS, SENDING_PAUSE_MAX_MS);
    for (let sendings = 1, unknown = false; ; sendings += 1) {
      try {
        return await this.services.store.append(this.stream, expected, events, dependsOn);
      } catch (error) {
        unknown ||= error instanceof OutcomeUnknown;
        // The events that it depends on are gone for ever, and with them the result of any earlier attempt.
        if (!unknown || error instanceof StoreRestored || !(error instanceof StoreUnavailable)) throw error;
        if (sendings >= SENDINGS_MAX) {
          this.#loaded = undefined;
          throw new OutcomeUnknown(`the outcome of an append to ${this.stream} is unknown`, { cause: error });
        }
      }
      await this.services.waits.pause(backOff.take());
    }
  }
}

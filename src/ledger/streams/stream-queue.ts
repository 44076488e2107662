import type { Decider } from '../decider.js';
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
import { BackOff } from '../../platform/back-off.js';

/** How a kind of stream is loaded and decided on. */
export interface StreamKind<State, Command, Event extends LedgerEvent, Refusal extends string> {
  readonly decider: Decider<State, Command, Event, Refusal>;
  /**
   * The stream as the leader knows it now, folded on from `known` where that is given and still holds.
   * @param onPage called with the events of each page that were folded. @throws StoreUnavailable
   */
  load(stream: string, known: LoadedStream<State> | undefined, onPage: (added: readonly Event[]) => void): Promise<LoadedStream<State>>;
  /** Which record beside the stream the event concerns; needed where requests create such records. */
  readonly recordOf?: (event: Event) => string | undefined;
  /** Of an event that answers a repeat of the request it came from. */
  readonly fingerprintOf?: (event: Event) => string | undefined;
  /** Told of what was appended. */
  readonly appended?: (stream: string, loaded: LoadedStream<State>, bytes: number) => void;
}

export interface StreamRequest<Command, State> {
  /** Given the moment to decide at, the process's own. Absent: the stream as it stands is the answer. */
  readonly command?: (now: Timestamp) => Command;
  readonly context: Omit<CommandContext, 'now'>;
  /** What the command would create beside the stream, after an event of the stream that concerns it. */
  readonly record?: {
    readonly id: string;
    /**
     * Called once the revision that the decision will rest on is fixed, and again when events that concern the record have come
     * to it. An event found is the answer, and nothing is decided.
     */
    readonly find: () => Promise<RecordedEvent | undefined>;
  };
  /** Events of other streams that the command was made from: without them, nothing is recorded. */
  readonly dependsOn?: readonly EventRef[];
  /** The stream as it was read before. An acceptance names the event that it follows, and all else is answered from what is read anew. */
  readonly known?: LoadedStream<State>;
}

export type StreamOutcome<State, Event, Refusal extends string> =
  | { readonly kind: 'found'; readonly event: RecordedEvent }
  /** `events`: what this request added; empty when it had been done already. */
  | ({ readonly kind: 'decided'; readonly events: readonly Event[] } & StreamThen<State>)
  | ({ readonly kind: 'refused'; readonly refusal: Refusal; readonly detail: string } & StreamThen<State>);

interface StreamThen<State> {
  /** As this request left it. */
  readonly state: State;
  /** The stream's newest event; null while it has none. */
  readonly newest: NewestEvent | null;
  /** The stream up to that event: with what those have left that were decided together with this request. */
  readonly loaded: LoadedStream<State>;
}

/** How a queue waits: for the system's clock, or for a simulated one. */
export interface Waits {
  /** Milliseconds on a clock that only moves forwards. */
  now(): number;
  /** Lets a part of `ms` pass, another one each time, so that two processes do not meet again. */
  pause(ms: number): Promise<void>;
}

export interface QueueServices {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly waits: Waits;
}

interface Waiting<State, Command, Event, Refusal extends string> {
  readonly request: StreamRequest<Command, State>;
  /** When its client has gone, on the clock of `Waits`. */
  readonly deadline: number;
  readonly resolve: (outcome: StreamOutcome<State, Event, Refusal>) => void;
  readonly reject: (error: unknown) => void;
}

interface Plan<State, Waiting> {
  readonly taken: readonly { readonly waiting: Waiting; readonly answer: (loaded: LoadedStream<State>) => void }[];
  /** What did not fit into one append. */
  readonly rest: readonly Waiting[];
  readonly events: readonly NewEvent[];
  /** Of those whose commands added something. */
  readonly dependsOn: readonly EventRef[];
  readonly bytes: number;
  readonly after: State;
  /** Rests on what a stream does not hold, which nothing protects but a fresh look. */
  readonly needsFresh: boolean;
}

/** Of one batch; with the look-ups that each may cost. */
const COMMANDS_MAX = 256;
/** Of one append: half of what an engine takes, so that no event of a plausible size tips it over. */
const APPEND_BYTES_MAX = 512 * 1024;
/** Metadata, type and id of an event, generously. */
const ENVELOPE_BYTES = 512;
/** Requests that may wait for one stream. */
const WAITING_MAX = 10_000;
/** How long a request waits for its turn and through conflicts, ms: less than an HTTP handler may take, so that it gets the true reason. */
const PATIENCE_MS = 4_000;
/** Sendings of one append whose outcome stays unknown. */
const SENDINGS_MAX = 5;
/**
 * The longest pause after an append to a stream that others change, too, whether it was taken or not: so they take turns. With pauses
 * only for those who lost, and longer ones each time, a process that needs longer for an attempt would hardly ever come first.
 */
const TURN_MS = 8;
/** So long after a conflict others are taken to change the stream, too, ms. */
const RIVALS_FOR_MS = 1_000;
/** Pauses before another sending while the outcome is unknown. */
const SENDING_PAUSE_MS = 2;
const SENDING_PAUSE_MAX_MS = 200;
const CHANGED = 'it kept changing';
const LOADING = 'it is long, and still being read';

/**
 * The queue of one stream in this process. Waiting commands are decided together: the batch fixes the revision it rests on, looks
 * for every record that it might create elsewhere, decides one request after the other, and appends once.
 *
 * An acceptance is protected by the expected revision; a refusal, and that nothing is left to do, are protected by nothing, so
 * they are answered only after the append they rest on, or from a stream that was loaded after the request had come.
 */
export class StreamQueue<State, Command, Event extends LedgerEvent, Refusal extends string> {
  #waiting: Waiting<State, Command, Event, Refusal>[] = [];
  #running = false;
  /** Until when others are taken to change the stream, too, on the clock of `Waits`. */
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
   * OutcomeUnknown when that could not be learnt.
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
        // Those that were answered already take no notice.
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
   * However long that takes: what is loaded then serves those who ask again.
   * @param concerned takes the records that events concern which `known` lacks; of all events where it does not hold any more.
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

  /** Those whose time has not come. The others are refused: nothing of theirs was recorded. */
  #patient(waiting: readonly Waiting<State, Command, Event, Refusal>[], why: string): Waiting<State, Command, Event, Refusal>[] {
    const now = this.services.waits.now();
    return waiting.filter(({ deadline, reject }) => {
      if (deadline > now) return true;
      reject(new StreamBusy(this.stream, why));
      return false;
    });
  }

  /** Answers those whose record is there by now; returns the others. */
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

  /** Each request on the state that the one before has left. */
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
        // A fault in one request is no reason to fail the others.
        taken.push({ waiting, answer: () => waiting.reject(error) });
      }
    }
    return { taken, rest: [], events, dependsOn, bytes, after: state, needsFresh };
  }

  #answer({ taken, rest }: Plan<State, Waiting<State, Command, Event, Refusal>>, loaded: LoadedStream<State>): void {
    this.#waiting.unshift(...rest);
    for (const { answer } of taken) answer(loaded);
  }

  /** The same events again, nothing added, until it is known what became of them: the store finds them by their ids. */
  async #append(base: LoadedStream<State>, { events, dependsOn }: Plan<State, Waiting<State, Command, Event, Refusal>>): Promise<AppendResult> {
    const expected = base.newest ?? 'no-stream';
    const backOff = new BackOff(SENDING_PAUSE_MS, SENDING_PAUSE_MAX_MS);
    for (let sendings = 1, unknown = false; ; sendings += 1) {
      try {
        return await this.services.store.append(this.stream, expected, events, dependsOn);
      } catch (error) {
        unknown ||= error instanceof OutcomeUnknown;
        // What it rests on is gone for ever, and with it whatever an earlier sending has written.
        if (!unknown || error instanceof StoreRestored || !(error instanceof StoreUnavailable)) throw error;
        if (sendings >= SENDINGS_MAX) {
          this.#loaded = undefined;
          throw new OutcomeUnknown(`it could not be learnt whether ${this.stream} has taken what was sent`, { cause: error });
        }
      }
      await this.services.waits.pause(backOff.take());
    }
  }
}

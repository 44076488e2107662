import { channelByCode } from '../../../ledger/channels.js';
import { decideOnStream } from '../../../ledger/streams/decide-on-stream.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import type { MerchantTerms } from '../../../ledger/ports/merchant-terms.js';
import { newEvent, type CommandContext } from '../../../ledger/streams/new-event.js';
import type { NewestEvent } from '../../../ledger/streams/fold-stream.js';
import type { ProviderResult } from '../../../ledger/ports/provider-result.js';
import { timestamp, type Clock, type Timestamp } from '../../../ledger/time.js';
import type { EventStore, Position } from '../../../platform/event-store/event-store.js';
import { timeLimit, unlessAborted } from '../../../platform/async/waiting.js';
import { charge, type ChargeCommand, type ChargeRefusal } from '../charge.decider.js';
import { INSTRUCTIONS_MAX } from './charge-instructions.js';
import type { ExistingCharge } from '../charge-state.js';
import type { RailDue } from './rail-due.js';
import type { Instruction, ProcessorRoute, ProcessorRoutes, RemoteChannel, RemoteOrder, RemoteProcessor } from './remote-processor.js';

/** A charge as read or just created. */
export interface KnownCharge {
  readonly state: ExistingCharge;
  readonly newest: NewestEvent;
}

export interface InstructionRequest {
  /** The payer's value for the channel's `input`; undefined when the channel has none. */
  readonly input?: string;
  /** Number of the first call's attempt, when it is already counted. */
  readonly attempt?: number;
  /** Time limit of all calls, in milliseconds of `performance.now()`. */
  readonly deadlineMs: number;
  readonly context: Omit<CommandContext, 'now'>;
}

export type InstructionResult =
  /** The charge has an instruction, or has ended: its state shows which. */
  | { readonly is: 'known'; readonly state: ExistingCharge; readonly position: Position }
  /** A definite rejection of the payer's value: the charge stays PENDING, and the payer may try again. */
  | { readonly is: 'refused'; readonly code: string }
  /** The outcome is unknown, or the processor accepted nothing: ask again, after `after_ms` if the processor gave a time. */
  | { readonly is: 'later'; readonly after_ms?: number };

type Decided = { readonly state: ExistingCharge; readonly position: Position; readonly refusal?: ChargeRefusal };

/** Maximum calls per request: one, and another one after an unknown outcome. */
const CALLS_MAX = 2;
/** Minimum time that must be left for another call, ms. */
const CALL_MIN_MS = 1_000;
/** Maximum concurrent creates per rail in this process. Bounds the requests that a silent provider can occupy. */
const UNDER_WAY_MAX = 1_000;
/** Text of a rejection for customers and merchants, shown with the processor's code. */
const REFUSED = 'The payment provider did not accept the payment';

/**
 * Requests payment instructions from a remote processor and records the result. An instruction that was never shown cannot be paid,
 * so another one is requested after an unknown outcome. A push reaches the payer by itself, so it is never repeated.
 */
export class ChargeInstructor {
  readonly #underWay = new Map<string, Promise<InstructionResult>>();
  readonly #ofRail = new Map<string, number>();

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly routes: ProcessorRoutes,
    private readonly due: RailDue,
    private readonly terms: MerchantTerms,
  ) {}

  /** Returns the input that the payer has to give before there is an instruction; undefined: none, or this process does not know the rail. */
  inputOf({ created }: Pick<ExistingCharge, 'created'>): RemoteChannel['input'] {
    return this.routes.named(created.processor)?.describe(created.channel_code)?.input;
  }

  /** Concurrent requests for the same charge share one call and its result. @throws StoreUnavailable, OutcomeUnknown */
  async instruct(known: KnownCharge, request: InstructionRequest): Promise<InstructionResult> {
    const { charge_id } = known.state.created;
    const running = this.#underWay.get(charge_id);
    if (running) return running;
    const asked = this.#instruct(known, request).finally(() => this.#underWay.delete(charge_id));
    this.#underWay.set(charge_id, asked);
    return asked;
  }

  async #instruct(known: KnownCharge, request: InstructionRequest): Promise<InstructionResult> {
    const { created } = known.state;
    const processor = this.routes.named(created.processor);
    const channel = processor?.describe(created.channel_code);
    if (!processor || !channel || this.#routeOf(known.state)?.is_stopped === true) return { is: 'later' };
    let [now, attempt]: [KnownCharge | undefined, number | undefined] = [known, request.attempt];
    for (let calls = 0; calls < CALLS_MAX && request.deadlineMs - performance.now() > CALL_MIN_MS; calls += 1) {
      if (channel.push) {
        const begun = await this.#decide(created.charge_id, now, (at) => ({ kind: 'begin-instruction', now: at }), request.context);
        if (begun.refusal) return this.#instead(begun);
        attempt = begun.state.attempts.newest;
        now = undefined;
      } else attempt ??= await this.due.attempt(dueOf(known.state), INSTRUCTIONS_MAX, this.clock());
      if (attempt === undefined) return { is: 'later' };
      const outcome = await this.#create(processor, this.#order(known.state, attempt, request.input), request.deadlineMs);
      if (outcome.is !== 'unknown') return this.#take(outcome, attempt, channel, { known: now, state: known.state }, request.context);
      if (channel.push) return { is: 'later' };
      attempt = undefined;
    }
    return { is: 'later' };
  }

  async #take(
    outcome: Exclude<ProviderResult<Instruction>, { is: 'unknown' }>,
    attempt: number,
    channel: RemoteChannel,
    { known, state }: { readonly known: KnownCharge | undefined; readonly state: ExistingCharge },
    context: InstructionRequest['context'],
  ): Promise<InstructionResult> {
    const { charge_id } = state.created;
    if (outcome.is === 'accepted') return this.#show(outcome.value, attempt, { known, state }, context);
    const { code } = outcome;
    const isFinal = outcome.is === 'rejected' && channel.input === undefined;
    if (isFinal) {
      const failed = await this.#decide(charge_id, known, (now) => ({ kind: 'fail', reason: REFUSED, failure_code: code, now }), context);
      return { is: 'known', state: failed.state, position: failed.position };
    }
    if (channel.push) await this.#decide(charge_id, known, (now) => ({ kind: 'close-instruction', attempt, code, now }), context);
    if (outcome.is === 'rejected') return { is: 'refused', code };
    return { is: 'later', ...(outcome.after_ms !== undefined && { after_ms: outcome.after_ms }) };
  }

  /** The stored instruction is the valid one. When another request stored one first, ours is cancelled. */
  async #show(
    { processor_reference, action, valid_until }: Instruction,
    attempt: number,
    { known, state }: { readonly known: KnownCharge | undefined; readonly state: ExistingCharge },
    context: InstructionRequest['context'],
  ): Promise<InstructionResult> {
    const command = (now: Timestamp): ChargeCommand => ({ kind: 'instruct', attempt, processor_reference, action, valid_until, now });
    const { charge_id } = state.created;
    // A shortcut to the charge, for notifications that do not name it. Not awaited: without it, the poller finds the payment.
    this.due.made(charge_id, processor_reference).catch(() => undefined);
    const shown = await this.#decide(charge_id, known, command, context);
    if (shown.refusal) {
      await this.due.cancel(dueOf(state), processor_reference, this.clock());
      return this.#instead(shown);
    }
    return { is: 'known', state: shown.state, position: shown.position };
  }

  #instead({ state, position, refusal }: Decided): InstructionResult {
    const isOver = state.status !== 'PENDING' || state.attempts.instructed !== null;
    if (!isOver && refusal === 'charge-not-remote') throw new Error(`charge ${state.created.charge_id} has no remote processor`);
    return isOver ? { is: 'known', state, position } : { is: 'later' };
  }

  /** Bounded in time and number. An instruction that arrives too late is not shown, and is cancelled. */
  async #create(processor: RemoteProcessor, order: RemoteOrder, deadlineMs: number): Promise<ProviderResult<Instruction>> {
    const { name } = processor;
    const underWay = this.#ofRail.get(name) ?? 0;
    if (underWay >= UNDER_WAY_MAX) return { is: 'retryable', code: 'too-many-under-way' };
    this.#ofRail.set(name, underWay + 1);
    let isLate = false;
    const asked = processor.create(order).catch((): ProviderResult<Instruction> => ({ is: 'unknown', code: 'exception' }));
    void asked.then((outcome) => {
      this.#ofRail.set(name, this.#ofRail.get(name)! - 1);
      if (isLate && outcome.is === 'accepted')
        this.due.cancel({ ...order, rail: name }, outcome.value.processor_reference, this.clock()).catch(() => undefined);
    });
    return unlessAborted(() => asked, timeLimit(deadlineMs - performance.now())).catch(() => {
      isLate = true;
      return { is: 'unknown', code: 'too-late' };
    });
  }

  /** Returns the route by which a new charge of the merchant would use this processor today; undefined when new charges no longer go there. */
  #routeOf({ created: { merchant_id, channel_code, processor } }: Pick<ExistingCharge, 'created'>): ProcessorRoute | undefined {
    const routes = (['live', 'test'] as const).map((mode) => this.routes.route(merchant_id, mode, channel_code));
    return routes.filter((route) => typeof route === 'object').find((route) => route.processor.name === processor);
  }

  #order({ created }: Pick<ExistingCharge, 'created'>, attempt: number, input?: string): RemoteOrder {
    const { charge_id, merchant_id, channel_code, amount, description, return_url, expires_on } = created;
    const channel = this.terms.channelTerms(merchant_id, channel_code) ?? channelByCode(channel_code);
    if (!channel) throw new Error(`channel ${channel_code} of charge ${charge_id} is no longer offered`);
    return {
      charge_id,
      merchant_id,
      merchant_name: this.terms.merchantName(merchant_id) ?? '',
      merchant_name_id: this.#routeOf({ created })?.merchant_name_id ?? null,
      channel,
      amount,
      description,
      return_url: return_url ?? null,
      expires_on,
      attempt,
      ...(input !== undefined && { input }),
    };
  }

  /** Appends to `known` without a read when no event has been added since; otherwise reads the stream. */
  async #decide(
    chargeId: string,
    known: KnownCharge | undefined,
    command: (now: Timestamp) => ChargeCommand,
    context: InstructionRequest['context'],
  ): Promise<Decided> {
    const stream = chargeStream(chargeId);
    if (known) {
      const now = timestamp(this.clock());
      const decision = charge.decide(known.state, command(now));
      if ('events' in decision && decision.events.length > 0) {
        const events = decision.events.map((event) => newEvent(event, { ...context, now }));
        const result = await this.store.append(stream, known.newest, events);
        if (result.ok) return { state: existing(decision.events.reduce(charge.evolve, known.state)), position: result.position };
      }
    }
    const outcome = await decideOnStream(this.store, this.clock, stream, charge, command, context);
    if (!('refusal' in outcome)) return { state: existing(outcome.state), position: outcome.position };
    return { state: existing(outcome.state), position: outcome.position!, refusal: outcome.refusal };
  }
}

function existing(state: ReturnType<typeof charge.evolve>): ExistingCharge {
  if (state.status === 'NONE') throw new Error('a stored charge cannot be read');
  return state;
}

const dueOf = ({ created: { charge_id, merchant_id, processor } }: ExistingCharge) => ({ charge_id, merchant_id, rail: processor });

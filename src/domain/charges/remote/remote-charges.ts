import { Inject, Injectable } from '@nestjs/common';
import { channelByCode } from '../../../ledger/channels.js';
import { createRecord, type CreatedRecord } from '../../../ledger/streams/create-record.js';
import { refuse, type Decision } from '../../../ledger/decider.js';
import { chargeStream, type ChargeCreated, type ChargeEvent } from '../../../ledger/events/charge.events.js';
import { foldStream, type NewestEvent } from '../../../ledger/streams/fold-stream.js';
import { requireSameRequest } from '../../../ledger/ids/idempotency.js';
import { CLOCK } from '../../../ledger/ports/injection-tokens.js';
import type { CommandContext } from '../../../ledger/streams/new-event.js';
import type { Clock, Timestamp } from '../../../ledger/time.js';
import { EVENT_STORE, StoreUnavailable, type EventStore, type Position } from '../../../platform/event-store/event-store.js';
import { LedgerProblem, type ProblemCode } from '../../../ledger/problems.js';
import { ChargeInstructor, type InstructionResult, type KnownCharge } from './charge-instructor.js';
import { PROBLEM_OF_REFUSAL } from '../charge-problems.js';
import { charge, type ChargeRefusal, type CreateCommand, type RemoteTerms } from '../charge.decider.js';
import { NO_ATTEMPTS, type ExistingCharge } from '../charge-state.js';
import { RAIL_DUE, type RailDue } from './rail-due.js';
import type { ProcessorRoutes } from './remote-processor.js';

export interface CreatedCharge {
  /** The charge's first event, from which the response is built. */
  readonly created: ChargeCreated;
  readonly position: Position;
  /** True for a replay: an earlier request with this key created the charge. */
  readonly replayed: boolean;
  /** Current state of a remote processor's charge. */
  readonly remote?: ExistingCharge;
}

interface Caller {
  readonly merchant_id: string;
  readonly mode: 'test' | 'live';
}

interface Request {
  readonly merchant: Caller;
  readonly order: { readonly channel_code: string };
  readonly context: Omit<CommandContext, 'now'>;
  readonly takesLonger: () => void;
}

interface NewCharge extends CreationDecision {
  readonly id: string;
  readonly requestFingerprint: string;
  readonly now: Timestamp;
}

/** Decision about a new charge. `rail`: the rail that takes it; null if none does. */
export interface CreationDecision {
  readonly decision: Decision<ChargeEvent, CreationRefusal>;
  readonly rail: string | null;
}

/** The rail of a new charge. */
export interface RemoteRoute {
  readonly processor: string;
  readonly terms: RemoteTerms;
  /** True when the rail accepts no new charges. */
  readonly isStopped: boolean;
}

/** Maximum time that a request waits for the processor, ms. */
const PATIENCE_MS = 15_000;
const RETRY_AFTER_S = 5;

/** `none`: no rail serves the channel for this merchant. `unusable`: the rail cannot be used at present. */
type CreationRoute = RemoteRoute | 'none' | 'unusable';
export type CreationRefusal = ChargeRefusal | 'rail-stopped';

const STOPPED = refuse('rail-stopped', 'The payment provider of this channel does not accept new payments at the moment. Nothing was recorded.');

/** Used where no charge has a remote processor, as in the demo month. */
export const LOCAL_ONLY: Pick<RemoteCharges, 'create' | 'resume'> = {
  create: () => Promise.reject(new Error('no remote processor creates charges here')),
  resume: () => Promise.reject(new Error('no remote processor creates charges here')),
};

/** Creates charges whose processor responds over a network: the charge is stored first, then its instructions are requested. */
@Injectable()
export class RemoteCharges {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(RAIL_DUE) private readonly due: RailDue,
    private readonly instructor: ChargeInstructor,
  ) {}

  /** An existing charge is returned regardless of the current routes. @throws Problem */
  async create(request: Request, { id, requestFingerprint, now, decision, rail }: NewCharge): Promise<CreatedCharge> {
    const begunMs = performance.now();
    // Concurrent with the creation of the charge. A row without its charge is removed by the poller.
    const [outcome, isFirst] = await Promise.all([
      createRecord<'ChargeCreated', CreationRefusal>(
        this.store,
        chargeStream(id),
        'ChargeCreated',
        decision,
        { ...request.context, now },
        requestFingerprint,
      ),
      rail !== null && this.due.begin({ charge_id: id, merchant_id: request.merchant.merchant_id, rail }, this.clock()),
    ]);
    if ('refusal' in outcome) {
      const code = problemOfCreation(outcome.refusal);
      throw code === 'unavailable' ? unavailable(outcome.detail) : new LedgerProblem(code, outcome.detail);
    }
    requireSameRequest(outcome.fingerprint, requestFingerprint);
    if (outcome.replayed) {
      if (outcome.data.remote !== true) return { created: outcome.data, position: outcome.position, replayed: true };
      return this.resume(request, id, true, begunMs);
    }
    return this.#answer(request, justCreated(outcome), { replayed: false, begunMs, ...(isFirst && { attempt: 1 }) });
  }

  /** Continues a charge that was stored before, at the step that it had reached. */
  async resume(request: Request, id: string, replayed: boolean, begunMs = performance.now()): Promise<CreatedCharge> {
    return this.#answer(request, await this.read(id), { replayed, begunMs });
  }

  /** @throws StoreUnavailable */
  async read(id: string): Promise<KnownCharge> {
    const { state, newest } = await foldStream(this.store, chargeStream(id), charge);
    if (state.status === 'NONE' || !newest) throw new StoreUnavailable(`charge ${id} could not be read`);
    return { state, newest };
  }

  async #answer(
    { context, takesLonger }: Request,
    known: KnownCharge,
    { replayed, begunMs, attempt }: { readonly replayed: boolean; readonly begunMs: number; readonly attempt?: number },
  ): Promise<CreatedCharge> {
    const { state, newest } = known;
    const { created, status, attempts } = state;
    const answered = { created, position: newest.position, replayed, remote: state };
    // The response does not include the payer's actions on the payment page: a repeat gets the response of the first request.
    if (this.instructor.inputOf(state) !== undefined) return { ...answered, remote: { ...state, status: 'PENDING', attempts: NO_ATTEMPTS } };
    if (status !== 'PENDING' || attempts.instructed) return answered;
    takesLonger();
    const asking = { deadlineMs: begunMs + PATIENCE_MS, context, ...(attempt !== undefined && { attempt }) };
    const instructed = await this.instructor.instruct(known, asking);
    if (instructed.is !== 'known') throw notInstructed(instructed);
    return { ...answered, position: instructed.position, remote: instructed.state };
  }
}

/**
 * Pure. Decides about a charge whose processor responds over a network.
 * @param route route of the merchant and channel, as `ProcessorRoutes` returns it
 */
export function decideRemote(
  request: Pick<Request, 'merchant' | 'order'>,
  route: ReturnType<ProcessorRoutes['route']>,
  toCreate: (route: RemoteRoute) => CreateCommand,
): CreationDecision {
  const creation = routeFor(request, route);
  const refused = (decision: CreationDecision['decision']): CreationDecision => ({ decision, rail: null });
  if (creation === 'none') return refused(refuse('channel-not-available', 'No payment provider serves this payment channel for the merchant.'));
  if (creation === 'unusable') return refused(STOPPED);
  const decision = charge.decide(charge.initial, toCreate(creation));
  if ('refusal' in decision) return refused(decision);
  return creation.isStopped ? refused(STOPPED) : { decision, rail: creation.processor };
}

export const problemOfCreation = (refusal: CreationRefusal): ProblemCode =>
  refusal === 'rail-stopped' ? 'unavailable' : PROBLEM_OF_REFUSAL[refusal];

function routeFor(
  { merchant: { mode }, order: { channel_code } }: Pick<Request, 'merchant' | 'order'>,
  route: ReturnType<ProcessorRoutes['route']>,
): CreationRoute {
  if (route === 'unusable') return 'unusable';
  const channel = route?.processor.describe(channel_code);
  if (!route || !channel) return 'none';
  const { min_amount, max_amount, input } = channel;
  // An input channel's instruction is made on the payment page, and its lifetime begins then, not at the creation.
  const life_ms = input === undefined ? channel.life_ms : null;
  // Of the currencies with channels, only rupiah is not paid in fractions.
  const wholeUnitsOnly = mode === 'live' && channelByCode(channel_code)?.currency === 'IDR';
  return { processor: route.processor.name, terms: { min_amount, max_amount, life_ms, wholeUnitsOnly }, isStopped: route.is_stopped };
}

/** The charge is stored, and a request with the same key resumes it. */
function notInstructed(instructed: Exclude<InstructionResult, { is: 'known' }>): LedgerProblem {
  const after_ms = instructed.is === 'later' ? instructed.after_ms : undefined;
  return unavailable('The payment provider did not answer in time. Repeat the request with the same Idempotency-Key to continue.', after_ms);
}

function unavailable(detail: string, afterMs = RETRY_AFTER_S * 1000): LedgerProblem {
  return new LedgerProblem('unavailable', detail, { headers: { 'retry-after': String(Math.max(1, Math.ceil(afterMs / 1000))) } });
}

function justCreated({ data, place, position }: CreatedRecord<'ChargeCreated'>): KnownCharge {
  const state = charge.evolve(charge.initial, { type: 'ChargeCreated', data }) as ExistingCharge;
  return { state, newest: { ...place, position } satisfies NewestEvent };
}

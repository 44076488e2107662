import { decideOnStream } from '../ledger/decide-on-stream.js';
import { readEvent } from '../ledger/catalogue.js';
import { foldStream } from '../ledger/fold-stream.js';
import { newEvent, type CommandContext } from '../ledger/new-event.js';
import { proposalStream, type ProposalEvent, type ProposalRefused } from '../ledger/events/proposal.events.js';
import type { Waits } from '../ledger/stream-queue.js';
import { timestamp, type Clock, type Timestamp } from '../ledger/time.js';
import {
  OutcomeUnknown,
  StreamBusy,
  type AppendResult,
  type EventPlace,
  type EventStore,
  type NewEvent,
  type Position,
} from '../platform/event-store/event-store.js';
import { pagesOf } from '../platform/event-store/pages-of.js';
import { isApproved, proposal, type Entitled, type Proposal, type ProposalCommand, type ProposalState } from './proposal.decider.js';
import type { ProposalTarget } from './proposal-target.js';

export interface ProposalEffectOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  /** Who may approve, with all that was recorded before the call. @throws Problem unavailable */
  readonly entitled: () => Promise<Entitled>;
  /** @throws UnknownKind where this build does not know it */
  readonly targetOf: (made: Pick<Proposal['made'], 'proposal_id' | 'kind' | 'content' | 'reason'>) => ProposalTarget;
  readonly waits: Waits;
}

type Context = Omit<CommandContext, 'now'>;

/** What the target has made of a proposal, and where it stands. */
type Found = { readonly place: EventPlace; readonly refused: ProposalRefused | null };

/** Looks at a target that others kept changing, before a later attempt is left to try again. */
const LOOKS_MAX = 20;
const PAUSE_MS = 20;

/**
 * Brings an approved proposal into effect, once, however many processes try, crash and come late (docs/models/desk.mjs, part B). The
 * claim names the target's revision before any attempt, and stays; each attempt searches the target from there, and appends the effect,
 * or its refusal, expecting what it has searched. What stands in the target is what has become of the proposal.
 */
export class ProposalEffects {
  constructor(private readonly options: ProposalEffectOptions) {}

  /**
   * Nothing where it lacks approvals or has ended. It may be given again at any time, by anybody.
   * @throws StoreUnavailable, OutcomeUnknown, UnknownKind: it is to be given again
   */
  async run(proposalId: string, context: Context): Promise<Position | undefined> {
    const { store, entitled, targetOf } = this.options;
    // Before the proposal is loaded: who was known then not to be entitled any more does not count.
    const known = await entitled();
    const { state } = await foldStream<ProposalState, ProposalEvent>(store, proposalStream(proposalId), proposal);
    if (state === null || state.end !== null || !isApproved(state)) return undefined;
    const target = targetOf(state.made);
    const { mark, newest } = await this.#claim(state, target, known, context);
    if (mark === undefined) return newest.position;
    const { place, refused } = await this.#takeEffect(target, proposalId, mark, newest, context);
    const { revision } = place;
    const end = (now: Timestamp): ProposalCommand =>
      refused ? { kind: 'fail', revision, refusal: refused.refusal, detail: refused.detail, now } : { kind: 'execute', revision, now };
    return (await this.#decide(proposalId, end, context, [place])).position;
  }

  /** What the target would say now of a proposal that is being made. @throws StoreUnavailable */
  async refusalOf(
    made: Omit<Proposal['made'], 'merchant_id' | 'made_on'>,
  ): Promise<{ readonly refusal: string; readonly detail: string } | undefined> {
    const looked = await this.#look(this.options.targetOf(made), made.proposal_id, -1);
    // It has taken effect already: the request is a repeat.
    if ('place' in looked) return undefined;
    const decision = await looked.fold.decide(timestamp(this.options.clock()));
    return 'refusal' in decision ? decision : undefined;
  }

  /** The mark that holds for everybody, and the event that the effect rests on; no mark where it has ended. */
  async #claim({ made, claim }: Proposal, target: ProposalTarget, entitled: Entitled, context: Context) {
    const [newest] = claim ? [] : await this.options.store.read(target.stream, { direction: 'backwards', limit: 1 });
    const mark = newest?.revision ?? -1;
    const restsOn = newest ? [{ stream: target.stream, revision: newest.revision, id: newest.id }] : [];
    const command = (now: Timestamp): ProposalCommand => ({ kind: 'claim', entitled, target: target.stream, mark, now });
    const { state, ...claimed } = await this.#decide(made.proposal_id, command, context, restsOn);
    return { newest: { ...claimed.newest, position: claimed.position }, mark: state?.end === null ? state.claim?.mark : undefined };
  }

  async #takeEffect(target: ProposalTarget, proposalId: string, mark: number, claimed: EventPlace, context: Context): Promise<Found> {
    const { store, waits } = this.options;
    for (let looks = 1; ; looks += 1) {
      const looked = await this.#look(target, proposalId, mark);
      if ('place' in looked) return looked;
      const events = await this.#decided(target, proposalId, looked.fold, context);
      const result = await store.append(target.stream, looked.newest ?? 'no-stream', events, [claimed]).catch(unknownOutcome);
      if (result?.ok) return foundIn(target.stream, result.revision, events.at(-1)!);
      // It is looked for again, as far as the stream has come; what is decided then is another event.
      if (looks >= LOOKS_MAX) throw new StreamBusy(target.stream, 'it kept changing');
      await waits.pause(PAUSE_MS);
    }
  }

  /** The target as it stands: what has become of the proposal, or what it is to be decided from. */
  async #look(target: ProposalTarget, proposalId: string, mark: number) {
    const fold = target.begin();
    let newest: EventPlace | null = null;
    for await (const page of pagesOf(this.options.store, target.stream, 0)) {
      for (const recorded of page) {
        const { stream, revision, id } = recorded;
        const event = readEvent(recorded);
        const isAbout = 'proposal_id' in event.data && event.data.proposal_id === proposalId;
        if (revision > mark && isAbout) return foundIn(stream, revision, event);
        fold.add(event);
        newest = { stream, revision, id };
      }
    }
    return { fold, newest };
  }

  /** New events each time: with one id for an effect and for a refusal, a late one would answer for the other. */
  async #decided(target: ProposalTarget, proposal_id: string, fold: ReturnType<ProposalTarget['begin']>, context: Context): Promise<NewEvent[]> {
    const now = timestamp(this.options.clock());
    const decision = await fold.decide(now);
    if (!('refusal' in decision)) {
      if (decision.events.length === 0) throw new Error(`proposal ${proposal_id} would leave nothing in ${target.stream}`);
      return decision.events.map((event) => newEvent(event, { ...context, now }));
    }
    const { merchant_id } = target;
    const { refusal, detail } = decision;
    return [newEvent({ type: 'ProposalRefused', data: { merchant_id, proposal_id, refusal, detail, refused_on: now } }, { ...context, now })];
  }

  async #decide(id: string, command: (now: Timestamp) => ProposalCommand, context: Context, restsOn: readonly EventPlace[]) {
    const { store, clock } = this.options;
    const outcome = await decideOnStream(store, clock, proposalStream(id), proposal, command, context, restsOn);
    if ('refusal' in outcome) throw new Error(`proposal ${id} was approved, and is not any more: ${outcome.detail}`);
    return outcome;
  }
}

const foundIn = (stream: string, revision: number, { id, type, data }: Pick<NewEvent, 'id' | 'type' | 'data'>): Found => ({
  place: { stream, revision, id },
  refused: type === 'ProposalRefused' ? (data as ProposalRefused) : null,
});

/** It may have been written, or be on its way: the next look tells. */
function unknownOutcome(error: unknown): AppendResult | undefined {
  if (error instanceof OutcomeUnknown) return undefined;
  throw error;
}

import type { AdjustmentRefusal } from '../accounts/suspense-item.js';
import { decideOnStream, type DecisionContext } from '../../ledger/streams/decide-on-stream.js';
import { readEvent } from '../../ledger/catalogue.js';
import { foldStream } from '../../ledger/streams/fold-stream.js';
import { suspenseStream, type AdjustmentRefused } from '../../ledger/events/adjustment.events.js';
import { newEvent, type CommandContext } from '../../ledger/streams/new-event.js';
import { proposalStream, type ProposalEvent, type ProposalRefused } from '../../ledger/events/proposal.events.js';
import type { Waits } from '../../ledger/streams/stream-queue.js';
import { timestamp, type Clock, type Timestamp } from '../../ledger/time.js';
import {
  OutcomeUnknown,
  StoreUnavailable,
  StreamBusy,
  type AppendResult,
  type EventRef,
  type EventStore,
  type NewEvent,
  type Position,
  type RecordedEvent,
} from '../../platform/event-store/event-store.js';
import { pagesOf } from '../../platform/event-store/pages-of.js';
import { isApproved, proposal, type Entitled, type Proposal, type ProposalCommand, type ProposalState } from './proposal.decider.js';
import type { LoadedTarget, ProposalTarget } from './proposal-target.js';
import { refuse, type Refused } from '../../ledger/decider.js';

export interface ProposalEffectOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  /** Returns the operators who may approve. Includes all that was recorded before the call. @throws Problem unavailable */
  readonly entitled: () => Promise<Entitled>;
  /** @throws UnknownKind when this build does not know the kind */
  readonly targetOf: (made: Pick<Proposal['made'], 'proposal_id' | 'kind' | 'content' | 'reason'>) => ProposalTarget | Promise<ProposalTarget>;
  readonly waits: Waits;
}

type Context = Omit<CommandContext, 'now'>;

/** The event in the target that decides the proposal, and the refusal if it is one. */
type Found = { readonly place: EventRef; readonly refused: Refused | null };

/** Maximum attempts at a target that others keep changing, before the run is left to a later retry. */
const LOOKS_MAX = 20;
const PAUSE_MS = 20;

/**
 * Brings an approved proposal into effect exactly once, although many processes may try it, crash or be late (decision 68). The
 * claim records the target's revision before any attempt and never changes. Each attempt searches the target from that revision, and appends the
 * effect or its refusal with the last searched revision as the expected one. The event in the target is the outcome of the proposal.
 */
export class ProposalEffects {
  constructor(private readonly options: ProposalEffectOptions) {}

  /**
   * Returns undefined when the proposal lacks approvals or has ended. Any process may call it again at any time.
   * @throws StoreUnavailable, OutcomeUnknown, UnknownKind: call it again
   */
  async run(proposalId: string, context: Context): Promise<Position | undefined> {
    const { store, entitled, targetOf } = this.options;
    // Before the proposal is loaded: an approval does not count when its operator was known by then to have lost the role.
    const known = await entitled();
    const { state } = await foldStream<ProposalState, ProposalEvent>(store, proposalStream(proposalId), proposal);
    if (state === null || state.end !== null || !isApproved(state)) return undefined;
    const target = await targetOf(state.made);
    const { mark, newest } = await this.#claim(state, target, known, context);
    if (mark === undefined) return newest.position;
    const item = target.item === null ? undefined : await this.#claimItem(target.item, proposalId, newest, context);
    const { place, refused } = item?.refused ? item : await this.#takeEffect(target, proposalId, mark, item?.place ?? newest, context);
    if (!refused) await target.after?.();
    const { revision } = place;
    const end = (now: Timestamp): ProposalCommand =>
      refused ? { kind: 'fail', revision, refusal: refused.refusal, detail: refused.detail, now } : { kind: 'execute', revision, now };
    return (await this.#decide(proposalId, end, { ...context, dependsOn: [place] })).position;
  }

  /** Returns the target's refusal of a proposal that is being made; undefined: none at present. @throws StoreUnavailable */
  async refusalOf(made: Omit<Proposal['made'], 'merchant_id' | 'made_on'>): Promise<Refused | undefined> {
    const { store, clock, targetOf } = this.options;
    // The request is a repeat; the current state of the proposal does not matter.
    if ((await store.read(proposalStream(made.proposal_id), { limit: 1 })).length > 0) return undefined;
    const target = await targetOf(made);
    const decision = await (await target.load(store)).decide(timestamp(clock()));
    if ('refusal' in decision) return decision;
    const [claimed] = target.item === null ? [] : await store.read(suspenseStream(target.item), { limit: 1 });
    return claimed && itemIn(claimed, made.proposal_id).refused!;
  }

  /** Returns the mark that holds for every attempt, and the event that the effect depends on; no mark when the proposal has ended. */
  async #claim({ made, claim }: Proposal, target: ProposalTarget, entitled: Entitled, context: Context) {
    const [newest] = claim ? [] : await this.options.store.read(target.stream, { direction: 'backwards', limit: 1 });
    const mark = newest?.revision ?? -1;
    const dependsOn = newest ? [{ stream: target.stream, revision: newest.revision, id: newest.id }] : [];
    const command = (now: Timestamp): ProposalCommand => ({ kind: 'claim', entitled, target: target.stream, mark, now });
    const { state, ...claimed } = await this.#decide(made.proposal_id, command, { ...context, dependsOn });
    return { newest: { ...claimed.newest, position: claimed.position }, mark: state?.end === null ? state.claim?.mark : undefined };
  }

  /** Claims the item for this proposal. If another proposal has claimed it, that is final, and no effect is tried. */
  async #claimItem(item_id: string, proposal_id: string, claimed: EventRef, context: Context): Promise<Found> {
    const { store, clock, waits } = this.options;
    const stream = suspenseStream(item_id);
    for (let looks = 1; ; looks += 1) {
      const [first] = await store.read(stream, { limit: 1 });
      if (first) return itemIn(first, proposal_id);
      const now = timestamp(clock());
      const claim = newEvent(
        { type: 'SuspenseItemClaimed', data: { merchant_id: null, item_id, proposal_id, claimed_on: now } },
        { ...context, now },
      );
      const result = await store.append(stream, 'no-stream', [claim], [claimed]).catch(unknownOutcome);
      if (result?.ok) return { place: { stream, revision: result.revision, id: claim.id }, refused: null };
      if (looks >= LOOKS_MAX) throw new StreamBusy(stream, 'its proposal could not be determined');
      await waits.pause(PAUSE_MS);
    }
  }

  async #takeEffect(target: ProposalTarget, proposalId: string, mark: number, claimed: EventRef, context: Context): Promise<Found> {
    const { store, waits } = this.options;
    for (let looks = 1; ; looks += 1) {
      const looked = await this.#look(target, proposalId, mark);
      if ('place' in looked) return looked;
      const events = await this.#decided(target, proposalId, looked, context);
      const result = await store.append(target.stream, looked.newest ?? 'no-stream', events, [claimed]).catch(unknownOutcome);
      if (result?.ok) return foundIn(target.stream, result.revision, events.at(-1)!);
      // The next attempt searches the stream up to its new end, and appends new events with new ids.
      if (looks >= LOOKS_MAX) throw new StreamBusy(target.stream, 'it kept changing');
      await waits.pause(PAUSE_MS);
    }
  }

  /** Loads the target. Returns the event that decides the proposal, or else the state to decide from. */
  async #look(target: ProposalTarget, proposalId: string, mark: number): Promise<Found | LoadedTarget> {
    const { store } = this.options;
    const loaded = await target.load(store);
    if (loaded.newest === null || loaded.newest.revision <= mark) return loaded;
    for await (const page of pagesOf(store, target.stream, mark + 1)) {
      for (const recorded of page) {
        const { data } = readEvent(recorded);
        if ('proposal_id' in data && data.proposal_id === proposalId) return foundIn(target.stream, recorded.revision, recorded);
      }
    }
    return loaded;
  }

  /** Each attempt creates new events: if an effect and a refusal shared an id, a late append of one would report success for the other. */
  async #decided(target: ProposalTarget, proposal_id: string, loaded: LoadedTarget, context: Context): Promise<NewEvent[]> {
    const now = timestamp(this.options.clock());
    const decision = await loaded.decide(now);
    if (!('refusal' in decision)) {
      // A later attempt recognises the effect by this field. Without it, the effect could be applied twice.
      const hasId = decision.events.some(({ data }) => 'proposal_id' in data && data.proposal_id === proposal_id);
      if (!hasId) throw new Error(`proposal ${proposal_id} would append no event with its id to ${target.stream}`);
      return decision.events.map((event) => newEvent(event, { ...context, now }));
    }
    const { refusal, detail } = decision;
    // The item existed when the proposal was made. The read model that locates it is being rebuilt, and will show it again.
    if (target.item !== null && refusal === ITEM_NOT_FOUND) throw new StoreUnavailable(detail);
    return [newEvent(target.refused({ proposal_id, refusal, detail, refused_on: now }), { ...context, now })];
  }

  async #decide(id: string, command: (now: Timestamp) => ProposalCommand, context: DecisionContext<ProposalState>) {
    const { store, clock } = this.options;
    const outcome = await decideOnStream(store, clock, proposalStream(id), proposal, command, context);
    if ('refusal' in outcome) throw new Error(`proposal ${id} was approved, but now rejects the command: ${outcome.detail}`);
    return outcome;
  }
}

const ITEM_NOT_FOUND: AdjustmentRefusal = 'item-not-found';

const foundIn = (stream: string, revision: number, { id, type, data }: Pick<NewEvent, 'id' | 'type' | 'data'>): Found => ({
  place: { stream, revision, id },
  refused: type === 'ProposalRefused' || type === 'AdjustmentRefused' ? (data as ProposalRefused | AdjustmentRefused) : null,
});

/** Returns which proposal has the item, according to the first event of its stream. */
function itemIn({ stream, revision, id, data }: RecordedEvent, proposalId: string): Found {
  const { proposal_id } = data as { readonly proposal_id: string };
  const detail = `Proposal ${proposal_id} resolves this item.`;
  return { place: { stream, revision, id }, refused: proposal_id === proposalId ? null : refuse('item-resolved', detail) };
}

/** The event may have been appended, or still be on its way; the next attempt finds out. */
function unknownOutcome(error: unknown): AppendResult | undefined {
  if (error instanceof OutcomeUnknown) return undefined;
  throw error;
}

import type { LedgerEvent } from '../../ledger/catalogue.js';
import type { Decider, Decision, Refused } from '../../ledger/decider.js';
import { foldStream, type LoadedStream, type NewestEvent } from '../../ledger/streams/fold-stream.js';
import type { Timestamp } from '../../ledger/time.js';
import type { EventRef, EventStore } from '../../platform/event-store/event-store.js';

/** The stream in which a proposal takes effect, and how. */
export interface ProposalTarget {
  readonly stream: string;
  /** The item in suspense that only this proposal resolves; null: none. */
  readonly item: string | null;
  /** Loads the state again for each attempt; earlier decisions do not count. @throws StoreUnavailable */
  load(store: EventStore): Promise<LoadedTarget>;
  /** Follow-up of the effect outside the log, before the proposal ends. It is idempotent. */
  readonly after?: () => Promise<void>;
  /** Returns the event that records a refusal by the target's rules. */
  refused(refused: Refused & Pick<ProposalCause, 'proposal_id'> & { readonly refused_on: Timestamp }): LedgerEvent;
}

/** The current state of the stream, and its decision about the proposal. */
export interface LoadedTarget {
  readonly newest: EventRef | null;
  /** Returns at least one event, or a refusal: with no event, a later attempt could not find the outcome. @throws StoreUnavailable */
  decide(now: Timestamp): Promise<Decision<LedgerEvent, string>>;
}

export interface ProposalCause {
  readonly proposal_id: string;
}

interface TargetOf<State> extends Omit<ProposalTarget, 'load' | 'item'>, Partial<Pick<ProposalTarget, 'item'>> {
  /** Set when the state can be loaded without reading all events. */
  readonly loadState?: (store: EventStore) => Promise<LoadedStream<State>>;
}

/**
 * Builds a target from a decider.
 * @param command looks up other records that the decision depends on, at each attempt, and may refuse. It receives the newest event of the stream: a
 * read model that the stream's events change must have applied it (DecisionReads).
 */
export function targetOf<State, Command extends object, Event extends LedgerEvent>(
  { loadState, item = null, ...target }: TargetOf<State>,
  decider: Decider<State, Command, Event, string>,
  command: (now: Timestamp, newest: NewestEvent | null) => Command | Refused | Promise<Command | Refused>,
): ProposalTarget {
  return {
    ...target,
    item,
    async load(store) {
      const { state, newest } = await (loadState?.(store) ?? foldStream<State, Event>(store, target.stream, decider));
      return {
        newest,
        async decide(now) {
          const made = await command(now, newest);
          return 'refusal' in made ? made : decider.decide(state, made);
        },
      };
    },
  };
}

/** Records refusals as ProposalRefused, for targets without a separate refusal event. @param merchant_id owner of the stream; null: no merchant */
export const refusedIn =
  (merchant_id: string | null): ProposalTarget['refused'] =>
  ({ proposal_id, refusal, detail, refused_on }) => ({ type: 'ProposalRefused', data: { merchant_id, proposal_id, refusal, detail, refused_on } });

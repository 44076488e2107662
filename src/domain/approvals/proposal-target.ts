import type { LedgerEvent } from '../../ledger/catalogue.js';
import type { Decider, Decision } from '../../ledger/decider.js';
import { foldStream, type LoadedStream } from '../../ledger/streams/fold-stream.js';
import type { Timestamp } from '../../ledger/time.js';
import type { EventRef, EventStore } from '../../platform/event-store/event-store.js';

/** The stream in which a proposal takes effect, and how. */
export interface ProposalTarget {
  readonly stream: string;
  /** The item in suspense that it resolves, and nobody else with it; null: none. */
  readonly item: string | null;
  /** Anew for each attempt: nothing that was decided before counts. @throws StoreUnavailable */
  load(store: EventStore): Promise<LoadedTarget>;
  /** What follows from the effect outside the log, before the proposal has ended: done again, it is success. */
  readonly after?: () => Promise<void>;
  /** The fact that its rules say no. */
  refused(refused: Refused & Pick<ProposalCause, 'proposal_id'> & { readonly refused_on: Timestamp }): LedgerEvent;
}

/** The stream as it stands, and what it makes of the proposal. */
export interface LoadedTarget {
  readonly newest: EventRef | null;
  /** At least one event, or a refusal: that nothing is left to do would leave nothing to be found. @throws StoreUnavailable */
  decide(now: Timestamp): Promise<Decision<LedgerEvent, string>>;
}

export interface ProposalCause {
  readonly proposal_id: string;
}

export interface Refused {
  readonly refusal: string;
  readonly detail: string;
}

interface TargetOf<State> extends Omit<ProposalTarget, 'load' | 'item'>, Partial<Pick<ProposalTarget, 'item'>> {
  /** Where less than all of its events says how it stands. */
  readonly loadState?: (store: EventStore) => Promise<LoadedStream<State>>;
}

/** What a decider makes of a command. @param command what it rests on beside the stream is looked up each time, and may say no itself */
export function targetOf<State, Command extends object, Event extends LedgerEvent>(
  { loadState, item = null, ...target }: TargetOf<State>,
  decider: Decider<State, Command, Event, string>,
  command: (now: Timestamp) => Command | Refused | Promise<Command | Refused>,
): ProposalTarget {
  return {
    ...target,
    item,
    async load(store) {
      const { state, newest } = await (loadState?.(store) ?? foldStream<State, Event>(store, target.stream, decider));
      return {
        newest,
        async decide(now) {
          const made = await command(now);
          return 'refusal' in made ? made : decider.decide(state, made);
        },
      };
    },
  };
}

/** For targets that know no refusal of their own. @param merchant_id whose stream it is; null: no merchant's */
export const refusedIn =
  (merchant_id: string | null): ProposalTarget['refused'] =>
  ({ proposal_id, refusal, detail, refused_on }) => ({ type: 'ProposalRefused', data: { merchant_id, proposal_id, refusal, detail, refused_on } });

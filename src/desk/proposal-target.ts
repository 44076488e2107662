import type { LedgerEvent } from '../ledger/catalogue.js';
import type { Decider, Decision } from '../ledger/decider.js';
import type { Timestamp } from '../ledger/time.js';

/** The stream in which a proposal takes effect, and how. */
export interface ProposalTarget {
  readonly stream: string;
  /** The merchant whose stream it is; null: no merchant's. */
  readonly merchant_id: string | null;
  /** Anew for each attempt: nothing that was decided before counts. */
  begin(): TargetFold;
}

/** The stream as it stands, taken event by event, and what it makes of the proposal. */
export interface TargetFold {
  add(event: LedgerEvent): void;
  /** At least one event, or a refusal: that nothing is left to do would leave nothing to be found. @throws StoreUnavailable */
  decide(now: Timestamp): Promise<Decision<LedgerEvent, string>>;
}

/** No command was possible: what it rests on beside the stream says no. */
interface NoCommand {
  readonly refusal: string;
  readonly detail: string;
}

/** What a decider makes of a command. @param command what it rests on beside the stream is looked up each time */
export function targetOf<State, Command extends object, Event extends LedgerEvent>(
  { stream, merchant_id }: Pick<ProposalTarget, 'stream' | 'merchant_id'>,
  { initial, evolve, decide }: Decider<State, Command, Event, string>,
  command: (now: Timestamp) => Command | Promise<Command | NoCommand>,
): ProposalTarget {
  return {
    stream,
    merchant_id,
    begin() {
      let state = initial;
      return {
        add(event) {
          state = evolve(state, event as Event);
        },
        async decide(now) {
          const made = await command(now);
          return 'refusal' in made ? made : decide(state, made);
        },
      };
    },
  };
}

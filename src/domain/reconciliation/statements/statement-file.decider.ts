import { refuse, type Decider } from '../../../ledger/decider.js';
import type { StatementFileEvent } from '../../../ledger/events/reconciliation.events.js';
import type { Timestamp } from '../../../ledger/time.js';

/** Whether the names in a file are forgotten. Pure. */
export interface StatementFile {
  readonly isForgotten: boolean;
  /** The last proposal that took effect here, and the number of those proposals. */
  readonly proposals: { readonly count: number; readonly last_id: string | null };
}

export interface ForgetFile {
  readonly kind: 'forget';
  readonly statement_id: string;
  readonly source: string;
  readonly reason: string;
  /** The proposal that asks for it; null: the file was never accepted. */
  readonly proposal_id: string | null;
  readonly now: Timestamp;
}

export const statementFile: Decider<StatementFile, ForgetFile, StatementFileEvent, 'file-forgotten'> = {
  initial: { isForgotten: false, proposals: { count: 0, last_id: null } },

  evolve(state, event): StatementFile {
    if (event.type !== 'StatementForgotten') return state;
    const { proposal_id } = event.data;
    const proposals = proposal_id === null ? state.proposals : { count: state.proposals.count + 1, last_id: proposal_id };
    return { isForgotten: true, proposals };
  },

  decide({ isForgotten }, { statement_id, source, reason, proposal_id, now }) {
    if (isForgotten) return refuse('file-forgotten', 'The key of the persons that it names is destroyed.');
    return { events: [{ type: 'StatementForgotten', data: { merchant_id: null, statement_id, source, reason, proposal_id, forgotten_on: now } }] };
  },
};

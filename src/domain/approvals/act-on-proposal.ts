import { Command } from '@nestjs/cqrs';
import type { ProposalEvidence } from '../../ledger/events/proposal.events.js';
import { recordId } from '../../ledger/ids/idempotency.js';
import type { CommandContext } from '../../ledger/streams/new-event.js';
import type { Position } from '../../platform/event-store/event-store.js';
import type { ProposalKindName } from './proposal-kind.js';

type Ids = Pick<CommandContext, 'correlation_id' | 'causation_id'>;

export interface ProposalOrder {
  readonly kind: ProposalKindName;
  /** Not validated yet; the class of its kind reads it. */
  readonly content: unknown;
  readonly reason: string;
  readonly evidence: readonly ProposalEvidence[];
}

export interface MadeProposal {
  readonly proposal_id: string;
  /** A read after this response must include this position. */
  readonly position: Position;
  /** True for a replay: an earlier request with this key made the proposal. */
  readonly replayed: boolean;
}

/** Id of the proposal that an operator makes under an idempotency key; a repeat has the same. */
export const proposalId = (personId: string, idempotencyKey: string): string => recordId(personId, 'POST /audit/proposals', idempotencyKey);

/** An operator makes a proposal, with an operator's key. */
export class MakeProposal extends Command<MadeProposal> {
  constructor(
    readonly order: ProposalOrder,
    readonly idempotencyKey: string,
    readonly keyId: string,
    readonly ids: Ids,
  ) {
    super();
  }
}

export type ProposalAct = { readonly proposal_id: string; readonly reason: string } & (
  { readonly kind: 'approve'; /** Digest of the shown content. */ readonly digest: string } | { readonly kind: 'reject' | 'withdraw' }
);

/** An operator approves, rejects or withdraws a proposal; a repeat is success. The proposal takes effect with its last approval. */
export class ActOnProposal extends Command<{ readonly position: Position }> {
  constructor(
    readonly act: ProposalAct,
    readonly keyId: string,
    readonly ids: Ids,
  ) {
    super();
  }
}

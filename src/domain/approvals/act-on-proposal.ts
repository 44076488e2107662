import { Command } from '@nestjs/cqrs';
import type { ProposalEvidence } from '../../ledger/events/proposal.events.js';
import type { CommandContext } from '../../ledger/streams/new-event.js';
import type { Position } from '../../platform/event-store/event-store.js';
import type { ProposalKindName } from './proposal-kind.js';

type Ids = Pick<CommandContext, 'correlation_id' | 'causation_id'>;

export interface ProposalOrder {
  readonly kind: ProposalKindName;
  /** As it came: its kind says what it must be. */
  readonly content: unknown;
  readonly reason: string;
  readonly evidence: readonly ProposalEvidence[];
}

export interface MadeProposal {
  readonly proposal_id: string;
  /** What a read after this answer must show. */
  readonly position: Position;
  /** True when it was there already. */
  readonly replayed: boolean;
}

/** A person proposes something, with a key of the person's own. */
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
  { readonly kind: 'approve'; /** Of what was shown to the person. */ readonly digest: string } | { readonly kind: 'reject' | 'withdraw' }
);

/** A person approves, rejects or withdraws a proposal; the same again is success. With its last approval it takes effect. */
export class ActOnProposal extends Command<{ readonly position: Position }> {
  constructor(
    readonly act: ProposalAct,
    readonly keyId: string,
    readonly ids: Ids,
  ) {
    super();
  }
}

import { Command } from '@nestjs/cqrs';
import type { CommandContext } from '../../ledger/streams/new-event.js';
import type { Position } from '../../platform/event-store/event-store.js';

export interface PayoutAct {
  readonly kind: 'approve' | 'decline';
  readonly payout_id: string;
  /** Digest of the payout as shown to the operator. */
  readonly digest: string;
  /** 1 to 500 characters. */
  readonly reason: string;
}

export interface ActedOn {
  readonly merchant_id: string;
  /** Position that a read after this response must include. */
  readonly position: Position;
  /** Approvals still missing; 0 for a declined payout. */
  readonly approvals_missing: number;
}

/** An operator approves or declines a payout with their own key. Repeating an approval succeeds. */
export class ActOnPayout extends Command<ActedOn> {
  constructor(
    readonly act: PayoutAct,
    readonly keyId: string,
    readonly ids: Pick<CommandContext, 'correlation_id' | 'causation_id'>,
  ) {
    super();
  }
}

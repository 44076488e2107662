import { Command } from '@nestjs/cqrs';
import type { CommandContext } from '../../ledger/streams/new-event.js';
import type { Position } from '../../platform/event-store/event-store.js';

export interface PayoutAct {
  readonly kind: 'approve' | 'decline';
  readonly payout_id: string;
  /** Of what was shown to the person. */
  readonly digest: string;
  /** 1 to 500 characters. */
  readonly reason: string;
}

export interface ActedOn {
  readonly merchant_id: string;
  /** What a read after this answer must show. */
  readonly position: Position;
  /** That are missing still; 0 of one that was declined. */
  readonly approvals_missing: number;
}

/** A person approves or declines a payout, with a key of the person's own. The same approval again is success. */
export class ActOnPayout extends Command<ActedOn> {
  constructor(
    readonly act: PayoutAct,
    readonly keyId: string,
    readonly ids: Pick<CommandContext, 'correlation_id' | 'causation_id'>,
  ) {
    super();
  }
}

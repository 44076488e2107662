import { Command } from '@nestjs/cqrs';
import type { CommandContext } from '../../../ledger/streams/new-event.js';
import type { Position } from '../../../platform/event-store/event-store.js';

/** An act of an operator on a break. */
export type BreakAct =
  | { readonly kind: 'assign'; readonly owner: string | null }
  | { readonly kind: 'note' | 'unmatch' }
  /** A line for a break without one, otherwise the event of an item. */
  | { readonly kind: 'match'; readonly line_id?: string | undefined; readonly event_id?: string | undefined };

/** A preparer works on a break, with an operator's key; a repeat is success. */
export class ActOnBreak extends Command<{ readonly position: Position }> {
  constructor(
    readonly breakId: string,
    readonly act: BreakAct,
    readonly reason: string,
    readonly keyId: string,
    readonly ids: Pick<CommandContext, 'correlation_id' | 'causation_id'>,
  ) {
    super();
  }
}

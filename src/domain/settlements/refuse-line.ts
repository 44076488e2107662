import type { SettlementLine } from '../../ledger/events/account.events.js';
import type { ListedLine } from '../accounts/listed-line.js';
import { charge, type ChargeRefusal } from '../charges/charge.decider.js';
import { chargeStream } from '../../ledger/events/charge.events.js';
import { decideOnStream, type Decided } from '../../ledger/streams/decide-on-stream.js';
import type { LedgerEvent } from '../../ledger/catalogue.js';
import { systemContext } from '../../ledger/streams/new-event.js';
import { payout, type PayoutRefusal } from '../payouts/payout.decider.js';
import { payoutStream } from '../../ledger/events/payout.events.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import type { Clock, Timestamp } from '../../ledger/time.js';

/**
 * Records in the line's own stream that its settlement continues without it; a claim of the line, now or much later, finds that event.
 * The outcome has no event when it was recorded before.
 * @throws StoreUnavailable, OutcomeUnknown
 */
export function refuseLine(
  store: EventStore,
  clock: Clock,
  listed: ListedLine,
  refusal: { readonly reason: string; readonly refused_by: string },
): Promise<Decided<unknown, LedgerEvent, ChargeRefusal | PayoutRefusal>> {
  const stream = streamOfLine(listed.line);
  const context = systemContext();
  const command = (now: Timestamp) => ({ kind: 'refuse-line' as const, listed, ...refusal, now });
  return listed.line.kind === 'return'
    ? decideOnStream(store, clock, stream, payout, command, context)
    : decideOnStream(store, clock, stream, charge, command, context);
}

/** Returns the stream of the line's record, in which the line is claimed. */
export function streamOfLine({ kind, record_id, charge_id }: SettlementLine): string {
  return kind === 'return' ? payoutStream(record_id) : chargeStream(charge_id ?? record_id);
}

import { randomUUID } from 'node:crypto';
import type { EventMetadata, NewEvent } from '../../platform/event-store/event-store.js';
import { LedgerProblem } from '../problems.js';
import { boundsFault } from '../bounds.js';
import { SCHEMA_VERSIONS, type LedgerEvent } from '../catalogue.js';

/** Actor of commands without a key. */
export const SYSTEM = 'System';

/** Actor, time and cause; part of every command. */
export interface CommandContext {
  /** RFC 3339; the deciding process's clock, read once. */
  readonly now: string;
  /** Key id, or `System`. */
  readonly actor: string;
  readonly correlation_id: string;
  /** Id of the event or request that caused this. */
  readonly causation_id: string;
}

/**
 * Returns the context of a command without a key, from the command line or the service itself. `cause`: a request or an event; by default, a new id
 * begins a chain.
 */
export function systemContext(cause: string = randomUUID(), correlation_id = cause): Omit<CommandContext, 'now'> {
  return { actor: SYSTEM, correlation_id, causation_id: cause };
}

/**
 * Returns an event ready to be appended. Its id is new for this attempt and kept for the attempt's retries.
 * @throws Problem validation-failed when a field is out of its bounds: no read model could apply the event. Nothing is recorded.
 */
export function newEvent(event: LedgerEvent, context: CommandContext, fingerprint?: string): NewEvent {
  const metadata: EventMetadata = {
    merchant_id: event.data.merchant_id,
    actor: context.actor,
    $correlationId: context.correlation_id,
    $causationId: context.causation_id,
    schema_version: SCHEMA_VERSIONS[event.type],
    occurred_on: context.now,
    ...(fingerprint === undefined ? {} : { fingerprint }),
  };
  const fault = boundsFault(event.type, event.data) ?? boundsFault(event.type, metadata);
  if (fault !== undefined) throw new LedgerProblem('validation-failed', `It cannot be recorded: ${fault}.`);
  return { id: randomUUID(), type: event.type, data: event.data, metadata };
}

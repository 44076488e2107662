import type { OrdinalEvent, Projection, ReadModel } from '../platform/projector/projection.js';
import { ignoring, readEvent, type EventName, type LedgerEvent, type TypesOf } from './catalogue.js';

/** An event of the log as read models receive it: in today's shape, with its place. */
export type LoggedEvent = OrdinalEvent & LedgerEvent;

export type LedgerReadModel = ReadModel<LedgerEvent>;

/**
 * Returns the guard of a read model that ignores these events, by name. The events that it handles follow from the names and are never listed, so a
 * switch that ends with `unreachable` does not compile while an event is neither ignored nor handled.
 */
export function allBut<Name extends EventName>(...ignored: readonly Name[]) {
  const isIgnored = ignoring(...ignored);
  return (event: LoggedEvent): event is Exclude<LoggedEvent, { readonly type: TypesOf<Name> }> => !isIgnored(event);
}

/** The events that a guard accepts. */
export type Taken<Guard> = Guard extends ((event: LoggedEvent) => event is infer Event extends LoggedEvent) ? Event : never;

/** A projection of the ledger's events. The projector decodes each of them once, for all of its read models. */
export function ledgerProjection(projection: Omit<Projection<LedgerEvent>, 'decode'>): Projection<LedgerEvent> {
  return { ...projection, decode: readEvent };
}

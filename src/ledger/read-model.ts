import type { OrdinalEvent, Projection, ReadModel } from '../platform/projector/projection.js';
import { readEvent, type LedgerEvent } from './catalogue.js';

/** An event of the log as read models are given it: in the shape of today, with its place. */
export type LoggedEvent = OrdinalEvent & LedgerEvent;

export type LedgerReadModel = ReadModel<LedgerEvent>;

/** A projection of the ledger's events. The projector decodes each of them once, for all of its read models. */
export function ledgerProjection(projection: Omit<Projection<LedgerEvent>, 'decode'>): Projection<LedgerEvent> {
  return { ...projection, decode: readEvent };
}

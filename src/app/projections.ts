import type { Projection } from '../platform/projector/projection.js';
import { EVENTS_OF } from '../ledger/catalogue.js';
import { customers } from '../../projections/customers/customers.js';
import { eventIndex } from '../../projections/audit/event-index.js';
import { ledger } from './ledger.projection.js';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { outbox } from '../../projections/webhooks/outbox.js';

/** Every projection of this build. */
export const PROJECTIONS: readonly Projection[] = [ledger, customers, outbox, eventIndex, recon];

/** Returns the name of the projection whose tables show the change by an event to merchants. */
export const projectionThatShows = (type: string): string => (type in EVENTS_OF.customers ? customers.name : ledger.name);

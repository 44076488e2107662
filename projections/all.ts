import type { Projection } from '../src/platform/projector/projection.js';
import { customers } from './customers.js';
import { eventIndex } from './event-index.js';
import { ledger } from './ledger.js';
import { outbox } from './outbox.js';

/** Every projection of this build. */
export const PROJECTIONS: readonly Projection[] = [ledger, customers, outbox, eventIndex];

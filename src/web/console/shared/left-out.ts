import { StoreUnavailable } from '../../../platform/event-store/event-store.js';
import { isMissingTable } from '../../../platform/postgres/missing-table.js';

/** Handles the failure of a part of a page, which is shown without it: the event store does not answer, or a read model is being built. @throws other errors */
export function leftOut(error: unknown): undefined {
  if (!(error instanceof StoreUnavailable) && !isMissingTable(error)) throw error;
}

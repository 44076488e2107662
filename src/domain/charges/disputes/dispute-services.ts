import type { ServiceDeps } from '../../../ledger/ports/injection-tokens.js';
import { DisputeKeys } from './dispute-keys.js';
import { EvidenceStore } from './evidence-store.js';

/** Builds the evidence store of disputes. */
export function disputeServices({ pool, secret, clock }: Pick<ServiceDeps, 'pool' | 'secret' | 'clock'>) {
  return { evidence: new EvidenceStore(pool, new DisputeKeys(pool, secret, clock), clock) };
}

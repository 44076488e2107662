import { findApprovedProposals, findUnapprovedProposals } from '../../../projections/approvals/proposals.js';
import { sealedLog } from '../../transparency-log/sealed-log.js';
import { proposalServices } from '../../domain/approvals/proposal-services.js';
import { upperKinds } from '../proposal-kinds.js';
import { ProposalWorker } from '../../domain/approvals/proposal.worker.js';
import { systemContext } from '../../ledger/streams/new-event.js';
import { findUnendedCloses } from '../../../projections/reconciliation/days/day-close-reads.js';
import { dayCloser } from '../../domain/reconciliation/reconciliation-services.js';
import { isMissingTable } from '../../platform/postgres/missing-table.js';
import type { MerchantDirectory } from '../../domain/merchants/merchant-directory.js';
import { ElectedWorker } from '../../platform/worker/elected-worker.js';
import type { WorkerDeps } from './worker-deps.js';

export interface ApprovalsWorkerOptions extends WorkerDeps {
  /** IANA name of the time zone of the books. */
  readonly timeZone: string;
  readonly directory: MerchantDirectory;
}

const INTERVAL_MS = 1_000;

/** Maximum day closes per pass; each source has at most one. */
const CLOSES_MAX = 100;

/** Returns nothing while the read model is not built yet. */
function noneBefore(error: unknown): [] {
  if (isMissingTable(error)) return [];
  throw error;
}

/** Resumes proposals and day closes whose requests ended before they did. */
export function startApprovalsWorker({ databaseUrl, store, pool, timeZone, directory, clock, mayDecide, onError }: ApprovalsWorkerOptions): {
  stop(): Promise<void>;
} {
  const operators = directory.actingOperators(clock);
  const sealed = sealedLog(pool);
  const worker = new ProposalWorker({
    ...{ store, clock, elapsedMs: () => performance.now() },
    effects: proposalServices({ store, clock, operators, pool, sealed, timeZone, upper: upperKinds(store, pool, clock) }).effects,
    findApproved: (limit) => findApprovedProposals(pool, limit),
    findUnapproved: (now, limit) => findUnapprovedProposals(pool, now, limit),
    onError: (proposal_id, err) => onError('cannot advance a proposal', { proposal_id, err }),
  });
  const elected = new ElectedWorker({
    name: 'proposals',
    mayPass: mayDecide,
    databaseUrl,
    intervalMs: INTERVAL_MS,
    onError: (err) => onError('a proposal pass failed', { err }),
    pass: (signal) => worker.pass(signal),
  });
  const closer = dayCloser({ store, clock, pool, sealed });
  const closes = new ElectedWorker({
    name: 'day closes',
    mayPass: mayDecide,
    databaseUrl,
    intervalMs: INTERVAL_MS,
    onError: (err) => onError('a day close pass failed', { err }),
    async pass(signal) {
      for (const source of await findUnendedCloses(pool, CLOSES_MAX).catch(noneBefore))
        await closer.run(source, systemContext(), signal).catch((err: unknown) => onError('cannot close a day', { source, err }));
    },
  });
  elected.start();
  closes.start();
  return { stop: async () => void (await Promise.all([elected.stop(), closes.stop()])) };
}

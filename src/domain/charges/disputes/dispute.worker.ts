import { charge, type ChargeCommand } from '../charge.decider.js';
import { evidenceOf } from './charge-disputes.js';
import type { DisputeProcessor, ChallengeEvidence } from '../processor.js';
import { decideOnStream } from '../../../ledger/streams/decide-on-stream.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { foldStream } from '../../../ledger/streams/fold-stream.js';
import { systemContext } from '../../../ledger/streams/new-event.js';
import type { Clock, Timestamp } from '../../../ledger/time.js';
import { StoreUnavailable, type EventStore } from '../../../platform/event-store/event-store.js';
import { concurrently } from '../../../platform/worker/concurrently.js';
import { ErrorChanges } from '../../../platform/worker/error-changes.js';
import type { Concessions } from './concessions.js';
import type { EvidenceStore } from './evidence-store.js';
import type { ChargeDisputeEvidenceAdded } from '../../../ledger/events/dispute.events.js';

/** A row of the read model. The charge's stream decides. */
export interface DueDisputeRow {
  readonly dispute_id: string;
  readonly charge_id: string;
  /** null: the time to respond has passed; else the reminder that is due. */
  readonly seconds_before: number | null;
}

export interface OpenChallengeRow {
  readonly dispute_id: string;
  readonly charge_id: string;
  readonly merchant_id: string;
  readonly ordinal: number;
}

export interface DisputeWorkerOptions {
  readonly store: EventStore;
  readonly evidence: Pick<EvidenceStore, 'namesOf' | 'open'>;
  readonly findDue: (limit: number) => Promise<readonly DueDisputeRow[]>;
  /** Returns challenges after the ordinal `after`, in the order of their ordinals. */
  readonly findChallenges: (after: number, limit: number) => Promise<readonly OpenChallengeRow[]>;
  /** null: this merchant's challenges have no processor. undefined: not known yet. */
  readonly processorOf: (merchantId: string) => DisputeProcessor | null | undefined;
  readonly concessions: Concessions;
  readonly clock: Clock;
  /** Called for a dispute whose step failed, unless with the same error as the last time. The next pass retries. */
  readonly onError: (disputeId: string, error: unknown) => void;
}

const PAGE_SIZE = 500;
const AT_ONCE = 16;

/** Reminds merchants of due dates, lapses disputes that were not answered in time, and submits challenges until the processor has accepted them. */
export class DisputeWorker {
  readonly #errors = new ErrorChanges();

  constructor(private readonly options: DisputeWorkerOptions) {}

  async pass(signal: AbortSignal): Promise<void> {
    await this.#each(await this.options.findDue(PAGE_SIZE), (row) => this.#due(row));
    for (let after = 0; !signal.aborted;) {
      const open = await this.options.findChallenges(after, PAGE_SIZE);
      await this.#each(open, (row) => this.#handOver(row));
      if (open.length < PAGE_SIZE) return;
      after = open.at(-1)!.ordinal;
    }
  }

  async #each<Row extends { readonly dispute_id: string }>(rows: readonly Row[], work: (row: Row) => Promise<void>): Promise<void> {
    await concurrently(rows, AT_ONCE, async (row) => {
      try {
        await work(row);
        this.#errors.clear(row.dispute_id);
      } catch (error) {
        if (this.#errors.isNew(row.dispute_id, error)) this.options.onError(row.dispute_id, error);
      }
    });
  }

  #due({ dispute_id, charge_id, seconds_before }: DueDisputeRow): Promise<void> {
    if (seconds_before !== null) return this.#decide(charge_id, (now) => ({ kind: 'remind-of-dispute', dispute_id, seconds_before, now }));
    const lapse = (): Promise<void> => this.#decide(charge_id, (now) => ({ kind: 'lapse-dispute', dispute_id, now }));
    return this.options.concessions.concede({ charge_id, dispute_id }, lapse);
  }

  async #handOver({ dispute_id, charge_id, merchant_id }: OpenChallengeRow): Promise<void> {
    const processor = this.options.processorOf(merchant_id);
    if (!processor) return;
    const { state } = await foldStream(this.options.store, chargeStream(charge_id), charge);
    const dispute = state.status === 'NONE' ? undefined : state.disputes.get(dispute_id);
    if (dispute?.status !== 'UNDER_REVIEW' || dispute.isSubmitted) return;
    const { stage, opened } = dispute;
    const answer = await processor.challenge({
      dispute_id,
      reference: opened.reference,
      stage,
      evidence: await evidenceToHandOver(this.options.evidence, evidenceOf(dispute)),
    });
    if (answer.status === 'TAKEN') await this.#decide(charge_id, (now) => ({ kind: 'submit-dispute', dispute_id, stage, now }));
  }

  /** A step that is already recorded has no effect. */
  async #decide(chargeId: string, command: (now: Timestamp) => ChargeCommand): Promise<void> {
    const { store, clock } = this.options;
    const outcome = await decideOnStream(store, clock, chargeStream(chargeId), charge, command, systemContext());
    if ('refusal' in outcome) throw new StoreUnavailable(`charge ${chargeId}: ${outcome.detail}`);
  }
}

/**
 * Returns the files of one dispute for its processor. Each file is opened when the processor reads it.
 * @throws Error when a file cannot be opened. Either it was erased meanwhile, which the next attempt finds in the log, or the evidence
 * was not restored with the database, and no processor may decide without it.
 */
export async function evidenceToHandOver(
  store: Pick<EvidenceStore, 'namesOf' | 'open'>,
  files: readonly ChargeDisputeEvidenceAdded[],
): Promise<ChallengeEvidence[]> {
  const names = await store.namesOf([...new Set(files.map(({ dispute_id }) => dispute_id))]);
  return files.map(({ evidence_id, dispute_id, category, media_type, size, sha256 }) => {
    const name = names.get(evidence_id);
    if (name === undefined) throw new Error(`evidence ${evidence_id} of dispute ${dispute_id} is missing, or its key is: the challenge waits for it`);
    return { id: evidence_id, name, category, media_type, size, sha256, open: () => store.open({ evidence_id, dispute_id, size }) };
  });
}

import { createHash, randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { charge, type ChargeCommand } from '../charge.decider.js';
import { PROBLEM_OF_REFUSAL } from '../charge-problems.js';
import type { ChargeState } from '../charge-state.js';
import { withSameBytes, type NewEvidence } from './charge-disputes.js';
import { decideOnStream } from '../../../ledger/streams/decide-on-stream.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import type { ChargeDisputeEvidenceAdded, EvidenceCategory } from '../../../ledger/events/dispute.events.js';
import { foldStream } from '../../../ledger/streams/fold-stream.js';
import { CLOCK } from '../../../ledger/ports/injection-tokens.js';
import type { CommandContext } from '../../../ledger/streams/new-event.js';
import { timestamp, type Clock, type Timestamp } from '../../../ledger/time.js';
import { EVENT_STORE, OutcomeUnknown, StoreUnavailable, type EventStore, type Position } from '../../../platform/event-store/event-store.js';
import { LedgerProblem } from '../../../ledger/problems.js';
import { EvidenceErased, EvidenceStore } from './evidence-store.js';

/** A file as a merchant sends it: validated. */
export interface SentEvidence {
  readonly name: string;
  readonly category: EvidenceCategory;
  readonly media_type: string;
  readonly bytes: Buffer;
}

export interface AddedEvidence {
  readonly added: ChargeDisputeEvidenceAdded;
  readonly position: Position;
  /** True when the same bytes were there already. */
  readonly replayed: boolean;
}

/** Stores a file as evidence of a dispute. The same bytes are stored once. */
export class AddEvidence extends Command<AddedEvidence> {
  constructor(
    readonly dispute: { readonly dispute_id: string; readonly charge_id: string },
    readonly file: SentEvidence,
    readonly context: Omit<CommandContext, 'now'>,
    /** Aborts when no request waits for the response. */
    readonly signal: AbortSignal,
  ) {
    super();
  }
}

/**
 * Writes key, bytes and event in this order. An interruption leaves bytes without an event, and never an event without its bytes.
 * Each attempt has a separate id, so that no attempt overwrites the bytes of another one's event.
 */
@CommandHandler(AddEvidence)
export class AddEvidenceHandler implements ICommandHandler<AddEvidence> {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly evidence: EvidenceStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ dispute, file, context, signal }: AddEvidence): Promise<AddedEvidence> {
    const { dispute_id, charge_id } = dispute;
    const { name, category, media_type, bytes } = file;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const offered: NewEvidence = { evidence_id: randomUUID(), category, media_type, size: bytes.length, sha256, added_by: context.actor };
    const command = (now: Timestamp): ChargeCommand => ({ kind: 'add-evidence', dispute_id, evidence: offered, now });

    // Decides first without storing: a repeat or a refused file is not stored.
    const stream = chargeStream(charge_id);
    const { state, newest } = await foldStream(this.store, stream, charge);
    const expected = charge.decide(state, command(timestamp(this.clock())));
    if ('refusal' in expected) throw new LedgerProblem(PROBLEM_OF_REFUSAL[expected.refusal], expected.detail);
    if (expected.events.length === 0) return { added: addedTo(state, dispute_id, offered), position: newest!.position, replayed: true };

    const place = { evidence_id: offered.evidence_id, dispute_id, charge_id };
    await this.evidence.put(place, name, bytes, signal).catch((error: unknown) => {
      throw error instanceof EvidenceErased
        ? new LedgerProblem(PROBLEM_OF_REFUSAL['evidence-erased'], 'The evidence of this dispute was erased.')
        : error;
    });
    const outcome = await decideOnStream(this.store, this.clock, stream, charge, command, context).catch(async (error: unknown) => {
      // After any other error, the event may have been appended, so the file stays.
      if (error instanceof StoreUnavailable && !(error instanceof OutcomeUnknown)) await this.forget(offered.evidence_id);
      throw error;
    });
    if ('refusal' in outcome) {
      await this.forget(offered.evidence_id);
      throw new LedgerProblem(PROBLEM_OF_REFUSAL[outcome.refusal], outcome.detail);
    }
    const added = addedTo(outcome.state, dispute_id, offered);
    const replayed = added.evidence_id !== offered.evidence_id;
    if (replayed) await this.forget(offered.evidence_id);
    return { added, position: outcome.position, replayed };
  }

  /** Deletes the file at once if possible; otherwise it is deleted after a day. */
  private forget(evidenceId: string): Promise<void> {
    return this.evidence.remove([evidenceId]).catch(() => undefined);
  }
}

function addedTo(state: ChargeState, disputeId: string, offered: NewEvidence): ChargeDisputeEvidenceAdded {
  const dispute = state.status === 'NONE' ? undefined : state.disputes.get(disputeId);
  const added = dispute && withSameBytes(dispute, offered);
  if (!added) throw new Error(`dispute ${disputeId} does not hold the evidence that was added`);
  return added;
}

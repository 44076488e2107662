import { randomBytes } from 'node:crypto';
import type { DisputeStage } from '../../ledger/events/dispute.events.js';
import { LedgerProblem } from '../../ledger/problems.js';
import { DISPUTE_OPENING, DISPUTE_OUTCOMES, REFUND_OUTCOMES, type DisputeOutcome, type Outcome, type RefundOutcome } from './outcomes.js';
import type { SimulationBody } from './simulation.dto.js';

/** The outcome to simulate. A null id means the newest. */
export type SimulationRequest =
  | { readonly of: 'charge'; readonly outcome: Outcome; readonly reason: string | null }
  | { readonly of: 'refund'; readonly outcome: RefundOutcome; readonly refund_id: string | null }
  | DisputeOpening
  | DisputeRequest;

export interface DisputeOpening {
  readonly of: 'opening';
  readonly reference: string;
  readonly stage: DisputeStage;
  /** Minor units; null: the amount of the charge. */
  readonly amount: number | null;
  readonly reason: string;
  readonly due_in_seconds: number;
}

export interface DisputeRequest {
  readonly of: 'dispute';
  readonly outcome: DisputeOutcome;
  readonly dispute_id: string | null;
  readonly is_final: boolean;
}

/** Values for fields of a dispute that the request leaves out. */
export const DISPUTE_DEFAULTS = { stage: 'CHARGEBACK', reason: 'Disputed in the simulator', due_in_seconds: 604_800 } as const;

/** Every outcome by its name. */
type OutcomeName = Outcome | RefundOutcome | DisputeOutcome | typeof DISPUTE_OPENING;

/** The outcomes that accept a field, and the error for all others. */
const TAKEN_BY: Readonly<Record<Exclude<keyof SimulationBody, 'outcome'>, readonly [readonly OutcomeName[], string]>> = {
  reason: [['fail', DISPUTE_OPENING], 'Only "fail" and "dispute-open" take a reason.'],
  refund_id: [REFUND_OUTCOMES, 'Only outcomes of refunds take a refund.'],
  dispute_id: [DISPUTE_OUTCOMES, 'Only outcomes of an existing dispute take a dispute.'],
  stage: [[DISPUTE_OPENING], 'Only "dispute-open" takes a stage.'],
  amount: [[DISPUTE_OPENING], 'Only "dispute-open" takes an amount.'],
  due_in_seconds: [[DISPUTE_OPENING], 'Only "dispute-open" takes a time to answer in.'],
  reference: [[DISPUTE_OPENING], 'Only "dispute-open" takes a reference.'],
  final: [['dispute-win'], 'Only "dispute-win" is final or not.'],
};

/** @throws Problem validation-failed for a field that belongs to other outcomes */
export function simulationRequest(body: SimulationBody): SimulationRequest {
  const outcome = body.outcome.toLowerCase() as OutcomeName;
  // An empty field of a form counts as absent.
  const reason = body.reason === '' ? null : (body.reason ?? null);
  for (const [field, [outcomes, detail]] of Object.entries(TAKEN_BY)) {
    const value = field === 'reason' ? reason : body[field as keyof SimulationBody];
    if (value != null && !outcomes.includes(outcome)) throw unexpected(`/${field}`, detail);
  }
  if (isOneOf(REFUND_OUTCOMES, outcome)) return { of: 'refund', outcome, refund_id: body.refund_id ?? null };
  if (isOneOf(DISPUTE_OUTCOMES, outcome)) return { of: 'dispute', outcome, dispute_id: body.dispute_id ?? null, is_final: body.final ?? false };
  if (outcome !== DISPUTE_OPENING) return { of: 'charge', outcome, reason };
  return {
    of: 'opening',
    reference: body.reference ?? `SIM-${randomBytes(6).toString('hex').toUpperCase()}`,
    stage: (body.stage as DisputeStage | null | undefined) ?? DISPUTE_DEFAULTS.stage,
    amount: body.amount ?? null,
    reason: reason ?? DISPUTE_DEFAULTS.reason,
    due_in_seconds: body.due_in_seconds ?? DISPUTE_DEFAULTS.due_in_seconds,
  };
}

function isOneOf<T extends OutcomeName>(outcomes: readonly T[], outcome: OutcomeName): outcome is T {
  return (outcomes as readonly string[]).includes(outcome);
}

function unexpected(pointer: string, detail: string): LedgerProblem {
  return new LedgerProblem('validation-failed', 'One field is not valid.', { errors: [{ pointer, code: 'unexpected-field', detail }] });
}

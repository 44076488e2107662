import { NOTHING_TO_DO, refuse, type Decision } from '../../../ledger/decider.js';
import type { ChargeEvent, InstructedAction } from '../../../ledger/events/charge.events.js';
import type { Timestamp } from '../../../ledger/time.js';
import { ofCharge, type ExistingCharge } from '../charge-state.js';
import { unreachable } from '../../../ledger/unreachable.js';

/** Commands for the payment instructions of a charge at a remote processor. */
export type InstructionCommand =
  /** Recorded before a push is sent. */
  | { readonly kind: 'begin-instruction'; readonly now: Timestamp }
  | {
      readonly kind: 'instruct';
      readonly attempt: number;
      readonly processor_reference: string;
      /** Values from the processor that are added to the action of ChargeCreated. */
      readonly action: Pick<InstructedAction, 'qr_string' | 'redirect_url'>;
      readonly valid_until: Timestamp | null;
      readonly now: Timestamp;
    }
  /** Only for a definite result of the processor, never for an unknown outcome. */
  | { readonly kind: 'close-instruction'; readonly attempt: number; readonly code: string; readonly now: Timestamp };

export type InstructionRefusal =
  | 'charge-not-remote'
  | 'charge-not-pending'
  /** The customer has another instruction, which is the valid one. */
  | 'charge-instructed'
  /** The outcome of a push is not known: a second one might take the money twice. */
  | 'attempt-open'
  | 'attempt-not-newest'
  | 'too-many-attempts';

/** Maximum attempts per charge, shown or not. */
export const INSTRUCTIONS_MAX = 5;

export function decideInstruction(state: ExistingCharge, command: InstructionCommand): Decision<ChargeEvent, InstructionRefusal> {
  if (state.created.remote !== true) return refuse('charge-not-remote', 'Its processor is not asked how to pay it.');
  switch (command.kind) {
    case 'begin-instruction':
      return decideBegin(state, command.now);
    case 'instruct':
      return decideInstruct(state, command);
    case 'close-instruction':
      return decideClose(state, command);
    default:
      return unreachable(command);
  }
}

function decideBegin(state: ExistingCharge, now: Timestamp): Decision<ChargeEvent, InstructionRefusal> {
  const { newest, isOpen, instructed } = state.attempts;
  if (state.status !== 'PENDING') return refuse('charge-not-pending', `The charge is ${state.status}.`);
  if (instructed) return refuse('charge-instructed', 'The customer can pay already.');
  if (isOpen) return refuse('attempt-open', `The result of attempt ${newest} is not known yet.`);
  if (newest >= INSTRUCTIONS_MAX) return refuse('too-many-attempts', `The charge has had ${INSTRUCTIONS_MAX} attempts.`);
  return { events: [{ type: 'ChargeInstructing', data: { ...ofCharge(state), attempt: newest + 1, instructing_on: now } }] };
}

function decideInstruct(
  state: ExistingCharge,
  command: Extract<InstructionCommand, { kind: 'instruct' }>,
): Decision<ChargeEvent, InstructionRefusal> {
  const { attempt, processor_reference, action, valid_until, now } = command;
  const { instructed } = state.attempts;
  if (instructed?.processor_reference === processor_reference) return NOTHING_TO_DO;
  if (state.status !== 'PENDING') return refuse('charge-not-pending', `The charge is ${state.status}.`);
  if (instructed) return refuse('charge-instructed', 'The customer can pay already.');
  if (attempt < state.attempts.newest) return refuse('attempt-not-newest', `Attempt ${state.attempts.newest} has begun since.`);
  const data = {
    ...ofCharge(state),
    attempt,
    processor_reference,
    action: { ...state.created.action, ...action },
    valid_until,
    instructed_on: now,
  };
  return { events: [{ type: 'ChargeInstructed', data }] };
}

function decideClose(
  state: ExistingCharge,
  command: Extract<InstructionCommand, { kind: 'close-instruction' }>,
): Decision<ChargeEvent, InstructionRefusal> {
  const { attempt, code, now } = command;
  const { newest, isOpen, instructed } = state.attempts;
  if (attempt !== newest) return refuse('attempt-not-newest', `Attempt ${newest} is the newest.`);
  if (state.status !== 'PENDING' || (!isOpen && !instructed)) return NOTHING_TO_DO;
  return { events: [{ type: 'ChargeInstructionClosed', data: { ...ofCharge(state), attempt, code, closed_on: now } }] };
}

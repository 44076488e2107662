import { settlementTotals, type SettlementLine } from '../../ledger/events/account.events.js';
import { NOTHING_TO_DO, refuse, type Decider, type Decision } from '../../ledger/decider.js';
import type { Timestamp } from '../../ledger/time.js';
import type { SettlementClosed, SettlementEvent, SettlementOpened } from '../../ledger/events/settlement.events.js';
import { unreachable } from '../../ledger/unreachable.js';

export type SettlementCommand =
  | { readonly kind: 'open'; readonly opening: SettlementOpened }
  /** `claimed`: the lines of the stored opening that their own streams assign to this number, in its order. */
  | { readonly kind: 'close'; readonly claimed: readonly SettlementLine[]; readonly now: Timestamp };

export type SettlementRefusal =
  | 'settlement-exists'
  | 'settlement-not-found'
  /** A line that the stored opening lacks: the settlement was opened again, with other lines, since these were claimed. */
  | 'lines-not-opened';

export type SettlementState =
  | { readonly status: 'NONE' }
  | { readonly status: 'OPEN'; readonly opened: SettlementOpened }
  | { readonly status: 'CLOSED'; readonly opened: SettlementOpened; readonly closed: SettlementClosed };

/** Maximum lines of a settlement. Its three events stay far below the largest append, and the work of a run is bounded. */
export const SETTLEMENT_LINES_MAX = 1_000;

/** Decides the content of a settlement. The account alone decides when it counts. */
export const settlement: Decider<SettlementState, SettlementCommand, SettlementEvent, SettlementRefusal> = {
  initial: { status: 'NONE' },

  evolve(state, event): SettlementState {
    switch (event.type) {
      case 'SettlementOpened':
        return { status: 'OPEN', opened: event.data };
      case 'SettlementClosed':
        if (state.status === 'NONE') throw new Error('SettlementClosed without SettlementOpened');
        return { status: 'CLOSED', opened: state.opened, closed: event.data };
      default:
        return unreachable(event);
    }
  },

  decide(state, command): Decision<SettlementEvent, SettlementRefusal> {
    switch (command.kind) {
      case 'open':
        if (state.status !== 'NONE') return refuse('settlement-exists', 'The settlement has been opened with its lines.');
        assertLines(command.opening.lines);
        return { events: [{ type: 'SettlementOpened', data: command.opening }] };
      case 'close':
        if (state.status === 'NONE') return refuse('settlement-not-found', 'There is no such settlement.');
        if (state.status === 'CLOSED') return NOTHING_TO_DO;
        return decideClose(state.opened, command.claimed, command.now);
      default:
        return unreachable(command);
    }
  },
};

/** A record has at most one line of each kind. */
export const lineKey = (line: SettlementLine): string => `${line.kind} ${line.record_id}`;

function assertLines(lines: readonly SettlementLine[]): void {
  if (lines.length < 1 || lines.length > SETTLEMENT_LINES_MAX)
    throw new RangeError(`a settlement has 1 to ${SETTLEMENT_LINES_MAX} lines, not ${lines.length}`);
  if (new Set(lines.map(lineKey)).size !== lines.length) throw new RangeError('the settlement contains a line twice');
}

function decideClose(opened: SettlementOpened, claimed: readonly SettlementLine[], now: Timestamp): Decision<SettlementEvent, SettlementRefusal> {
  const { settlement_id, merchant_id, currency, settlement_number } = opened;
  const keys = new Set(claimed.map(lineKey));
  if (keys.size !== claimed.length) throw new RangeError(`settlement ${settlement_number} closes with a line twice`);
  const candidates = new Set(opened.lines.map(lineKey));
  const other = claimed.find((line) => !candidates.has(lineKey(line)));
  if (other) return refuse('lines-not-opened', `Settlement ${settlement_number} was not opened with ${lineKey(other)}.`);
  const data = { settlement_id, merchant_id, currency, settlement_number, lines: claimed, totals: settlementTotals(claimed), closed_on: now };
  return { events: [{ type: 'SettlementClosed', data }] };
}

import type { ChargeLineClaimed } from '../../../ledger/events/charge.events.js';
import type { ChargeDisputeHeld, ChargeDisputeLost, ChargeDisputeWon } from '../../../ledger/events/dispute.events.js';
import type { ShownEvent } from '../../../ledger/published/shown-event.js';

/** One movement of a dispute's money. Amounts are minor units. */
export interface DisputeMove {
  readonly position: number;
  readonly on: string;
  readonly what: 'HELD' | 'RELEASED' | 'LOST' | 'FEE';
  /** Amount that the customer claims; for FEE, the whole fee. */
  readonly amount: number;
  /** Part of the amount that the company pays from the charge's fee. */
  readonly fee_amount: number;
  /** Part of the amount that the merchant pays or gets back. */
  readonly net_amount: number;
  /** Number of the settlement that has moved it in the merchant's account; null: no settlement moves it, or none has moved it yet. */
  readonly settlement: number | null;
}

export interface DisputeMoney {
  /** Movements in the order of the log. */
  readonly moves: readonly DisputeMove[];
  /** Amounts lost to the customer by the merchant, and by the company from the charge's fee. */
  readonly net_lost: number;
  readonly fee_lost: number;
  /** Fee that the company charges the merchant for the dispute. */
  readonly dispute_fee: number;
}

/** Computes the amounts that a dispute has held and cost so far from its events. */
export function disputeMoney(disputeId: string, events: readonly ShownEvent[]): DisputeMoney {
  const settlements = new Map(events.filter(({ type }) => type === 'ChargeLineClaimed').map(({ data }) => claimOf(data as ChargeLineClaimed)));
  const moves = events.flatMap((event) => movesOf(event, disputeId, settlements));
  const lost = events.flatMap(({ type, data }) => lostParts(type, data));
  return {
    moves,
    net_lost: lost.reduce((all, { net_amount }) => all + net_amount, 0),
    fee_lost: lost.reduce((all, { fee_amount }) => all + fee_amount, 0),
    dispute_fee: moves.reduce((all, { what, amount }) => (what === 'FEE' ? all + amount : all), 0),
  };
}

const claimOf = ({ record_id, settlement_number }: ChargeLineClaimed) => [record_id, settlement_number] as const;

/** Returns the amounts of a loss, or the negative amounts of a win after a loss. */
function lostParts(type: string, data: object): readonly { readonly net_amount: number; readonly fee_amount: number }[] {
  if (type === 'ChargeDisputeLost') return [data as ChargeDisputeLost];
  if (type !== 'ChargeDisputeWon') return [];
  const { from, net_amount, fee_amount } = data as ChargeDisputeWon;
  return from === 'PROCESSOR' ? [{ net_amount: -net_amount, fee_amount: -fee_amount }] : [];
}

function movesOf({ type, position, data }: ShownEvent, disputeId: string, settlements: ReadonlyMap<string, number>): DisputeMove[] {
  const at = position ?? 0;
  const by = (record: string): number | null => settlements.get(record) ?? null;
  if (type === 'ChargeDisputeHeld') {
    const { held_on: on, hold_id, amount, fee_amount, net_amount } = data as ChargeDisputeHeld;
    return [{ position: at, on, what: 'HELD', amount, fee_amount, net_amount, settlement: by(hold_id) }];
  }
  if (type === 'ChargeDisputeWon') {
    const { won_on: on, release_id, amount, fee_amount, net_amount } = data as ChargeDisputeWon;
    return amount === 0 ? [] : [{ position: at, on, what: 'RELEASED', amount, fee_amount, net_amount, settlement: by(release_id) }];
  }
  if (type !== 'ChargeDisputeLost') return [];
  const { lost_on: on, amount, fee_amount, net_amount, dispute_fee_amount: fee } = data as ChargeDisputeLost;
  const lost = { position: at, on, settlement: null };
  return [
    ...(amount === 0 ? [] : [{ ...lost, what: 'LOST' as const, amount, fee_amount, net_amount }]),
    ...(fee === 0 ? [] : [{ ...lost, what: 'FEE' as const, amount: fee, fee_amount: 0, net_amount: fee, settlement: by(disputeId) }]),
  ];
}

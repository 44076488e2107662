import { effectOnAvailable, settlementTotals, type SettlementLine } from '../../ledger/events/account.events.js';
import { feeOnRoundedHalfUp, type Fee } from '../../ledger/money.js';
import { handling, type HandledBy, type LoggedEvent } from '../../ledger/read-model.js';
import { both, changed, figures, NotReproduced, relisted, withTerms, wouldBe, type Changes, type PricedFigures } from './changes.js';
import { netOf, NO_PART, NOTHING, plus, PricedCharge, type Part, type Priced } from './priced.js';
import { isOfPeriod, type Period, type Scenario } from './scenario.js';

const isHandled = handling({
  charges: { except: ['ChargePaymentUnmatched', 'unpaid charges', 'ChargeReversalClaimed'] },
  disputes: { except: ['later dispute proceedings'] },
  accounts: { except: ['adjustments'] },
  payouts: { except: ['transfers', 'PayoutReturnClaimed'] },
  settlements: 'all',
});
type PricedEvent = HandledBy<typeof isHandled>;
type Of<Type extends PricedEvent['type']> = Extract<PricedEvent, { readonly type: Type }>;

interface PricedDispute {
  /** null: of a charge that is not of the period. */
  readonly charge: PricedCharge | null;
  /** Charged when it is lost for the first time. */
  readonly fee: Priced;
  /** Held, or taken. */
  held: Part;
  hasBeenLost: boolean;
}

interface Reservation {
  readonly charge: PricedCharge;
  readonly part: Part;
}

type PricedLine = Required<Pick<PricedFigures, 'fee_amount' | 'net_amount'>>;

/**
 * The function between the log and the read models: receives every event of the log in its order, and returns it as the scenario has it. Fees
 * of the period's charges, payouts and disputes are those of the scenario; everything that was computed from them follows by the functions in force.
 * Merchants and customers did the same at the same times. Every recorded amount is computed too, and has to be the recorded one: without rules,
 * nothing changes.
 */
export class Repricing {
  readonly #charges = new Map<string, PricedCharge>();
  readonly #refunds = new Map<string, Part>();
  readonly #reservations = new Map<string, Reservation>();
  readonly #disputes = new Map<string, PricedDispute>();
  readonly #payouts = new Map<string, Part>();
  /** Amounts of a settlement's lines for refunds and disputes, by kind and record. */
  readonly #lines = new Map<string, Priced>();
  readonly #unsettled = new Map<string, bigint>();

  constructor(
    private readonly scenario: Scenario,
    private readonly period: Period,
  ) {}

  /** Returns the event as the scenario has it: itself when it stays as it is. @throws NotReproduced */
  reprice<Event extends LoggedEvent>(event: Event): Event {
    const changes = isHandled(event) ? this.#changesOf(event) : undefined;
    return changes ? { ...event, data: { ...event.data, ...changes } } : event;
  }

  /**
   * Returns the amount that lines would have added to an account's available, minor units, for which the recorded settlements have no line, because
   * their recorded amount is 0. They stay due.
   */
  unsettledOf(merchantId: string, currency: string): bigint {
    return this.#unsettled.get(`${merchantId} ${currency}`) ?? 0n;
  }

  #changesOf(event: PricedEvent): Changes | undefined {
    switch (event.type) {
      case 'ChargeCreated':
        return this.#created(event);
      case 'ChargePaid':
        return figures(event, this.#charges.get(event.data.charge_id));
      case 'ChargeSettlementClaimed':
        return this.#claimed(event);
      case 'ChargeReversed': {
        const charge = this.#charges.get(event.data.charge_id);
        return charge && figures(event, (charge.reversed = charge.rest));
      }
      case 'ChargeLineClaimed': {
        const line = this.#lineOf(event.data);
        return line && changed(event, { net_amount: line.net_amount }, event.data);
      }
      case 'FundsSettled':
      case 'SettlementClosed':
        return this.#settled(event);
      case 'SettlementOpened': {
        const lines = relisted(event.data.lines, (line) => this.#figuresOfListed(line));
        return lines && { lines };
      }
      case 'SettlementLineRefused':
        return this.#figuresOfListed(event.data);
      case 'PayoutRequested':
        return this.#requested(event);
      case 'PayoutRegistered':
        return this.#registered(event);
      case 'PayoutApproved':
      case 'PayoutApprovalVoided':
      case 'PayoutSubmitted':
      case 'PayoutSucceeded':
      case 'PayoutFailed':
      case 'PayoutCancelled':
      case 'PayoutReturned':
      case 'PayoutOutcomeContradicted':
        return figures(event, this.#payouts.get(event.data.payout_id));
      default:
        return event.type.startsWith('ChargeDispute') ? this.#ofDispute(event as DisputeEvent) : this.#ofRefund(event as RefundEvent);
    }
  }

  // --- charges ----------------------------------------------------------------------------------------------------------

  #created(event: Of<'ChargeCreated'>): Changes | undefined {
    const { charge_id, merchant_id, channel_code, amount, fee, created_on } = event.data;
    if (!isOfPeriod(this.period, created_on)) return undefined;
    const agreed = this.scenario.charges.find(merchant_id, channel_code) ?? fee;
    const charge = new PricedCharge(amount, feeBy(event, agreed));
    this.#charges.set(charge_id, charge);
    return withTerms(event.data, agreed, figures(event, charge));
  }

  /** Claims of version 1 have no amounts, and take the whole charge. */
  #claimed(event: Of<'ChargeSettlementClaimed'>): Changes | undefined {
    const { charge_id, net_amount, fee_amount } = event.data;
    const charge = this.#charges.get(charge_id);
    if (!charge) return undefined;
    charge.claim = net_amount === null || fee_amount === null ? charge : charge.rest;
    return net_amount === null || fee_amount === null ? undefined : figures(event, charge.claim);
  }

  #ofRefund(event: RefundEvent): Changes | undefined {
    const charge = this.#charges.get(event.data.charge_id);
    if (!charge) return undefined;
    const { refund_id, amount, fee_amount } = event.data;
    switch (event.type) {
      case 'RefundReserved': {
        const part = charge.reserve(amount, fee_amount);
        if (!part) throw new NotReproduced(event, `no state of the charge permits a refund with a fee of ${fee_amount}`);
        this.#reservations.set(event.data.reservation_id, { charge, part });
        return figures(event, part);
      }
      case 'ChargeRefundClaimed': {
        const { reservation_id } = event.data;
        const part = reservation_id === null ? charge.partOf(amount) : this.#endReserved(event, reservation_id);
        charge.giveBack(part);
        this.#refunds.set(refund_id, part);
        return figures(event, part);
      }
      case 'ChargeRefundDeclined':
        return figures(event, this.#endReserved(event, event.data.reservation_id));
      case 'RefundReleased':
      case 'RefundConfirmed': {
        const reservation = this.#reservations.get(event.data.reservation_id);
        this.#reservations.delete(event.data.reservation_id);
        return figures(event, reservation?.part);
      }
      case 'ChargeRefundSubmitted':
      case 'ChargeRefundSucceeded':
        return figures(event, this.#refunds.get(refund_id));
      default: {
        const part = this.#refunds.get(refund_id)!;
        charge.takeBack(part);
        if (event.data.to === 'RETURNS') this.#offer(event, 'refund-return', refund_id, netOf(part));
        return figures(event, part);
      }
    }
  }

  #endReserved(event: RefundEvent, reservationId: string): Part {
    const reservation = this.#reservations.get(reservationId);
    if (!reservation) throw new NotReproduced(event, 'its reservation is not in the log before it');
    reservation.charge.endReservation(reservation.part);
    return reservation.part;
  }

  #ofDispute(event: DisputeEvent): Changes | undefined {
    if (event.type === 'ChargeDisputeOpened') return this.#opened(event);
    const dispute = this.#disputes.get(event.data.dispute_id);
    if (!dispute) return undefined;
    const { charge } = dispute;
    switch (event.type) {
      case 'ChargeDisputeHeld': {
        if (!charge) return undefined;
        const part = charge.partOf(event.data.amount);
        charge.giveBack(part);
        dispute.held = plus(dispute.held, part);
        if (event.data.from === 'RETURNS') this.#offer(event, 'dispute-hold', event.data.hold_id, netOf(part));
        return figures(event, part);
      }
      case 'ChargeDisputeWon': {
        if (!charge) return undefined;
        const { held } = dispute;
        charge.takeBack(held);
        dispute.held = NO_PART;
        if (event.data.to === 'RETURNS') this.#offer(event, 'dispute-release', event.data.release_id, netOf(held));
        return figures(event, held);
      }
      default: {
        const fee = dispute.hasBeenLost || event.data.stage === 'INQUIRY' ? NOTHING : dispute.fee;
        dispute.hasBeenLost ||= event.data.stage !== 'INQUIRY';
        this.#offer(event, 'dispute-fee', event.data.dispute_id, fee);
        return both(charge ? figures(event, dispute.held) : undefined, changed(event, { dispute_fee_amount: fee }, event.data));
      }
    }
  }

  #opened(event: Of<'ChargeDisputeOpened'>): Changes | undefined {
    const { dispute_id, charge_id, merchant_id, currency, dispute_fee_amount, opened_on } = event.data;
    const charge = this.#charges.get(charge_id) ?? null;
    const agreed = isOfPeriod(this.period, opened_on) ? this.scenario.disputes.find(merchant_id, currency) : undefined;
    if (!charge && !agreed) return undefined;
    const fee = { was: dispute_fee_amount, would: agreed?.value ?? dispute_fee_amount };
    this.#disputes.set(dispute_id, { charge, fee, held: NO_PART, hasBeenLost: false });
    return changed(event, { dispute_fee_amount: fee }, event.data);
  }

  // --- settlements ------------------------------------------------------------------------------------------------------

  /** A line that a settlement may have from now on. */
  #offer(
    event: LoggedEvent & { readonly data: { readonly merchant_id: string; readonly currency: string } },
    kind: OfferedKind,
    id: string,
    net: Priced,
  ): void {
    this.#lines.set(`${kind} ${id}`, net);
    if (net.was !== 0 || net.would === 0) return;
    const account = `${event.data.merchant_id} ${event.data.currency}`;
    const effect = effectOnAvailable({ kind, net_amount: net.would, fee_amount: 0 });
    this.#unsettled.set(account, (this.#unsettled.get(account) ?? 0n) + effect);
  }

  /** Returns the amounts of a claimed line; undefined for a line of a record that is not of the period. */
  #lineOf({ kind, record_id }: Pick<SettlementLine, 'kind' | 'record_id'>): PricedLine | undefined {
    switch (kind) {
      case 'charge':
        return lineOf(this.#charges.get(record_id)?.claim);
      case 'reversal':
        return lineOf(this.#charges.get(record_id)?.reversed);
      case 'return':
        return lineOf(this.#payouts.get(record_id));
      default: {
        const net_amount = this.#lines.get(`${kind} ${record_id}`);
        return net_amount && { net_amount, fee_amount: NOTHING };
      }
    }
  }

  #settled(event: Of<'FundsSettled' | 'SettlementClosed'>): Changes | undefined {
    const lines = relisted(event.data.lines, (line) => {
      const priced = this.#lineOf(line);
      return priced && changed(event, priced, line);
    });
    return lines && { lines, totals: settlementTotals(lines) };
  }

  /** The list of a settlement has the amounts that a read model had for its lines. They move no money, and may belong to no record. */
  #figuresOfListed(line: SettlementLine): Changes | undefined {
    const charge = line.kind === 'charge' ? this.#charges.get(line.record_id) : undefined;
    const candidates = charge ? charge.rests.map(lineOf) : [this.#lineOf(line)];
    const priced = candidates.find((each) => each?.fee_amount.was === line.fee_amount && each.net_amount.was === line.net_amount);
    return priced && wouldBe(priced);
  }

  // --- payouts ----------------------------------------------------------------------------------------------------------

  #requested(event: Of<'PayoutRequested'>): Changes | undefined {
    const { payout_id, merchant_id, currency, amount, fee, created_on } = event.data;
    if (!isOfPeriod(this.period, created_on)) return undefined;
    const agreed = this.scenario.payouts.find(merchant_id, currency) ?? fee;
    const payout = { amount, fee: feeBy(event, agreed) };
    this.#payouts.set(payout_id, payout);
    return withTerms(event.data, agreed, figures(event, payout));
  }

  #registered(event: Of<'PayoutRegistered'>): Changes | undefined {
    const { payout_id, merchant_id, currency, fee } = event.data;
    const payout = this.#payouts.get(payout_id);
    return payout && withTerms(event.data, this.scenario.payouts.find(merchant_id, currency) ?? fee, figures(event, payout));
  }
}

/** Returns the fee of a new record by its recorded terms, and by those of the scenario. @throws NotReproduced */
function feeBy(event: Of<'ChargeCreated' | 'PayoutRequested'>, agreed: Fee): Priced {
  const { amount, fee, fee_amount } = event.data;
  const was = feeOnRoundedHalfUp(amount, fee);
  if (fee_amount !== was) throw new NotReproduced(event, `its terms give a fee of ${was}, not ${fee_amount}`);
  return { was, would: feeOnRoundedHalfUp(amount, agreed) };
}

type OfferedKind = 'refund-return' | 'dispute-hold' | 'dispute-release' | 'dispute-fee';
type DisputeEvent = Extract<PricedEvent, { readonly type: `ChargeDispute${string}` }>;
type RefundEvent = Extract<PricedEvent, { readonly type: `ChargeRefund${string}` | `Refund${string}` }>;

function lineOf(part: Part | null | undefined): PricedLine | undefined {
  return part ? { net_amount: netOf(part), fee_amount: part.fee } : undefined;
}

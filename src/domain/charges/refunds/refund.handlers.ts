import { randomUUID } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RefundReservation } from '../../accounts/reservations.js';
import type { LedgerEvent } from '../../../ledger/catalogue.js';
import { decideOnStream } from '../../../ledger/streams/decide-on-stream.js';
import { chargeStream, type ChargeCreated } from '../../../ledger/events/charge.events.js';
import type { ChargeRefundClaimed } from '../../../ledger/events/refund.events.js';
import { fingerprint, recordId, requireSameRequest } from '../../../ledger/ids/idempotency.js';
import { CLOCK, SECRET } from '../../../ledger/ports/injection-tokens.js';
import { foldStream, type LoadedStream, type NewestEvent } from '../../../ledger/streams/fold-stream.js';
import type { CommandContext } from '../../../ledger/streams/new-event.js';
import type { Previewed, PreviewedRefusal } from '../../../ledger/streams/previewed.js';
import { timestamp, type Clock, type Timestamp } from '../../../ledger/time.js';
import {
  EVENT_STORE,
  OutcomeUnknown,
  StoreUnavailable,
  StoreRestored,
  StreamBusy,
  type EventStore,
  type Position,
} from '../../../platform/event-store/event-store.js';
import { LedgerProblem } from '../../../ledger/problems.js';
import { charge, type ChargeCommand } from '../charge.decider.js';
import { PROBLEM_OF_REFUSAL } from '../charge-problems.js';
import { canGiveBack, permitRefund, type RefundOrder } from './charge-refunds.js';
import { ofCharge, type ChargeState, type ExistingCharge } from '../charge-state.js';
import { NO_ROUTES, PROCESSOR_ROUTES, type ProcessorRoutes } from '../remote/remote-processor.js';
import { RefundReservations, type Reservation } from './refund-reservations.js';

/** A client's refund request: validated and normalised. */
export interface RefundBody extends Omit<RefundOrder, 'refund_id' | 'amount' | 'meta_data' | 'fingerprint' | 'created_by'> {
  /** Minor units; absent: all that is left of the charge. */
  readonly amount?: number;
  readonly metadata: RefundOrder['meta_data'];
}

export interface RequestedRefund {
  /** The event from which the response is built. */
  readonly claimed: ChargeRefundClaimed;
  readonly position: Position;
  /** True for a replay: an earlier request with this key created the refund. */
  readonly replayed: boolean;
}

/** Refunds a part of a charge, or all that is left, once for each Idempotency-Key. */
export class RequestRefund extends Command<RequestedRefund> {
  constructor(
    readonly chargeId: string,
    readonly body: RefundBody,
    readonly idempotencyKey: string,
    readonly merchant: { readonly merchant_id: string; readonly mode: 'test' | 'live' },
    readonly context: Omit<CommandContext, 'now'>,
  ) {
    super();
  }
}

/** A refund request without its key. */
type RefundDemand = Pick<RequestRefund, 'chargeId' | 'body' | 'merchant' | 'context'>;
type Asked = Omit<Extract<ChargeCommand, { kind: 'refund' }>, 'now'>;

/** Maximum reservations of one request that the charge may decline in turn. Each decline means that the charge has changed. */
const DECLINES_MAX = 10;

@CommandHandler(RequestRefund)
export class RequestRefundHandler implements ICommandHandler<RequestRefund> {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly reservations: RefundReservations,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SECRET) private readonly secret: Buffer,
    @Inject(PROCESSOR_ROUTES) private readonly routes: ProcessorRoutes = NO_ROUTES,
  ) {}

  async execute(command: RequestRefund): Promise<RequestedRefund> {
    const { chargeId, merchant, context } = command;
    const refund_id = recordId(merchant.merchant_id, `POST /v1/charges/${chargeId}/refunds`, command.idempotencyKey);
    const asked = this.toAsked(command, refund_id);
    const outcome = await decideOnStream(this.store, this.clock, chargeStream(chargeId), charge, (now) => ({ ...asked, now }), context);
    if (!('refusal' in outcome)) {
      const { state, events, position } = outcome;
      const found = state.status === 'NONE' ? undefined : state.refunds.get(refund_id);
      return repeated(found!.claimed, position, asked.order, events.length === 0);
    }
    if (outcome.refusal !== 'refund-needs-reservation') throw new LedgerProblem(PROBLEM_OF_REFUSAL[outcome.refusal], outcome.detail);
    if (outcome.state.status === 'NONE') throw new Error('the charge of the refund does not exist');
    return this.fromAvailable(outcome.state, outcome.loaded, asked, context);
  }

  /** Decides a request as `execute` does, and records nothing. @throws Problem not-found; StoreUnavailable */
  async preview(demand: RefundDemand): Promise<Previewed<ChargeRefundClaimed>> {
    const asked = this.toAsked(demand, randomUUID());
    const { state, newest } = await foldStream(this.store, chargeStream(demand.chargeId), charge);
    const onCharge = charge.decide(state, { ...asked, now: timestamp(this.clock()) });
    if (!('refusal' in onCharge)) return asPreviewed(onCharge.events, newest);
    const { refusal, detail } = onCharge;
    if (state.status === 'NONE' || refusal === 'charge-not-found') throw new LedgerProblem(PROBLEM_OF_REFUSAL[refusal], detail);
    const { currency } = state.created;
    if (refusal !== 'refund-needs-reservation')
      return { problem: PROBLEM_OF_REFUSAL[refusal], detail, needs: null, currency, position: positionOf(newest) };
    const permit = new Permit(asked);
    const { decision, newest: ofAccount } = await this.reservations.preview(ofCharge(state), state, permit.reservation);
    if (!('refusal' in decision)) return asPreviewed(decision.events, newest, ofAccount);
    return { ...permit.problem(), detail: decision.detail, currency, position: positionOf(newest, ofAccount) };
  }

  /** The command of a request, without the time of its decision. */
  private toAsked({ body, merchant, context }: RefundDemand, refund_id: string): Asked {
    const { amount = null, metadata: meta_data, ...details } = body;
    const order: RefundOrder = {
      ...{ refund_id, amount, ...details, meta_data },
      fingerprint: fingerprint(this.secret, { ...body }),
      created_by: context.actor,
    };
    const isRefundableByRail = ({ processor, channel_code }: ChargeCreated): boolean =>
      this.routes.named(processor)?.describe(channel_code)?.refund ?? false;
    return { kind: 'refund', merchant_id: merchant.merchant_id, order, isRefundable: merchant.mode === 'test', isRefundableByRail };
  }

  /** Refunds a charge that a settlement has claimed: the account decides whether it has the money, then the charge decides again. */
  private async fromAvailable(
    of: ExistingCharge,
    known: LoadedStream<ChargeState>,
    asked: Asked,
    context: RequestRefund['context'],
  ): Promise<RequestedRefund> {
    const { order } = asked;
    const { charge_id } = ofCharge(of);
    const permit = new Permit(asked);
    const bytes = Buffer.byteLength(JSON.stringify(order));
    for (let declines = 0; declines < DECLINES_MAX; declines += 1) {
      const record = { charge_id, refund_id: order.refund_id, known };
      const reserved = await this.reservations.reserve(ofCharge(of), record, permit.reservation, context, bytes);
      if (reserved.kind === 'claimed') return repeated(reserved.claimed, reserved.position, order, true);
      if (reserved.kind === 'refused') throw new LedgerProblem(permit.problem().problem, reserved.detail);
      requireSameRequest(reserved.reserved.fingerprint, order.fingerprint);
      const claim = await this.claimed(reserved, context);
      if (claim) return repeated(claim.claimed, claim.position, order, !reserved.isNew);
    }
    throw new StreamBusy(chargeStream(charge_id), 'it kept changing');
  }

  /**
   * Returns undefined when the charge has declined the reservation, which is then released. The money is already reserved, so an
   * error here must not report that nothing was recorded. The worker completes the refund.
   */
  private async claimed(
    { reserved, place, of }: Extract<Reservation, { kind: 'reserved' }>,
    context: RequestRefund['context'],
  ): Promise<{ readonly claimed: ChargeRefundClaimed; readonly position: Position } | undefined> {
    try {
      const end = await this.reservations.decide(reserved, place, context, of.loaded);
      if (end.claimed) {
        // The response does not wait for this step. This process already has the account in memory; if the step fails, the worker repeats it.
        if (end.claimed.reservation_id === reserved.reservation_id) void this.reservations.forget(reserved, end, context).catch(() => undefined);
        return { claimed: end.claimed, position: end.position };
      }
      await this.reservations.forget(reserved, end, context);
      return undefined;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      throw new OutcomeUnknown(`money for refund ${reserved.refund_id} is reserved, but its charge could not be asked`, { cause: error });
    }
  }
}

/** Makes the reservations of a request, and remembers the permission of the charge. */
class Permit {
  #permitted: ReturnType<typeof permitRefund> | undefined;

  constructor(private readonly asked: Asked) {}

  readonly reservation = (state: ExistingCharge, now: Timestamp): RefundReservation => {
    // The refund of an unclaimed charge takes pending money. If the account reserved money for it, that money would be missing there for ever.
    if (!state.claim) throw new StoreRestored(`the settlement claim of charge ${state.created.charge_id}`);
    const { order } = this.asked;
    const permitted = permitRefund(state, order.amount, now, { isRefundable: canGiveBack(state, this.asked) });
    this.#permitted = permitted;
    return {
      refund_id: order.refund_id,
      reservation_id: randomUUID(),
      permitted: 'refusal' in permitted ? permitted : { ...ofCharge(state), ...order, ...permitted },
    };
  };

  /** Returns the problem of a refused reservation. The account refuses a permitted one only for its balance. */
  problem(): Pick<PreviewedRefusal, 'problem' | 'needs'> {
    const permitted = this.#permitted;
    if (!permitted) throw new Error('no reservation was decided');
    return 'refusal' in permitted
      ? { problem: PROBLEM_OF_REFUSAL[permitted.refusal], needs: null }
      : { problem: 'insufficient-balance', needs: permitted.net_amount };
  }
}

function asPreviewed(events: readonly LedgerEvent[], ...newest: readonly (NewestEvent | null)[]): Previewed<ChargeRefundClaimed> {
  const claimed = events.find((event) => event.type === 'ChargeRefundClaimed');
  if (!claimed) throw new Error('the preview of a refund claims none');
  return { shown: claimed.data, events, currency: claimed.data.currency, position: positionOf(...newest) };
}

/** Returns the position of the latest of these events. */
const positionOf = (...newest: readonly (NewestEvent | null)[]): Position | null =>
  newest.reduce<Position | null>((last, event) => (event && (last === null || event.position > last) ? event.position : last), null);

/** Returns the recorded refund. @throws Problem when the request differs from the recorded one */
function repeated(claimed: ChargeRefundClaimed, position: Position, order: RefundOrder, replayed: boolean): RequestedRefund {
  requireSameRequest(claimed.fingerprint, order.fingerprint);
  return { claimed, position, replayed };
}

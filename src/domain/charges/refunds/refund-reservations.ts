import type { AccountCommand, AccountRefusal } from '../../accounts/account.decider.js';
import type { RefundReservation, ReserveRefund } from '../../accounts/reservations.js';
import type { OpenReservation } from '../../accounts/account-state.js';
import type { AccountId, AccountQueue } from '../../accounts/account-queue.js';
import { readEvent, type LedgerEvent } from '../../../ledger/catalogue.js';
import { decideOnStream } from '../../../ledger/streams/decide-on-stream.js';
import { accountStream } from '../../../ledger/events/account.events.js';
import { chargeStream, type ChargeEvent } from '../../../ledger/events/charge.events.js';
import type { ChargeRefundClaimed, RefundReserved } from '../../../ledger/events/refund.events.js';
import { foldStream, type LoadedStream, type NewestEvent } from '../../../ledger/streams/fold-stream.js';
import type { CommandContext } from '../../../ledger/streams/new-event.js';
import type { Clock, Timestamp } from '../../../ledger/time.js';
import {
  StoreUnavailable,
  StoreRestored,
  type EventRef,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../../platform/event-store/event-store.js';
import { charge, type ChargeCommand } from '../charge.decider.js';
import type { ExistingCharge, ChargeState } from '../charge-state.js';
import type { Decision, Refused } from '../../../ledger/decider.js';

type Context = Omit<CommandContext, 'now'>;

/** A charge as read. */
export interface ReadCharge {
  readonly loaded: LoadedStream<ChargeState>;
  /** The ChargeRefundClaimed event of the requested refund. */
  readonly claim: RecordedEvent | undefined;
}

export type Reservation =
  /** The charge already has the claim of this refund. */
  | { readonly kind: 'claimed'; readonly claimed: ChargeRefundClaimed; readonly position: Position }
  /**
   * `isNew`: this call made the reservation. `place`: an event of the account that was read with it, or later. `of`: the charge on
   * which the reservation is based.
   */
  | { readonly kind: 'reserved'; readonly reserved: RefundReserved; readonly isNew: boolean; readonly place: EventRef; readonly of: ReadCharge }
  | ({ readonly kind: 'refused' } & Refused<AccountRefusal<'reserve-refund'>>);

/** Returns the reservation for a charge as it was read. */
type ReservationOf = (of: ExistingCharge, now: Timestamp) => RefundReservation;

const toReserve = (of: ExistingCharge, now: Timestamp, reservation: ReservationOf): ReserveRefund => ({
  kind: 'reserve-refund',
  reservation: reservation(of, now),
  now,
});

const toClaim = (reserved: RefundReserved, now: Timestamp): ChargeCommand => ({ kind: 'claim-refund', reserved, now });

/** The charge's decision on a reservation. */
export type ReservationEnd = { readonly claimed: ChargeRefundClaimed | null; readonly position: Position; readonly place: EventRef };

/**
 * Refunds of charges that a settlement has claimed: the account reserves the money, the charge claims or declines it, and only then
 * does the account remove the reservation (docs/models/refund.ts). Requests and the worker perform these steps; each can be
 * repeated.
 */
export class RefundReservations {
  constructor(
    private readonly store: EventStore,
    private readonly accounts: AccountQueue,
    private readonly clock: Clock,
  ) {}

  /** Reads the charge and the claim of this refund in it. @param known the charge as read before @throws StoreUnavailable */
  async readCharge(chargeId: string, refundId: string, known?: LoadedStream<ChargeState>): Promise<ReadCharge> {
    let claim: RecordedEvent | undefined;
    // A request that was decided together with this one may have added the claim. Its event is then within `known`, so all events are read.
    const isClaimed = known !== undefined && known.state.status !== 'NONE' && known.state.refunds.has(refundId);
    const before = isClaimed ? undefined : known;
    const loaded = await foldStream(this.store, chargeStream(chargeId), charge, before, (_, added: readonly ChargeEvent[]) => {
      claim ??= added.find((event) => event.type === 'ChargeRefundClaimed' && event.data.refund_id === refundId) as unknown as RecordedEvent;
    });
    return { loaded, claim };
  }

  /**
   * Steps 3 to 5: reads the account at a revision, reads the charge again, then decides.
   * @param known the charge as read before
   * @param reservation returns the reservation for the charge as read; called for every attempt
   * @param bytes approximate memory that the request holds while it waits
   * @throws StoreUnavailable, OutcomeUnknown
   */
  async reserve(
    account: AccountId,
    { charge_id, refund_id, known }: { readonly charge_id: string; readonly refund_id: string; readonly known?: LoadedStream<ChargeState> },
    reservation: ReservationOf,
    context: Context,
    bytes: number,
  ): Promise<Reservation> {
    let read: ReadCharge | undefined;
    // The charge's newest event as last read for the attempt.
    const dependsOn: EventRef[] = [];
    const outcome = await this.accounts.submit(account, {
      bytes,
      context,
      record: {
        id: refund_id,
        find: async () => {
          read = await this.readCharge(charge_id, refund_id, known);
          dependsOn.splice(0, dependsOn.length, ...(read.loaded.newest ? [read.loaded.newest] : []));
          return read.claim;
        },
      },
      command: (now) => toReserve(existing(read), now, reservation),
      dependsOn,
    });
    switch (outcome.kind) {
      case 'found': {
        const event = readEvent(outcome.event);
        if (event.type !== 'ChargeRefundClaimed') throw new Error(`refund ${refund_id} is claimed by ${event.type}`);
        return { kind: 'claimed', claimed: event.data, position: outcome.event.position };
      }
      case 'refused':
        return { kind: 'refused', refusal: outcome.refusal, detail: outcome.detail };
      case 'decided': {
        const [added] = outcome.events;
        const [place, of] = [outcome.newest!, read!];
        if (added?.type === 'RefundReserved') return { kind: 'reserved', reserved: added.data, isNew: true, place, of };
        const open = outcome.state.reservations.get(refund_id);
        if (!open) throw new Error(`refund ${refund_id} was neither reserved nor open`);
        return { kind: 'reserved', reserved: await this.#reservedAt(account, refund_id, open), isNew: false, place, of };
      }
    }
  }

  /** Decides as `reserve` and then `decide` do, on the account as it is now, and records nothing. @throws StoreUnavailable */
  async preview(
    account: AccountId,
    of: ExistingCharge,
    reservation: ReservationOf,
  ): Promise<{ readonly decision: Decision<LedgerEvent, AccountRefusal<'reserve-refund'>>; readonly newest: NewestEvent | null }> {
    const { decision, newest } = await this.accounts.preview(account, (now) => toReserve(of, now, reservation));
    if ('refusal' in decision) return { decision, newest };
    const [event] = decision.events;
    if (event?.type !== 'RefundReserved') throw new Error('the preview of a refund reserves nothing');
    const claim = charge.decide(of, toClaim(event.data, event.data.reserved_on));
    if ('refusal' in claim) throw new Error(`the charge of a preview refuses its claim: ${claim.detail}`);
    return { decision: { events: [event, ...claim.events] }, newest };
  }

  /**
   * Steps 6 and 7: the charge claims or declines the reservation, once.
   * @param known the charge as read before; the claim is appended to that revision
   * @throws StoreUnavailable, OutcomeUnknown
   */
  async decide(reserved: RefundReserved, place: EventRef, context: Context, known?: LoadedStream<ChargeState>): Promise<ReservationEnd> {
    const command = (now: Timestamp): ChargeCommand => toClaim(reserved, now);
    const on = { ...context, dependsOn: [place], known };
    const outcome = await decideOnStream(this.store, this.clock, chargeStream(reserved.charge_id), charge, command, on);
    if ('refusal' in outcome) throw new StoreUnavailable(`charge ${reserved.charge_id} could not be read: ${outcome.detail}`);
    const { state, position, newest } = outcome;
    const claimed = state.status === 'NONE' ? undefined : state.refunds.get(reserved.refund_id)?.claimed;
    return { claimed: claimed ?? null, position, place: newest };
  }

  /** Step 8: the account confirms the reservation that the charge has claimed, or releases the one that it has not. */
  async forget(reserved: RefundReserved, { claimed, place }: ReservationEnd, context: Context): Promise<void> {
    const { merchant_id, currency, refund_id, reservation_id } = reserved;
    const kind = claimed?.reservation_id === reservation_id ? 'confirm-refund' : 'release-refund';
    const command = (now: Timestamp): AccountCommand => ({ kind, refund_id, reservation_id, now });
    const outcome = await this.accounts.submit({ merchant_id, currency }, { command, context, dependsOn: [place] });
    if (outcome.kind !== 'decided') throw new Error(`reservation ${reservation_id} cannot be removed`);
  }

  /** Performs all remaining steps for a reservation of the account. */
  async finish(account: AccountId, refundId: string, context: Context): Promise<void> {
    const { state, newest } = await this.accounts.read(account);
    const open = state.reservations.get(refundId);
    if (!open) return;
    const reserved = await this.#reservedAt(account, refundId, open);
    await this.forget(reserved, await this.decide(reserved, newest!, context), context);
  }

  /** Returns the stored RefundReserved. @throws StoreRestored when that revision holds another event now */
  async #reservedAt({ merchant_id, currency }: AccountId, refundId: string, open: OpenReservation): Promise<RefundReserved> {
    const stream = accountStream(merchant_id, currency);
    const [recorded] = await this.store.read(stream, { from: open.reserved_at, limit: 1 });
    if (!recorded) throw new StoreUnavailable(`${stream} could not be read at ${open.reserved_at}`);
    const event = readEvent(recorded);
    if (event.type !== 'RefundReserved' || event.data.reservation_id !== open.reservation_id)
      throw new StoreRestored(`the reservation of refund ${refundId} at ${open.reserved_at} of ${stream}`);
    return event.data;
  }
}

function existing(read: ReadCharge | undefined): ExistingCharge {
  if (!read || read.loaded.state.status === 'NONE') throw new StoreUnavailable('the charge of a refund could not be read');
  return read.loaded.state;
}

import { accountStream, type PayoutRequested } from '../../ledger/events/account.events.js';
import type { AccountId, AccountQueue } from '../accounts/account-queue.js';
import { readEvent } from '../../ledger/catalogue.js';
import { asCreated, createRecord, firstEventOf } from '../../ledger/streams/create-record.js';
import type { CommandContext } from '../../ledger/streams/new-event.js';
import {
  StoreUnavailable,
  StoreRestored,
  type EventRef,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../platform/event-store/event-store.js';
import { timestamp, type Clock } from '../../ledger/time.js';
import { payout } from './payout.decider.js';
import { payoutStream, type PayoutRegistered } from '../../ledger/events/payout.events.js';

/** A payout with the first event of its stream, from which every response is built. */
export interface RegisteredPayout {
  readonly registered: PayoutRegistered;
  readonly position: Position;
  /** Reference of that event, for decisions that depend on it. */
  readonly place: EventRef;
}

/**
 * The stream `payout-<id>` records that a payout exists. PayoutRegistered is appended before any event may end the payout, so that a
 * later request finds the payout there when the account no longer remembers it.
 */
export class PayoutRegistry {
  constructor(
    private readonly store: EventStore,
    private readonly accounts: AccountQueue,
    private readonly clock: Clock,
  ) {}

  /** Returns the recorded PayoutRegistered. @throws StoreUnavailable */
  firstEvent(payoutId: string): Promise<RecordedEvent | undefined> {
    return firstEventOf(this.store, payoutStream(payoutId));
  }

  async find(payoutId: string): Promise<RegisteredPayout | undefined> {
    const first = await this.firstEvent(payoutId);
    return first && asRegistered(first);
  }

  /**
   * Records a copy of `request` once, and returns the recorded payout.
   * @param requested an event of the account that was read with the request, or later
   * @throws StoreUnavailable, OutcomeUnknown
   */
  async register(request: PayoutRequested, requested: EventRef, context: Omit<CommandContext, 'now'>): Promise<RegisteredPayout> {
    const now = timestamp(this.clock());
    const decision = payout.decide(payout.initial, { kind: 'register', request });
    const stream = payoutStream(request.payout_id);
    const by = { ...context, now, dependsOn: [requested] };
    const outcome = await createRecord(this.store, stream, 'PayoutRegistered', decision, by, request.fingerprint);
    if ('refusal' in outcome) throw new Error(`payout ${request.payout_id} cannot be registered: ${outcome.detail}`);
    // Claims let only one account get here. If two did, the bank must not pay the money of one under the name of the other.
    if (outcome.data.currency !== request.currency)
      throw new Error(`payout ${request.payout_id} of the account in ${request.currency} is registered in ${outcome.data.currency}`);
    return { registered: outcome.data, position: outcome.position, place: outcome.place };
  }

  /**
   * Returns the recorded payout. Registers it when its account has it and it is not registered yet.
   * @returns undefined when neither its stream nor its account has it
   */
  async ensure(account: AccountId, payoutId: string, context: Omit<CommandContext, 'now'>): Promise<RegisteredPayout | undefined> {
    const found = await this.find(payoutId);
    if (found) return found;
    const { state, newest } = await this.accounts.read(account);
    const open = state.open.get(payoutId);
    if (open) return this.register(await this.requestAt(account, payoutId, open.requested_at), newest!, context);
    // A payout that has ended since the first lookup was registered before its end.
    return this.find(payoutId);
  }

  /** Returns the PayoutRequested at this revision of the account. @throws StoreRestored when that revision holds another event now */
  async requestAt({ merchant_id, currency }: AccountId, payoutId: string, revision: number): Promise<PayoutRequested> {
    const stream = accountStream(merchant_id, currency);
    const [recorded] = await this.store.read(stream, { from: revision, limit: 1 });
    if (!recorded) throw new StoreUnavailable(`${stream} could not be read at ${revision}`);
    const event = readEvent(recorded);
    if (event.type !== 'PayoutRequested' || event.data.payout_id !== payoutId)
      throw new StoreRestored(`the request of payout ${payoutId} at ${revision} of ${stream}`);
    return event.data;
  }
}

/** Reads a payout from the event that created its record. */
export function asRegistered(first: RecordedEvent): RegisteredPayout {
  const { data, position, place } = asCreated(first, 'PayoutRegistered');
  return { registered: data, position, place };
}

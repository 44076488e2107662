import type { ChargeConfirmation } from '../../domain/charges/remote/charge-confirmation.js';
import type { RailDue } from '../../domain/charges/remote/rail-due.js';
import type { ProcessorRoutes, ReceivedHeaders, RemoteProcessor, Verified } from '../../domain/charges/remote/remote-processor.js';
import { firstEventOf } from '../../ledger/streams/create-record.js';
import { chargeStream } from '../../ledger/events/charge.events.js';
import type { Clock } from '../../ledger/time.js';
import type { BankRoutes, RemoteBank } from '../../domain/payouts/transfer/remote-bank.js';
import type { EventStore } from '../../platform/event-store/event-store.js';
import { UUID } from '../../platform/text/uuid.js';
import type { RailInbox, Taken } from './rail-inbox.js';
import { unreachable } from '../../ledger/unreachable.js';

/** The result of a query about a record. */
export type Asked = 'answered' | 'unanswered' | 'unknown-record';

/** Query the provider about a refund or a payout, and record the answer. */
export interface OtherConfirmations {
  /** Finds the refund's charge, and queries the provider. */
  refund(refundId: string): Promise<Asked>;
  payout(rail: string, partnerReference: string): Promise<Asked>;
}

export interface RailNotificationOptions {
  readonly store: EventStore;
  readonly inbox: RailInbox;
  readonly due: RailDue;
  readonly processors: ProcessorRoutes;
  readonly banks: BankRoutes;
  readonly charges: ChargeConfirmation;
  readonly others: OtherConfirmations;
  readonly clock: Clock;
  readonly onError: (error: unknown, fields: Readonly<Record<string, unknown>>) => void;
}

/** The result of a received notification. */
export type Received =
  | { readonly came: 'unknown-rail' | 'unverified' | 'taken' }
  /** Authentic, and about no record of ours. */
  | { readonly came: 'unknown-record' };

/** Time that the receiving process has for a notification before the worker handles it, ms. */
const OWN_MS = 30_000;
/** Maximum concurrent notifications that this process handles beside its requests; further ones are left to the worker. */
const AT_ONCE = 16;
const AGAIN_MS = 5_000;
const AGAIN_MAX_MS = 60 * 60_000;

/**
 * Receives notifications of providers: verifies them, stores them, answers, and then queries the provider. A notification only names the record to
 * query, so that a forged, repeated or late one changes nothing.
 */
export class RailNotifications {
  #underWay = 0;

  constructor(private readonly options: RailNotificationOptions) {}

  /** The adapters of a rail; undefined: this process knows no such rail. */
  rail(name: string): { readonly processor: RemoteProcessor | undefined; readonly bank: RemoteBank | undefined } | undefined {
    const [processor, bank] = [this.options.processors.named(name), this.options.banks.named(name)];
    return processor || bank ? { processor, bank } : undefined;
  }

  /** @throws when the stores are unavailable: the provider sends the notification again */
  async receive(name: string, path: string, body: Buffer, headers: ReceivedHeaders): Promise<Received> {
    const rail = this.rail(name);
    if (!rail) return { came: 'unknown-rail' };
    const now = this.options.clock();
    const about = rail.processor?.parse(body, headers, path, now) ?? rail.bank?.parse(body, headers, path, now);
    if (!about) return { came: 'unverified' };
    if (about.about === 'nothing') return { came: 'taken' };
    const isOurs = await this.#isOurs(name, about);
    const taken = await this.options.inbox.take(name, path, body, about, now, now + OWN_MS);
    if (taken && !isOurs) await this.options.inbox.done(taken, true);
    else if (taken) this.#atOnce(taken);
    return { came: isOurs ? 'taken' : 'unknown-record' };
  }

  /** Queries the provider about a notification, and records the result. */
  async confirm(taken: Taken): Promise<void> {
    const { inbox, clock, onError } = this.options;
    const { rail, about } = taken;
    if (!about) {
      onError(new Error('a stored notification is no longer readable'), { rail, hash: taken.hash.toString('hex') });
      return inbox.done(taken, true);
    }
    const asked = await this.#ask(taken, about).catch((error: unknown): Asked => {
      onError(error, { rail, about: about.about });
      return 'unanswered';
    });
    if (asked !== 'unanswered') await inbox.done(taken, asked === 'unknown-record');
    else await inbox.again(taken, clock() + Math.min(AGAIN_MS * 2 ** taken.unanswered, AGAIN_MAX_MS));
  }

  #atOnce(taken: Taken): void {
    if (this.#underWay >= AT_ONCE) return;
    this.#underWay += 1;
    this.confirm(taken)
      .catch((error: unknown) => this.options.onError(error, { rail: taken.rail }))
      .finally(() => (this.#underWay -= 1));
  }

  /** Returns whether there is a record to query. Reads a charge from its stream, which never lags. Other records are looked up later. */
  async #isOurs(rail: string, about: Verified): Promise<boolean> {
    if (about.about !== 'charge') return true;
    const chargeId = await this.#chargeOf(rail, about);
    if (chargeId === undefined) return false;
    const first = await firstEventOf(this.options.store, chargeStream(chargeId));
    return first !== undefined;
  }

  async #chargeOf(rail: string, { charge_id, processor_reference }: Extract<Verified, { about: 'charge' }>): Promise<string | undefined> {
    if (charge_id !== null && UUID.test(charge_id)) return charge_id;
    return processor_reference === null ? undefined : this.options.due.chargeOf(rail, processor_reference);
  }

  async #ask({ rail, unanswered }: Taken, about: Verified): Promise<Asked> {
    const { others } = this.options;
    switch (about.about) {
      case 'nothing':
        return 'answered';
      case 'refund':
        return UUID.test(about.refund_id) ? others.refund(about.refund_id) : 'unknown-record';
      case 'payout':
        return others.payout(rail, about.partner_reference);
      case 'charge': {
        const chargeId = await this.#chargeOf(rail, about);
        return chargeId === undefined ? 'unknown-record' : this.#askCharge(chargeId, about.processor_reference, unanswered);
      }
      default:
        return unreachable(about);
    }
  }

  /** An instruction that the charge does not know was never shown to a payer: a search by our own reference finds its money. */
  async #askCharge(chargeId: string, reference: string | null, asked: number): Promise<Asked> {
    const { charges } = this.options;
    const queried = await charges.confirm(chargeId, 'query', asked);
    if (queried.is === 'nothing') return 'unknown-record';
    if (queried.is === 'unanswered') return 'unanswered';
    if (reference === null || queried.state.attempts.references.includes(reference)) return 'answered';
    const found = await charges.confirm(chargeId, 'find', asked);
    return found.is === 'unanswered' ? 'unanswered' : 'answered';
  }
}

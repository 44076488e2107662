import { z } from 'zod';
import { hasPassed, milliseconds } from '../ledger/time.js';
import type { BankAnswer, BankInstruction, BankNotification, BankRail } from '../payouts/bank-rail.js';
import { notificationReason, notificationReference, readNotificationBody } from './notification-body.js';
import { NotificationSignature } from './notification-signature.js';
import type { SignedNotification } from '../charges/processor.js';

const common = { notification_id: notificationReference, payout_id: z.uuid(), occurred_on: z.iso.datetime({ offset: true }) };
const notificationBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('paid'), ...common }),
  z.strictObject({ kind: z.literal('rejected'), ...common, reason: notificationReason }),
  z.strictObject({ kind: z.literal('returned'), ...common, reason: notificationReason }),
]);

/** From the request to the hand-over, and from there to the answer. */
const REST_MS = 500;
const ANSWERS_AFTER_MS = 1_000;

/** Ends of account numbers that try out what a bank may answer. */
const REJECTED = '0001';
const RETURNED = '0002';
const NEVER_ANSWERED = '0003';

/**
 * The bank of test payouts. It keeps nothing: what it answers follows from the payout and the time, so that it is the same after
 * a restart, on any process, and however often it is asked.
 */
export class SimulatedBankRail implements BankRail {
  readonly rest_ms = REST_MS;
  /** Account numbers that end so are paid, and the money comes back. */
  readonly returnedNumberEnding = RETURNED;
  readonly #signature: NotificationSignature;

  /** @param secret of the service, 32 bytes; every process derives the same signing key from it */
  constructor(secret: Buffer) {
    this.#signature = new NotificationSignature('Bank', secret, 'chargebook/bank/notifications');
  }

  async pay({ bank_account_number, requested_on }: BankInstruction, now: number): Promise<BankAnswer> {
    const hasAnswer = hasPassed(REST_MS + ANSWERS_AFTER_MS, milliseconds(requested_on), now) && !bank_account_number.endsWith(NEVER_ANSWERED);
    if (!hasAnswer) return { status: 'PROCESSING' };
    return bank_account_number.endsWith(REJECTED) ? { status: 'REJECTED', reason: 'The bank does not know the account.' } : { status: 'PAID' };
  }

  /** `now`: milliseconds since the epoch. */
  sign(notification: BankNotification, now: number): SignedNotification {
    return this.#signature.sign(notification, now);
  }

  notification(received: SignedNotification, now: number): BankNotification {
    this.#signature.verify(received, now);
    return readNotificationBody(notificationBody, received.body);
  }
}

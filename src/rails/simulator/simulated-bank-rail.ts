import { z } from 'zod';
import { milliseconds } from '../../ledger/time.js';
import type { BankAnswer, BankInstruction, BankNotification, BankRail } from '../../domain/payouts/bank-rail.js';
import { NO_JOURNAL, payoutDeed, type SimulatorJournal } from './deeds.js';
import { notificationReason, notificationReference, readNotificationBody } from './notification-body.js';
import { restLeft } from '../../platform/worker/open-record-poller.js';
import { NotificationSignature } from './notification-signature.js';
import type { SignedNotification } from '../../domain/charges/processor.js';

const common = { notification_id: notificationReference, payout_id: z.uuid(), occurred_on: z.iso.datetime({ offset: true }) };
const notificationBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('paid'), ...common }),
  z.strictObject({ kind: z.literal('rejected'), ...common, reason: notificationReason }),
  z.strictObject({ kind: z.literal('returned'), ...common, reason: notificationReason }),
]);

/** ms from the request to the submission, and from there to the answer. */
const REST_MS = 500;
const ANSWERS_AFTER_MS = 1_000;

/** Endings of account numbers that select a bank's answer for tests. */
const REJECTED = '0001';
const RETURNED = '0002';
const NEVER_ANSWERED = '0003';

/**
 * The bank of test payouts. Its answer depends only on the payout and the time, so that it is the same after a restart, on any process, and for every
 * repeat. Its journal has each movement of money before it answers.
 */
export class SimulatedBankRail implements BankRail {
  readonly rest_ms = REST_MS;
  /** Payouts to account numbers with this ending are paid, and the money is returned. */
  readonly returnedNumberEnding = RETURNED;
  readonly #signature: NotificationSignature;

  /**
   * @param secret secret of the service, 32 bytes; every process derives the same signing key from it
   * @param journal journal of the process that pays
   */
  constructor(
    secret: Buffer,
    private readonly journal: SimulatorJournal = NO_JOURNAL,
  ) {
    this.#signature = new NotificationSignature('Bank', secret, 'chargebook/bank/notifications');
  }

  async pay(instruction: BankInstruction, now: number): Promise<BankAnswer> {
    const { bank_account_number, requested_on } = instruction;
    if (bank_account_number.endsWith(NEVER_ANSWERED)) return { status: 'PROCESSING' };
    const again_ms = restLeft(REST_MS + ANSWERS_AFTER_MS, milliseconds(requested_on), now);
    if (again_ms > 0) return { status: 'PROCESSING', again_ms };
    const isRejected = bank_account_number.endsWith(REJECTED);
    await this.journal.record([payoutDeed(isRejected ? 'REJECTED' : 'PAYOUT', instruction, now)]);
    return isRejected ? { status: 'REJECTED', reason: 'The bank does not know the account.' } : { status: 'PAID' };
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

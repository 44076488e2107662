import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DISPUTE_STAGES } from '../../ledger/events/dispute.events.js';
import { milliseconds, timestamp } from '../../ledger/time.js';
import { restLeft } from '../../platform/worker/open-record-poller.js';
import { payNowPayload, qrisPayload, type QrisOrder } from './emvco.js';
import { notificationReason as reason, notificationReference as reference, readNotificationBody } from './notification-body.js';
import { NO_JOURNAL, refundDeed, SIMULATOR, type SimulatorJournal } from './deeds.js';
import { NotificationSignature } from './notification-signature.js';
import type {
  ChallengeAnswer,
  Notification,
  PaymentInstructions,
  PaymentOrder,
  Processor,
  RefundAnswer,
  RefundInstruction,
  SignedNotification,
} from '../../domain/charges/processor.js';
import { unreachable } from '../../ledger/unreachable.js';

/** ISO 18245: miscellaneous retail. */
const CATEGORY_CODE = '5999';
/** UENs contain the year of their issue: none exists for 2099. */
const UEN = 'T99LL0000A';
/** Acquirer code that no bank has, after the prefix 9360 of Indonesia. */
const ACQUIRER = '93600999';

const common = {
  notification_id: reference,
  charge_id: z.uuid(),
  occurred_on: z.iso.datetime({ offset: true }),
};
const stage = z.enum(DISPUTE_STAGES);
const notificationBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('paid'), ...common, amount: z.int().min(1), payment_reference: reference }),
  z.strictObject({ kind: z.literal('failed'), ...common, reason }),
  z.strictObject({ kind: z.literal('expired'), ...common }),
  z.strictObject({ kind: z.literal('reversed'), ...common, reason }),
  z.strictObject({ kind: z.literal('refund-succeeded'), ...common, refund_id: z.uuid() }),
  z.strictObject({ kind: z.literal('refund-failed'), ...common, refund_id: z.uuid(), reason }),
  z.strictObject({ kind: z.literal('refund-bounced'), ...common, refund_id: z.uuid(), reason }),
  z.strictObject({
    kind: z.literal('dispute-opened'),
    ...common,
    reference,
    stage,
    amount: z.int().min(1),
    reason_code: reference,
    reason,
    due_by: z.iso.datetime({ offset: true }).transform((moment) => timestamp(Date.parse(moment))),
  }),
  z.strictObject({ kind: z.literal('dispute-won'), ...common, reference, stage, final: z.boolean() }),
  z.strictObject({ kind: z.literal('dispute-lost'), ...common, reference, stage }),
]);

/** ms from the claim of a refund to its submission, and from there to the answer. */
const REFUND_REST_MS = 500;
const REFUNDED_AFTER_MS = 1_000;
/** `metadata.simulate` of a refund selects its end. `bounce` succeeds first (simulated-bounces.ts). */
const REFUND_FAILS = 'fail';
const REFUND_STICKS = 'stick';

type QrisNumbers = Pick<QrisOrder, 'nmid' | 'merchant_pan'>;
const NUMBERS_MAX = 10_000;

/**
 * The processor of test payments. It moves no money, issues the payment codes of test charges, and sends notifications like a real one:
 * `Simulator-Timestamp: <seconds since the epoch>` and `Simulator-Signature: v1=<hex HMAC-SHA256 of timestamp.body>`.
 */
export class Simulator implements Processor {
  readonly name = SIMULATOR;
  readonly rest_ms = REFUND_REST_MS;
  readonly #signature: NotificationSignature;
  /** Cached: their computation takes longer than the rest of a payment code. */
  readonly #numbers = new Map<string, QrisNumbers>();

  /**
   * @param secret secret of the service, 32 bytes; every process derives the same signing key from it
   * @param journal journal of the process that makes refunds
   */
  constructor(
    secret: Buffer,
    private readonly journal: SimulatorJournal = NO_JOURNAL,
  ) {
    this.#signature = new NotificationSignature('Simulator', secret, 'chargebook/simulator/notifications');
  }

  instructions(order: PaymentOrder): PaymentInstructions {
    switch (order.channel.qr) {
      case 'QRIS':
        return {
          qr_string: qrisPayload({
            amount: order.amount,
            merchant_name: order.merchant_name,
            merchant_city: 'Jakarta',
            postal_code: '10110',
            category_code: CATEGORY_CODE,
            ...this.#numbersOf(order.merchant_id),
            bill_number: order.reference_id,
            reference_label: order.code,
          }),
        };
      case 'PAYNOW':
        return {
          qr_string: payNowPayload({
            amount: order.amount,
            merchant_name: order.merchant_name,
            uen: UEN,
            expires_at: milliseconds(order.expires_on),
            bill_number: order.code,
          }),
        };
      case null:
        return {};
      default:
        return unreachable(order.channel.qr);
    }
  }

  /** The answer depends only on the refund and the time, on any process and for every repeat; a refund is journaled before the answer. */
  async refund(instruction: RefundInstruction, now: number): Promise<RefundAnswer> {
    const { simulate, claimed_on } = instruction;
    if (simulate === REFUND_STICKS) return { status: 'PROCESSING' };
    const again_ms = restLeft(REFUND_REST_MS + REFUNDED_AFTER_MS, milliseconds(claimed_on), now);
    if (again_ms > 0) return { status: 'PROCESSING', again_ms };
    if (simulate === REFUND_FAILS) return { status: 'REJECTED', reason: "The customer's account accepts no refunds." };
    await this.journal.record([refundDeed('refunded', instruction, now)]);
    return { status: 'REFUNDED' };
  }

  /** Ignores the evidence: a later notification of the simulator decides the dispute. */
  async challenge(): Promise<ChallengeAnswer> {
    return { status: 'TAKEN' };
  }

  /** The merchant's numbers at the national switch. */
  #numbersOf(merchantId: string): QrisNumbers {
    let numbers = this.#numbers.get(merchantId);
    if (!numbers) {
      numbers = { nmid: `ID99${digits(`nmid/${merchantId}`, 11)}`, merchant_pan: withLuhnDigit(ACQUIRER + digits(`pan/${merchantId}`, 9)) };
      if (this.#numbers.size >= NUMBERS_MAX) this.#numbers.clear();
      this.#numbers.set(merchantId, numbers);
    }
    return numbers;
  }

  /** `now`: milliseconds since the epoch. */
  sign(notification: Notification, now: number): SignedNotification {
    return this.#signature.sign(notification, now);
  }

  notification(received: SignedNotification, now: number): Notification {
    this.#signature.verify(received, now);
    return readNotificationBody(notificationBody, received.body);
  }
}

/** Returns `count` decimal digits that are always the same for `name`. */
function digits(name: string, count: number): string {
  const hash = createHash('sha256').update(`chargebook/simulator/${name}`).digest().readBigUInt64BE();
  return hash.toString().padStart(20, '0').slice(-count);
}

/** Appends the check digit of a card-like number, ISO/IEC 7812. */
function withLuhnDigit(number: string): string {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return number + ((10 - (sum % 10)) % 10).toString();
}

import type { RefundStatus } from '../../../../projections/refunds/refunds.js';
import type { Refund } from '../../../../projections/refunds/refund-reads.js';
import { foreign, html, type Html } from '../../../platform/html/html.js';
import { accountStream } from '../../../ledger/events/account.events.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import type { RecordHistory } from './charge-records.js';
import { code, details, money, status, userText } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { partHistory } from './history-page.js';

export interface RefundSources {
  readonly refund: Refund;
  /** Code of its charge; undefined while the charge's row is not projected yet. */
  readonly chargeCode: string | undefined;
  readonly history: RecordHistory;
}

/** A refund: its shares, its status, and its history. */
export function refundPage(pages: ConsolePages, { refund, chargeCode, history }: RefundSources): Html {
  const { links } = pages;
  const { merchant_id, currency, charge_id } = refund;
  const at = (moment: string | null): Html | string => pages.time(moment, merchant_id);
  return html`<p class="lead">${STANDING[refund.refund_status]}</p>
    ${details([
      ['Status', html`${status(refund.refund_status)} ${refund.status_reason}`],
      ...(refund.processor_reason === null ? [] : [['In the words of the processor', userText(refund.processor_reason)] as const]),
      ['Why', refund.reason],
      ['Merchant', pages.merchant(merchant_id)],
      ['Charge', pages.charge(charge_id, chargeCode)],
      ['The customer gets', money(refund.amount, currency)],
      ['Part of the charge’s fee', money(refund.fee_amount, currency)],
      ['Part of the merchant', money(refund.net_amount, currency)],
      ['The merchant’s part is from', refund.source],
      ['Reference', userText(refund.reference_id)],
      ['Description', userText(refund.description)],
      ...Object.entries(refund.meta_data).map(([name, value]) => [foreign(name), userText(value)] as const),
      ['Created (UTC)', html`${at(refund.created_on)} by ${pages.actor(refund.created_by)}`],
      ['At the processor since (UTC)', at(refund.submitted_on)],
      ...(refund.succeeded_on === null ? [] : [['Succeeded (UTC)', at(refund.succeeded_on)] as const]),
      ...(refund.failed_on === null ? [] : [['Failed (UTC)', at(refund.failed_on)] as const]),
      ...(refund.cancelled_on === null ? [] : [['Cancelled (UTC)', html`${at(refund.cancelled_on)} by ${pages.actor(refund.updated_by)}`] as const]),
      ['Id', code(refund.id)],
    ])}
    ${
      refund.source === 'AVAILABLE' &&
      html`<p>
        The account had to reserve the money first:
        <a href="${links.history(accountStream(merchant_id, currency))}">the history of the account</a>.
      </p>`
    }
    ${partHistory(pages, chargeStream(charge_id), history)}`;
}

const STANDING: Readonly<Record<RefundStatus, string>> = {
  PENDING: 'It is to be handed to the processor, and can be cancelled until then.',
  PROCESSING: 'The processor has it, or may have it.',
  SUCCEEDED: 'The customer has the money.',
  FAILED: 'The customer does not get the money; it is credited to the merchant again.',
  CANCELLED: 'It was cancelled before the processor had it.',
};

import type { RefundStatus } from '../../../../projections/refunds/refunds.js';
import type { Refund } from '../../../../projections/refunds/refund-reads.js';
import { formatAmount } from '../../../platform/text/format.js';
import { html, type Html } from '../../../platform/html/html.js';
import { accountStream } from '../../../ledger/events/account.events.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import type { RecordHistory } from './charge-records.js';
import { code, details, lifeLine, merchantsData, moneyFlow, status, userText, type LifeStep } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { partHistory } from './history-page.js';
import { recordLines, type RecordLines } from './record-lines.js';

export interface RefundSources {
  readonly refund: Refund;
  /** Code of its charge; undefined while the charge's row is not projected yet. */
  readonly chargeCode: string | undefined;
  readonly history: RecordHistory;
  readonly lines: RecordLines;
}

export const refundTitle = ({ amount, currency }: Refund): string => `Refund of ${formatAmount(amount, currency)}`;

/** A refund: its steps, its shares, its status, and its history. */
export function refundPage(pages: ConsolePages, { refund, chargeCode, history, lines }: RefundSources): Html {
  const { links } = pages;
  const { merchant_id, currency, charge_id } = refund;
  return html`<p class="lead">${STANDING[refund.refund_status]}</p>
    ${refundLife(pages, refund)}
    ${moneyFlow(currency, [
      ['From the merchant', refund.net_amount],
      ['Fee that we return', refund.fee_amount],
      ['To the customer', refund.amount],
    ])}
    ${details([
      ['Status', html`${status(refund.refund_status)} ${refund.status_reason}`],
      ...(refund.processor_reason === null ? [] : [['Reason of the processor', userText(refund.processor_reason)] as const]),
      ['Why', refund.reason],
      ['Merchant', pages.merchant(merchant_id)],
      ['Charge', pages.charge(charge_id, chargeCode)],
      ['The merchant’s part is from', refund.source],
      ['Reference', userText(refund.reference_id)],
      ['Description', userText(refund.description)],
      ['Requested by', pages.actor(refund.created_by)],
      ['Id', code(refund.id)],
    ])}
    ${merchantsData(refund.meta_data)}
    ${
      refund.source === 'AVAILABLE' &&
      html`<p>
        The account had to reserve the money first:
        <a href="${links.history(accountStream(merchant_id, currency))}">the history of the account</a>.
      </p>`
    }
    ${recordLines(pages, lines)} ${partHistory(pages, chargeStream(charge_id), history)}`;
}

/** The steps of a refund's life: requested, at the processor, with the customer. */
function refundLife(pages: ConsolePages, refund: Refund): Html {
  const at = (moment: string | null): Html | string | undefined => (moment === null ? undefined : pages.time(moment, refund.merchant_id));
  const { refund_status: is, submitted_on } = refund;
  const isOpen = is === 'PENDING' || is === 'PROCESSING';
  const steps: LifeStep[] = [{ name: 'Requested', on: at(refund.created_on) }];
  if (isOpen || submitted_on !== null) steps.push({ name: 'At the processor', on: at(submitted_on) });
  if (isOpen || is === 'SUCCEEDED') steps.push({ name: 'With the customer', on: at(refund.succeeded_on) });
  if (is === 'FAILED') steps.push({ name: 'Failed', on: at(refund.failed_on), note: refund.status_reason ?? undefined, tone: 'bad' });
  if (is === 'CANCELLED') steps.push({ name: 'Cancelled', on: at(refund.cancelled_on), note: html`by ${pages.actor(refund.updated_by)}` });
  return lifeLine(steps);
}

const STANDING: Readonly<Record<RefundStatus, string>> = {
  PENDING: 'The processor has not received it yet; it can be cancelled until then.',
  PROCESSING: 'The processor has received it, or may have.',
  SUCCEEDED: 'The customer has the money.',
  FAILED: 'The customer does not get the money; it is credited to the merchant again.',
  CANCELLED: 'It was cancelled before the processor had it.',
};

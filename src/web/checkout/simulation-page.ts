import { documentPage, type Page } from '../../platform/html/document.js';
import { STYLE } from './assets.js';
import { formatPrice } from '../../platform/text/format.js';
import { foreign, html, type Html } from '../../platform/html/html.js';
import type { Refund } from '../../domain/charges/charge-state.js';
import { permittedOutcomes, permittedRefundOutcomes, type Outcome, type ChargeStatuses, type RefundOutcome } from './outcomes.js';
import { channelOf, details, footer, inWords, summary, when } from './components.js';
import type { Payment, PaymentEvent } from './payment.js';
import { disputesSection } from './simulation-disputes.js';
import { unreachable } from '../../ledger/unreachable.js';

export interface SimulationPageOptions {
  readonly payment: Payment;
  readonly statuses: ChargeStatuses;
  readonly merchantName: string;
  /** Absolute address of this page. */
  readonly url: string;
  readonly paymentToken: string;
  /** Why the last action had no effect. */
  readonly refused?: string;
}

/** The simulation page (`simulation_url`): simulates the customer or the processor of a test charge. Works without script, and is never framed. */
export function simulationPage({ payment, statuses, merchantName, url, paymentToken, refused }: SimulationPageOptions): Page {
  const { created } = payment;
  const channel = channelOf(payment);
  const { settlement_status: settlement } = statuses;
  const permitted = permittedOutcomes(statuses);
  const content = html`<main class="card wide">
      <p class="testing">Simulator: no money moves</p>
      ${summary(payment, merchantName)} ${refused !== undefined && html`<p class="refused" role="alert">${refused}</p>`}
      ${details('Details', [
        ['Status', html`<span class="badge ${TONES[statuses.status]}">${statuses.status}</span>`],
        ['Settlement', settlement === 'UNKNOWN' ? '–' : html`<span class="badge ${TONES[settlement]}">${settlement}</span>`],
        ['Reference', foreign(created.reference_id)],
        ['Charge', html`<span class="whole">${created.code}</span>`],
        ['Channel', channel.name],
        statuses.status === 'PENDING'
          ? ['Expires', when(created.expires_on, channel, 'en')]
          : ['Net amount', formatPrice(created.net_amount, created.currency)],
      ])}
      <section class="section" aria-labelledby="play">
        <h2 id="play">What happens next?</h2>
        ${
          permitted.length === 0
            ? html`<p class="label">Nothing more can happen to this charge.</p>`
            : html`<div class="outcomes">${permitted.map((outcome) => outcomeForm(outcome, payment, statuses))}</div>`
        }
      </section>
      ${payment.refunds.length > 0 && refundsSection(payment)} ${payment.status === 'SUCCEEDED' && disputesSection(payment)}
      <section class="section" aria-labelledby="history">
        <h2 id="history">History</h2>
        <ol class="history">
          ${payment.history.map((event) => html`<li><span>${happened(event)}</span> ${when(event.occurred_on, channel, 'en')}</li>`)}
        </ol>
      </section>
      <section class="section">
        <p><a href="../pay/${paymentToken}" target="_blank" rel="noopener">Open the payment page</a></p>
        ${
          permitted[0] !== undefined &&
          html`<details>
            <summary>The same from a program</summary>
            <pre>
curl -X POST ${url} \\
  -H 'Content-Type: application/json' \\
  -d '{"outcome": "${permitted[0]}"}'</pre>
          </details>`
        }
      </section>
    </main>
    ${footer('en', false)}`;
  return documentPage({
    title: `Simulator – ${formatPrice(created.amount, created.currency)} – ${statuses.status}`,
    content,
    style: STYLE,
    frameable: false,
  });
}

/** The colours of the console. */
const TONES: Readonly<Record<ChargeStatuses['status'] | Exclude<ChargeStatuses['settlement_status'], 'UNKNOWN'>, string>> = {
  PENDING: 'on',
  SUCCEEDED: 'good',
  FAILED: 'bad',
  EXPIRED: '',
  CANCELLED: '',
  PROCESSING: 'on',
  SETTLED: 'good',
  REVERSED: 'bad',
};

function outcomeForm(outcome: Outcome, payment: Payment, statuses: ChargeStatuses): Html {
  const { title, text, press, tone } = wordsOf(outcome, payment, statuses);
  return html`<form class="outcome" method="post">
    <div>
      <h3>${title}</h3>
      <p>${text}</p>
    </div>
    ${outcome === 'fail' && html`<label class="field">Reason (optional) <input name="reason" maxlength="255" autocomplete="off" placeholder="${DEFAULT_FAILURE}" /></label>`}
    <div class="presses"><button class="button ${tone}" name="outcome" value="${outcome}">${press}</button></div>
  </form>`;
}

function refundsSection({ refunds }: Payment): Html {
  return html`<section class="section" aria-labelledby="refunds">
    <h2 id="refunds">Refunds</h2>
    <div class="outcomes">
      ${[...refunds].reverse().map((refund) => {
        const { refund_id, amount, currency } = refund.claimed;
        return html`<form class="outcome" method="post">
          <div>
            <h3>${formatPrice(amount, currency)} <span class="badge ${TONES[refund.status]}">${refund.status}</span></h3>
            <p>${REFUND_TEXTS[refund.status]}</p>
          </div>
          <input type="hidden" name="refund_id" value="${refund_id}" />
          <div class="presses">
            ${permittedRefundOutcomes(refund).map((outcome) => {
              const { press, tone } = REFUND_WORDS[outcome];
              return html`<button class="button ${tone}" name="outcome" value="${outcome}">${press}</button>`;
            })}
          </div>
        </form>`;
      })}
    </div>
  </section>`;
}

/** Possible outcomes of a refund in this state. */
const REFUND_TEXTS: Readonly<Record<Refund['status'], string>> = {
  PENDING: 'It waits to be handed to the processor. Succeed: the customer has the money. Fail: it comes back to the merchant.',
  PROCESSING: 'The processor has it. Succeed: the customer has the money. Fail: it comes back to the merchant.',
  SUCCEEDED: 'The customer has the money. Send back: the customer’s account is closed, and the merchant gets it back.',
  FAILED: 'The money is the merchant’s again.',
  CANCELLED: 'The merchant has cancelled it.',
};

const REFUND_WORDS: Readonly<Record<RefundOutcome, Pick<Words, 'press' | 'tone'>>> = {
  'refund-succeed': { press: 'Succeed', tone: 'primary' },
  'refund-fail': { press: 'Fail', tone: 'danger' },
  'refund-bounce': { press: 'Send back', tone: 'danger' },
};

/** The reason of a failure when none is given. */
export const DEFAULT_FAILURE = 'Declined by the simulator';

interface Words {
  readonly title: string;
  readonly text: string;
  readonly press: string;
  readonly tone: 'primary' | 'danger' | '';
}

function wordsOf(outcome: Outcome, { created }: Payment, { status, settlement_status }: ChargeStatuses): Words {
  const amount = formatPrice(created.amount, created.currency);
  switch (outcome) {
    case 'succeed':
      return status === 'PENDING'
        ? { title: 'The customer pays', text: `${amount} arrive. The charge succeeds.`, press: 'Succeed', tone: 'primary' }
        : {
            title: 'Money arrives late',
            text: `${amount} arrive although the charge is ${status}. Nothing is lost: it succeeds.`,
            press: 'Succeed',
            tone: 'primary',
          };
    case 'fail':
      return { title: 'The payment fails', text: 'The bank or wallet declines.', press: 'Fail', tone: 'danger' };
    case 'expire':
      return { title: 'No payment arrives in time', text: 'The charge expires now.', press: 'Expire', tone: '' };
    case 'settle':
      return {
        title: 'The money is settled',
        text: `${formatPrice(created.net_amount, created.currency)} become available now, whatever the due date.`,
        press: 'Settle',
        tone: 'primary',
      };
    case 'reverse':
      return {
        title: 'The payment is reversed',
        text: settlement_status === 'SETTLED' ? 'The money is taken back from the available balance.' : 'The money goes back before it was settled.',
        press: 'Reverse',
        tone: 'danger',
      };
    default:
      return unreachable(outcome);
  }
}

/** The text of each event on the page. */
const WORDS: { readonly [Type in PaymentEvent['type']]: (data: Extract<PaymentEvent, { readonly type: Type }>['data']) => Html } = {
  ChargeCreated: () => html`Created`,
  ChargePaid: (data) => (data.late_after === null ? html`Paid` : html`Paid after it was ${data.late_after}`),
  ChargePaymentUnmatched: (data) => html`Another payment came: ${formatPrice(data.amount, data.currency)}`,
  ChargeFailed: (data) => html`Failed: ${foreign(data.reason)}`,
  ChargeExpired: () => html`Expired`,
  ChargeCancelled: () => html`Cancelled by the merchant`,
  ChargeInstructing: (data) => html`Sent to the customer, attempt ${data.attempt}`,
  ChargeInstructed: (data) => html`Ready to be paid, attempt ${data.attempt}`,
  ChargeInstructionClosed: (data) => html`Attempt ${data.attempt} failed: ${data.code}`,
  ChargeSettlementClaimed: (data) => html`Taken into settlement ${data.settlement_number}`,
  ChargeReversed: (data) => html`Reversed: ${foreign(data.reason)}`,
  ChargeReversalClaimed: (data) => html`Reversal taken into settlement ${data.settlement_number}`,
  ChargeRefundClaimed: (data) => html`Refund of ${refunded(data)}`,
  ChargeRefundDeclined: (data) => html`Refund of ${refunded(data)} declined`,
  ChargeRefundSubmitted: (data) => html`Refund of ${refunded(data)} handed to the processor`,
  ChargeRefundSucceeded: (data) => html`Refund of ${refunded(data)} succeeded`,
  ChargeRefundFailed: (data) => html`Refund of ${refunded(data)} failed: ${foreign(data.reason)}`,
  ChargeRefundCancelled: (data) => html`Refund of ${refunded(data)} cancelled`,
  ChargeRefundBounced: (data) => html`Refund of ${refunded(data)} came back: ${foreign(data.reason)}`,
  ChargeLineClaimed: (data) =>
    html`Money of a ${data.kind === 'refund-return' ? 'refund' : 'dispute'} taken into settlement ${data.settlement_number}`,
  ChargeDisputeOpened: (data) => html`Disputed (${inWords(data.stage)}): ${refunded(data)}, ${foreign(data.reason)}`,
  ChargeDisputeReopened: (data) => html`Disputed again (${inWords(data.stage)}): ${refunded(data)}, ${foreign(data.reason)}`,
  ChargeDisputeHeld: (data) => html`${refunded(data)} held for the dispute`,
  ChargeDisputeWon: (data) => html`Dispute won (${inWords(data.stage)})`,
  ChargeDisputeLost: (data) => html`Dispute lost (${inWords(data.stage)}): ${inWords(data.lost_reason)}`,
  ChargeDisputeChallenged: () => html`Challenged by the merchant`,
  ChargeDisputeSubmitted: () => html`Challenge taken by the processor`,
  ChargeDisputeDueSoon: () => html`Merchant reminded of the dispute`,
  ChargeDisputeEvidenceAdded: (data) => html`Evidence added: ${inWords(data.category)}`,
  ChargeDisputeEvidenceErased: () => html`Evidence erased`,
};

const happened = ({ type, data }: PaymentEvent): Html => (WORDS[type] as (data: PaymentEvent['data']) => Html)(data);

const refunded = ({ amount, currency }: { readonly amount: number; readonly currency: string }): string => formatPrice(amount, currency);

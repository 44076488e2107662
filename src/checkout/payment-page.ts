import type { Channel } from '../ledger/channels.js';
import { milliseconds } from '../ledger/time.js';
import { documentPage, type Page } from '../html/document.js';
import { formatAmount, formatTime } from '../html/format.js';
import { foreign, html, trusted, type Html } from '../html/html.js';
import { SCRIPT, STYLE } from './assets.js';
import { channelOf, details, FOOTER, isTest, icon, paymentState, summary, when } from './components.js';
import type { Payment } from './payment.js';
import { qrSvg } from './qr-code.js';

export interface PaymentPageOptions {
  readonly payment: Payment;
  readonly merchantName: string;
  /** Of this page. Links are relative, so that they hold behind a proxy that adds a path. */
  readonly token: string;
  /** Of the charge's simulation page; shown for test merchants only. */
  readonly simulationToken: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The hosted payment page (`embedded_url`): how to pay, or what became of it. Merchants may show it in a frame. */
export function paymentPage(options: PaymentPageOptions): Page {
  const { payment, merchantName } = options;
  const { created } = payment;
  const channel = channelOf(payment);
  const state = paymentState(payment);
  const isOver = payment.status === 'PENDING' && milliseconds(created.expires_on) <= options.now;
  const outcome = isOver ? TIME_IS_UP : outcomeOf(payment, merchantName, channel);
  const spoken = outcome ? `${outcome.title}. ${outcome.spoken}` : 'Waiting for your payment.';
  const content = html`<main class="card two" data-state="${state}" data-final="${state === 'SUCCEEDED' ? 'true' : 'false'}" data-said="${spoken}">
      ${isTest(payment) && testing(simulationPath(options))} ${summary(payment, merchantName)}
      ${outcome ? result(outcome) : html`<section class="pay" aria-label="How to pay">${instructions(options, channel)}</section>`}
      ${details([
        ['Reference', foreign(created.reference_id)],
        ['Payment', channel.name],
        ['Payment code', created.code],
        state === 'PENDING' ? ['Pay before', when(created.expires_on, channel)] : ['Created', when(created.created_on, channel)],
        ['Paid', payment.paid && when(payment.paid.paid_on, channel)],
        ['Receipt number', payment.paid && payment.paid.payment_reference],
      ])}
    </main>
    <p id="live" class="heard" role="status" aria-live="polite"></p>
    ${FOOTER}`;
  return documentPage({
    title: `${outcome?.title ?? `Pay ${formatAmount(created.amount, created.currency)}`} – ${merchantName}`,
    content,
    style: STYLE,
    script: SCRIPT,
    frameable: true,
  });
}

function simulationPath({ simulationToken }: PaymentPageOptions): string {
  return `../simulate/${simulationToken}`;
}

function testing(path: string): Html {
  // The simulator refuses to be framed, so it opens beside a merchant's page that frames this one.
  return html`<p class="testing">Test mode. <a href="${path}" target="_blank" rel="noopener">Open the simulator</a></p>`;
}

function instructions(options: PaymentPageOptions, channel: Channel): Html {
  const { created } = options.payment;
  const { qr_string } = created.action;
  const method = METHODS[channel.qr ?? (channel.code.startsWith('BANK_') ? 'BANK' : 'WALLET')](channel.name);
  const downloadPath = `${options.token}/qr.png`;
  return html`<h2>${method.title}</h2>
    ${
      qr_string === undefined
        ? html`${isTest(options.payment) && html`<a class="button primary wide" href="${simulationPath(options)}" target="_blank" rel="noopener">Continue to ${channel.name} (simulated)</a>`}${timer(options, channel)}`
        : html`<div class="code">
            <figure class="plate">
              <figcaption class="scheme">${channel.name} <small>${method.caption}</small></figcaption>
              ${trusted(qrSvg(qr_string))}
            </figure>
            ${timer(options, channel)}
            <a class="button" href="${downloadPath}" download="${created.code}.png">Save QR code</a>
          </div>`
    }
    <ol class="steps">
      ${method.steps.map((step) => html`<li><span>${step}</span></li>`)}
    </ol>
    <p class="waiting">Waiting for your payment</p>`;
}

interface Method {
  readonly title: string;
  readonly caption?: string;
  readonly steps: readonly string[];
}

const METHODS: Readonly<Record<'QRIS' | 'PAYNOW' | 'BANK' | 'WALLET', (name: string) => Method>> = {
  QRIS: () => ({
    title: 'Scan to pay with QRIS',
    caption: 'any bank or e-wallet',
    steps: [
      'Open your banking or e-wallet app and choose to scan a QR code.',
      'Scan this code. On the same phone, save it and pick it from your photos.',
      'Check the name and the amount, then confirm.',
    ],
  }),
  PAYNOW: () => ({
    title: 'Scan to pay with PayNow',
    caption: 'any bank in Singapore',
    steps: [
      'Open your bank’s app and choose to scan and pay.',
      'Scan this code. On the same phone, save it and pick it from your photos.',
      'Check the name and the amount, then confirm.',
    ],
  }),
  BANK: (name) => ({
    title: `Pay with ${name} online banking`,
    steps: [
      'Continue to your bank’s own page and sign in there.',
      'Check the name and the amount, then approve.',
      'Come back to this page: it shows when the payment has arrived.',
    ],
  }),
  WALLET: (name) => ({
    title: `Pay with ${name}`,
    steps: [
      `Open ${name} on your phone.`,
      'Check the name and the amount, then approve.',
      'Come back to this page: it shows when the payment has arrived.',
    ],
  }),
};

/** Without script it names the end; the script counts down from the server's clock. */
function timer({ payment, now }: PaymentPageOptions, channel: Channel): Html {
  const { expires_on, created_on } = payment.created;
  const ends = milliseconds(expires_on);
  return html`<div class="timer" role="timer" data-ends="${ends}" data-now="${now}" data-lasts="${ends - milliseconds(created_on)}">
    <p><span>Pay before</span> <strong>${formatTime(expires_on, channel.country)}</strong></p>
    <div class="track"><span></span></div>
  </div>`;
}

interface Outcome {
  readonly tone: 'good' | 'bad' | 'quiet';
  readonly icon: Parameters<typeof icon>[0];
  readonly title: string;
  /** Plain words for a screen reader. */
  readonly spoken: string;
  readonly text: Html;
}

/** Between the end of its time and its expiry by the System: moments, unless that is down. */
const TIME_IS_UP: Outcome = {
  tone: 'quiet',
  icon: 'late',
  title: 'Time is up',
  spoken: 'Please do not pay it any more.',
  text: html`Please do not pay it any more. If you have just paid, this page shows it in a moment.`,
};

/** null while it can be paid. */
function outcomeOf(payment: Payment, merchantName: string, channel: Channel): Outcome | null {
  const { created, failed } = payment;
  const amount = formatAmount(created.amount, created.currency);
  const merchant = foreign(merchantName);
  const state = paymentState(payment);
  switch (state) {
    case 'PENDING':
      return null;
    case 'SUCCEEDED':
      return {
        tone: 'good',
        icon: 'good',
        title: 'Payment received',
        spoken: 'Thank you.',
        text: html`Thank you. ${merchant} has been told. You can close this page.`,
      };
    case 'FAILED':
      return {
        tone: 'bad',
        icon: 'bad',
        title: 'Payment failed',
        spoken: 'You have not been charged.',
        text: html`${failed && html`${foreign(sentence(failed.reason))} `}You have not been charged. Please ask ${merchant} for a new payment.`,
      };
    case 'EXPIRED':
      return {
        tone: 'quiet',
        icon: 'late',
        title: 'This payment has expired',
        spoken: 'Please do not pay it any more.',
        text: html`It could be paid until ${when(payment.since, channel)}. Please do not pay it any more, and ask ${merchant} for a new payment.`,
      };
    case 'CANCELLED':
      return {
        tone: 'quiet',
        icon: 'bad',
        title: 'This payment was cancelled',
        spoken: 'Please do not pay it any more.',
        text: html`${merchant} cancelled it. Please do not pay it any more.`,
      };
    case 'REVERSED':
      return {
        tone: 'quiet',
        icon: 'back',
        title: 'This payment was returned',
        spoken: `${amount} went back to you.`,
        text: html`${amount} went back to where it came from. Your bank may take some days to show it.`,
      };
    default:
      throw new Error(`no words for ${state satisfies never as string}`);
  }
}

function result(outcome: Outcome): Html {
  return html`<section class="result ${outcome.tone}" aria-label="Result">
    ${icon(outcome.icon)}
    <h2>${outcome.title}</h2>
    <p>${outcome.text}</p>
  </section>`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

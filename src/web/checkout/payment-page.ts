import type { Channel } from '../../ledger/channels.js';
import { milliseconds } from '../../ledger/time.js';
import { documentPage, type Page } from '../../platform/html/document.js';
import { formatPrice, formatTime } from '../../platform/text/format.js';
import { foreign, html, type Html } from '../../platform/html/html.js';
import { SCRIPT, STYLE } from './assets.js';
import { FPX_BANK_NAMES } from './banks.js';
import { channelOf, details, footer, isTest, icon, summary, when } from './components.js';
import { actionOf, paymentState, type Payment } from './payment.js';
import { payloadField, qrSvg } from './qr-code.js';
import type { Language } from '../../platform/http/language.js';
import { WORDS } from './words.js';

export interface PaymentPageOptions {
  readonly payment: Payment;
  readonly merchantName: string;
  /** Token of this page. Links are relative, so that they work behind a proxy that adds a path. */
  readonly token: string;
  /** Token of the charge's simulation page, which is shown for test merchants only. */
  readonly simulationToken: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly language: Language;
  /** The input that the customer has to give before there is a way to pay. */
  readonly input?: 'phone' | 'bank';
  /** Why the input just now had no effect. */
  readonly fault?: StartFault;
}

export type StartFault = 'unusable' | 'refused' | 'later';

/** The hosted payment page (`embedded_url`): how to pay, or the outcome. Merchants may show it in a frame. */
export function paymentPage(options: PaymentPageOptions): Page {
  const { payment, merchantName, language } = options;
  const { created } = payment;
  const words = WORDS[language];
  const channel = channelOf(payment);
  const state = paymentState(payment);
  const shown = payment.status === 'PENDING' && milliseconds(created.expires_on) <= options.now ? 'TIME_IS_UP' : state;
  const outcome = shown === 'PENDING' ? null : words.outcomes[shown];
  const spoken = outcome ? `${outcome.title}. ${outcome.spoken}` : `${words.waiting}.`;
  const content = html`<main class="card two" data-state="${state}" data-final="${state === 'SUCCEEDED' ? 'true' : 'false'}" data-said="${spoken}">
      ${isTest(payment) && testing(options)} ${summary(payment, merchantName)}
      ${shown === 'PENDING' ? html`<section class="pay" aria-label="${words.howToPay}">${instructions(options, channel)}</section>` : result(options, shown, channel)}
      ${details(words.details, [
        [words.reference, foreign(created.reference_id)],
        [words.payment, channel.name],
        [words.code, html`<span class="whole">${created.code}</span>`],
        state === 'PENDING'
          ? [words.payBefore, when(created.expires_on, channel, language)]
          : [words.created, when(created.created_on, channel, language)],
        [words.paid, payment.paid && when(payment.paid.paid_on, channel, language)],
        [words.receipt, payment.paid && payment.paid.payment_reference],
      ])}
    </main>
    <p id="live" class="heard" role="status" aria-live="polite"></p>
    ${footer(language)}`;
  return documentPage({
    title: `${outcome?.title ?? words.pay(formatPrice(created.amount, created.currency))} – ${merchantName}`,
    language,
    content,
    style: STYLE,
    script: SCRIPT,
    frameable: true,
  });
}

function simulationPath({ simulationToken }: PaymentPageOptions): string {
  return `../simulate/${simulationToken}`;
}

function testing(options: PaymentPageOptions): Html {
  const { test, openSimulator } = WORDS[options.language];
  // The simulator refuses to be framed, so it opens beside a merchant's page that frames this one.
  return html`<p class="testing">${test} <a href="${simulationPath(options)}" target="_blank" rel="noopener">${openSimulator}</a></p>`;
}

function instructions(options: PaymentPageOptions, channel: Channel): Html {
  const { payment, language, token } = options;
  const words = WORDS[language];
  const { created } = payment;
  const { qr_string, redirect_url } = actionOf(payment);
  const method = channel.qr ? words.qr(channel.name) : (channel.code.startsWith('BANK_') ? words.bank : words.wallet)(channel.name);
  if (options.input && !payment.isAsked)
    return html`<h2>${method.title}</h2>
      ${startForm(options, options.input, channel)} ${timer(options, channel)}`;
  const isPush = created.remote === true && qr_string === undefined && redirect_url === undefined;
  return html`<h2>${method.title}</h2>
    ${isPush && html`<p class="push">${words.approveOnPhone(channel.name)}</p>`}
    ${
      qr_string === undefined
        ? html`${redirect_url !== undefined && html`<a class="button primary wide" href="${redirect_url}" target="_top" rel="noopener noreferrer">${words.continueToProvider(channel.name)}</a>`}${isTest(payment) && html`<a class="button primary wide" href="${simulationPath(options)}" target="_blank" rel="noopener">${words.continueTo(channel.name)}</a>`}${timer(options, channel)}`
        : html`<div class="code">
            ${plate(qr_string, channel, words.codeLabel)} ${timer(options, channel)}
            <a class="button" href="${token}/qr.png" download="${payment.created.code}.png">${words.saveCode}</a>
          </div>`
    }
    <ol class="steps">
      ${method.steps.map((step) => html`<li><span>${step}</span></li>`)}
    </ol>
    <p class="waiting">${words.waiting}</p>`;
}

/** A form in the page itself: it works without script. */
function startForm({ token, language, fault }: PaymentPageOptions, input: 'phone' | 'bank', channel: Channel): Html {
  const words = WORDS[language].start;
  const field =
    input === 'phone'
      ? html`<label class="field"
          >${words.phone(channel.name)}
          <input name="phone" type="tel" inputmode="tel" autocomplete="tel" maxlength="24" required placeholder="0812 3456 7890"
        /></label>`
      : html`<label class="field"
          >${words.bank}
          <select name="bank" required>
            <option value="">${words.choose}</option>
            ${[...FPX_BANK_NAMES].map(([code, name]) => html`<option value="${code}">${name}</option>`)}
          </select></label
        >`;
  return html`<form class="start" method="post" action="${token}/start?Lang=${language}">
    ${fault && html`<p class="fault" role="alert">${words.faults[fault]}</p>`} ${field}
    <button class="button primary wide">${words.go}</button>
  </form>`;
}

/** The code as apps and stickers show it, in the language of its country. The payload is the source of the names that the payer's app will show. */
function plate(payload: string, channel: Channel, label: string): Html {
  const name = payloadField(payload, '59') ?? '';
  if (channel.qr !== 'QRIS') {
    return html`<figure class="plate">
      <figcaption><strong class="scheme">${channel.name}</strong><strong class="name">${foreign(name)}</strong></figcaption>
      ${qrSvg(payload, label)}
    </figure>`;
  }
  const nmid = payloadField(payload, '51', '02');
  return html`<figure class="plate" lang="id">
    <figcaption>
      <span class="scheme"
        ><strong>QRIS</strong> <small>QR Code Standar<br />Pembayaran Nasional</small></span
      >
      <strong class="name">${foreign(name)}</strong>
      ${nmid !== undefined && html`<span class="nmid">NMID: ${nmid}</span>`}
    </figcaption>
    ${qrSvg(payload, label)}
    <p class="motto"><strong>SATU QRIS UNTUK SEMUA</strong> <small>Cek aplikasi penyelenggara di: www.aspi-qris.id</small></p>
  </figure>`;
}

/** Without script it shows the end; the script counts down from the server's clock. */
function timer({ payment, now, language }: PaymentPageOptions, channel: Channel): Html {
  const { expires_on, created_on } = payment.created;
  const ends = milliseconds(expires_on);
  const { payBefore, timeLeft } = WORDS[language];
  return html`<div
    class="timer"
    role="timer"
    data-ends="${ends}"
    data-now="${now}"
    data-lasts="${ends - milliseconds(created_on)}"
    data-label="${timeLeft}"
  >
    <p><span>${payBefore}</span> <strong>${formatTime(expires_on, channel.country, language)}</strong></p>
    <div class="track"><span></span></div>
  </div>`;
}

type End = keyof (typeof WORDS)['en']['outcomes'];

const LOOKS: Readonly<Record<End, readonly [tone: 'good' | 'bad' | 'quiet', picture: Parameters<typeof icon>[0]]>> = {
  // Between the end of its time and its recorded expiry: moments, unless the worker is down.
  TIME_IS_UP: ['quiet', 'late'],
  SUCCEEDED: ['good', 'good'],
  FAILED: ['bad', 'bad'],
  EXPIRED: ['quiet', 'late'],
  CANCELLED: ['quiet', 'bad'],
  REVERSED: ['quiet', 'back'],
};

function result({ payment, merchantName, language }: PaymentPageOptions, end: End, channel: Channel): Html {
  const { created, failed, since } = payment;
  const words = WORDS[language];
  const [tone, picture] = LOOKS[end];
  const merchant = foreign(merchantName);
  const outcome = {
    merchant,
    amount: formatPrice(created.amount, created.currency),
    since: when(since, channel, language),
    reason: failed && foreign(sentence(failed.reason)),
  };
  // The link leaves a merchant's frame. Nothing is added to the address, which belongs to the merchant.
  const back = end !== 'TIME_IS_UP' && created.return_url !== undefined && created.return_url;
  return html`<section class="result ${tone}" aria-label="${words.result}">
    ${icon(picture)}
    <h2>${words.outcomes[end].title}</h2>
    <p>${words.texts[end](outcome)}</p>
    ${back !== false && html`<a class="button primary" href="${back}" target="_top" rel="noopener noreferrer">${words.back(merchant)}</a>`}
  </section>`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

import type { ExceptionalPayment, ExceptionalReason } from '../../../../projections/audit/exceptional-payments.js';
import type { HeldPayout } from '../../../../projections/payouts/payouts-at-bank.js';
import { accountStream } from '../../../ledger/events/account.events.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import { transferStream } from '../../../ledger/events/transfer.events.js';
import { timestamp } from '../../../ledger/time.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { duration, idLink, money, table, type Column } from '../shared/components.js';
import { railLink } from '../records/record-tables.js';
import { alarmKinds, machineKinds } from './alarm-kinds.js';
import { AGE, ageSince, shown, type ExceptionKind } from './exception-kind.js';
import type { Exceptions } from './exceptions.js';

const HELD_WORDS: Readonly<Record<HeldPayout['held_reason'], string>> = {
  'not-found': 'the bank knows of no transfer',
  'no-answer': 'the bank has not reported a result',
  contradiction: 'the bank has reported both results',
};

const AMOUNT: Column = { title: 'Amount', isFigure: true };
export function exceptionsPage(pages: ConsolePages, exceptions: Exceptions): Html {
  const [some, none] = [true, false].map((isSome) => kindsOf(pages, exceptions).filter(({ count }) => count > 0 === isSome)) as [
    ExceptionKind[],
    ExceptionKind[],
  ];
  return html`${some.length === 0 && html`<p class="alert good" role="status">Nothing needs attention.</p>`}
  ${some.map(
    ({ id, title, count, isMore, hint, order, columns, rows, all }) =>
      html`<section aria-labelledby="${id}">
        <h2 id="${id}">${title} <small>${isMore ? `more than ${count}` : count}</small></h2>
        <p class="hint">${hint}</p>
        ${table(`${title}, ${order}`, columns, rows, '')} ${all !== undefined && html`<p><a href="${all}">All of them</a></p>`}
      </section>`,
  )}
  ${none.length > 0 && html`<p class="hint">None of these: ${none.map(({ title }) => title.toLowerCase()).join(', ')}.</p>`}`;
}

/** Summary for the first page: the number of each kind, with a link to it. */
export function exceptionsSummary(pages: ConsolePages, exceptions: Exceptions): Html {
  const some = kindsOf(pages, exceptions).filter(({ count }) => count > 0);
  if (some.length === 0) return html``;
  return html`<div class="alert warn" role="status">
    <strong>Needs attention</strong>
    <ul class="inline">
      ${some.map(
        ({ id, title, count, isMore }) =>
          html`<li><a href="${pages.links.to('exceptions')}#${id}">${title}: ${isMore ? `more than ${count}` : count}</a></li> `,
      )}
    </ul>
  </div>`;
}

function kindsOf(pages: ConsolePages, exceptions: Exceptions): ExceptionKind[] {
  return [
    ...alarmKinds(pages, exceptions),
    ...paymentKinds(pages, exceptions),
    disputeKind(pages, exceptions),
    heldKind(pages, exceptions),
    ...moneyAway(pages, exceptions),
    ...moneyHere(pages, exceptions),
    ...machineKinds(pages, exceptions),
  ];
}

function paymentKinds(pages: ConsolePages, { now, unmatched, late }: Exceptions): ExceptionKind[] {
  const kind = (of: 'unmatched' | 'late', title: string, hint: string, all: string): ExceptionKind => {
    const { count, newest } = { unmatched, late }[of];
    const { items } = shown(newest);
    return {
      id: of,
      title,
      hint,
      order: 'the last received first',
      count,
      isMore: false,
      columns: [...PAYMENT_COLUMNS, AGE],
      rows: items.map((payment) => [...paymentCells(pages, payment), ageSince(payment.received_on, now)]),
      ...(count > items.length ? { all } : {}),
    };
  };
  return [
    kind(
      'unmatched',
      'Unmatched payments',
      'Money at the processor that no charge could take. Suspense shows the possible proposals.',
      pages.links.to('suspense'),
    ),
    kind(
      'late',
      'Late payments',
      'The charge had ended when the money arrived, and accepted it nevertheless: the merchant may have given the customer other information.',
      pages.links.to('payments', { Kind: 'late' }),
    ),
  ];
}

const REASONS: Readonly<Record<ExceptionalReason, string>> = {
  SECOND_PAYMENT: 'a second payment',
  OTHER_AMOUNT: 'another amount than asked for',
  LATE_AFTER_EXPIRED: 'after it expired',
  LATE_AFTER_CANCELLED: 'after it was cancelled',
  LATE_AFTER_FAILED: 'after it failed',
};

export const PAYMENT_COLUMNS: readonly Column[] = [
  { title: 'Charge' },
  AMOUNT,
  { title: 'Merchant' },
  { title: 'Why' },
  { title: 'Received (UTC)' },
  { title: 'Event', isFigure: true },
];

export function paymentCells(pages: ConsolePages, payment: ExceptionalPayment): (Html | string)[] {
  const { links } = pages;
  const { charge_id, code: charge, merchant_id, reason, received_on, amount, currency, ordinal } = payment;
  return [
    pages.charge(charge_id, charge ?? undefined),
    money(amount, currency),
    pages.merchant(merchant_id),
    REASONS[reason],
    pages.time(received_on, merchant_id),
    html`<a href="${links.event(ordinal)}">${ordinal}</a>`,
  ];
}

function disputeKind(pages: ConsolePages, { now, disputes, disputeSoonSeconds, codes }: Exceptions): ExceptionKind {
  const { links } = pages;
  const due = shown(disputes);
  return {
    ...due,
    id: 'disputes',
    order: 'the first due first',
    title: 'Disputes due soon',
    hint: `Due within ${duration(disputeSoonSeconds)}, and not answered: a chargeback without an answer by then is lost. Ask the merchant.`,
    columns: [{ title: 'Dispute' }, { title: 'Charge' }, AMOUNT, { title: 'Merchant' }, { title: 'Due (UTC)' }, { title: 'Left', isFigure: true }],
    rows: due.items.map(({ id, charge_id, merchant_id, amount, currency, due_by }) => [
      idLink(id, links.dispute(id)),
      pages.charge(charge_id, codes.get(charge_id)),
      money(amount, currency),
      pages.merchant(merchant_id),
      pages.time(due_by, merchant_id),
      duration(Math.max(0, Date.parse(due_by) - now) / 1_000),
    ]),
    ...(due.isMore ? { all: links.to('disputes', { DueBefore: timestamp(now + disputeSoonSeconds * 1_000).slice(0, 10) }) } : {}),
  };
}

function heldKind(pages: ConsolePages, { now, held }: Exceptions): ExceptionKind {
  const looked = shown(held);
  return {
    ...looked,
    id: 'held-payouts',
    order: 'the longest held first',
    title: 'Payouts that no rule decides',
    hint: 'Find the result in the bank’s statement, then run: payout resolve ID --paid or --not-paid. Never pay these payouts by hand.',
    columns: [{ title: 'Payout' }, AMOUNT, { title: 'Merchant' }, { title: 'Rail' }, { title: 'Why' }, { title: 'Held since (UTC)' }, AGE],
    rows: looked.items.map(({ id, merchant_id, amount, currency, rail, held_reason, held_on }) => [
      idLink(id, pages.links.history(transferStream(id))),
      money(amount, currency),
      pages.merchant(merchant_id),
      railLink(pages, rail),
      HELD_WORDS[held_reason],
      pages.time(held_on, merchant_id),
      ageSince(held_on, now),
    ]),
    ...(looked.isMore ? { all: pages.links.to('payouts', { PendingReason: 'held' }) } : {}),
  };
}

/** Money that is at a processor or a bank. */
function moneyAway(pages: ConsolePages, { now, refunds, payouts, codes }: Exceptions): ExceptionKind[] {
  const { links } = pages;
  const [atProcessor, atBank] = [shown(refunds), shown(payouts)];
  return [
    {
      ...atProcessor,
      id: 'refunds',
      order: 'the longest first',
      title: 'Refunds long at the processor',
      hint: 'PROCESSING for more than an hour: ask the processor for the result. The customer waits.',
      columns: [{ title: 'Refund' }, { title: 'Charge' }, AMOUNT, { title: 'Merchant' }, { title: 'At the processor since (UTC)' }, AGE],
      rows: atProcessor.items.map(({ id, charge_id, merchant_id, amount, currency, submitted_on }) => [
        idLink(id, links.refund(id)),
        pages.charge(charge_id, codes.get(charge_id)),
        money(amount, currency),
        pages.merchant(merchant_id),
        pages.time(submitted_on, merchant_id),
        ageSince(submitted_on, now),
      ]),
      ...(atProcessor.isMore ? { all: links.to('refunds', { Status: 'PROCESSING' }) } : {}),
    },
    {
      ...atBank,
      id: 'payouts',
      order: 'the longest first',
      title: 'Payouts long at the bank',
      hint: 'PROCESSING for more than an hour: ask the bank for the result.',
      columns: [{ title: 'Payout' }, AMOUNT, { title: 'Merchant' }, { title: 'At the bank since (UTC)' }, AGE],
      rows: atBank.items.map(({ id, merchant_id, amount, currency, updated_on }) => [
        idLink(id, links.history(payoutStream(id))),
        money(amount, currency),
        pages.merchant(merchant_id),
        pages.time(updated_on, merchant_id),
        ageSince(updated_on, now),
      ]),
      ...(atBank.isMore ? { all: links.to('payouts', { Status: 'PROCESSING' }) } : {}),
    },
  ];
}

/** Open settlements and negative balances. */
function moneyHere(pages: ConsolePages, { now, settlements, balances }: Exceptions): ExceptionKind[] {
  const { links } = pages;
  const [open, owed] = [shown(settlements), shown(balances)];
  return [
    {
      ...open,
      id: 'settlements',
      order: 'the oldest first',
      title: 'Open settlements',
      hint: 'A settlement takes seconds; later ones of the same account wait for it.',
      columns: [{ title: 'Settlement' }, { title: 'Net amount', isFigure: true }, { title: 'Merchant' }, { title: 'Opened (UTC)' }, AGE],
      rows: open.items.map(({ id, number, merchant_id, currency, totals, opened_on }) => [
        html`<a href="${links.settlement(id)}">${currency} ${number}</a>`,
        money(BigInt(totals.net_amount), currency),
        pages.merchant(merchant_id),
        pages.time(opened_on, merchant_id),
        ageSince(opened_on, now),
      ]),
      ...(open.isMore ? { all: links.to('settlements', { State: 'OPEN' }) } : {}),
    },
    {
      ...owed,
      id: 'balances',
      order: 'by currency, the highest debt first',
      title: 'Negative balances',
      hint: 'Settled money was reversed after it had been paid out: the next settlements cover it, or the merchant pays.',
      columns: [{ title: 'Merchant' }, { title: 'Account' }, { title: 'Available', isFigure: true }, { title: 'Last movement (UTC)' }, AGE],
      rows: owed.items.map(({ merchant_id, currency, available, modified_on }) => [
        pages.merchant(merchant_id),
        html`<a href="${links.history(accountStream(merchant_id, currency))}">${currency}</a>`,
        money(available, currency, true),
        pages.time(modified_on, merchant_id),
        ageSince(modified_on, now),
      ]),
    },
  ];
}

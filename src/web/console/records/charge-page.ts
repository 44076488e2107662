import type { SettledBy } from '../../../../projections/balances/funding.js';
import type { ChargeRow } from '../../../../projections/charges/charges-table.js';
import { isOpen, type Dispute } from '../../../../projections/disputes/dispute-reads.js';
import type { Refund } from '../../../../projections/refunds/refund-reads.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { settlementStream } from '../../../ledger/events/settlement.events.js';
import { channelName } from '../../../ledger/channels.js';
import { formatAmount } from '../../../platform/text/format.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { code, details, lifeLine, merchantsData, money, moneyFlow, status, userText, type LifeStep } from '../shared/components.js';
import { SECTIONS } from '../shared/layout.js';
import { recordLines, type RecordLines } from './record-lines.js';
import { bringsPayout, paidOut } from './settlement-page.js';
import { chargeStatus, disputeTable, railLink, refundTable } from './record-tables.js';

export interface ChargeSources {
  readonly row: ChargeRow;
  /** The first refunds and disputes, with their total numbers. */
  readonly refunds: { readonly total: number; readonly items: readonly Refund[] };
  readonly disputes: { readonly total: number; readonly items: readonly Dispute[] };
  /** The settlement that took its money, and the payouts of that money; undefined until one has taken it. */
  readonly settled: SettledBy | undefined;
  readonly lines: RecordLines;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export const chargeTitle = ({ amount, currency }: ChargeRow): string => `Charge of ${formatAmount(amount, currency)}`;

/** A charge: the steps of its life, where its money went, its data, refunds and disputes. */
export function chargePage(pages: ConsolePages, sources: ChargeSources): Html {
  const { row: charge, refunds, disputes, lines, now } = sources;
  const { merchant_id, code: chargeCode, channel_code } = charge;
  return html`<p class="lead">${code(chargeCode)} of ${pages.merchant(merchant_id)}, by ${channelName(channel_code)}.</p>
    ${chargeLife(pages, sources)} ${chargeMoney(charge)} ${chargeDetails(pages, charge, openOf(disputes.items))} ${merchantsData(charge.meta_data)}
    ${part(pages, charge, 'refunds', refunds.total, refundTable(pages, refunds.items, { caption: 'Its refunds', empty: '' }))}
    ${part(pages, charge, 'disputes', disputes.total, disputeTable(pages, disputes.items, { caption: 'Its disputes', empty: '', now }))}
    ${recordLines(pages, lines)}`;
}

/** The steps of a charge's life: created, paid, settled, paid out. */
function chargeLife(pages: ConsolePages, { row: charge, settled }: ChargeSources): Html {
  const { merchant_id } = charge;
  const at = (moment: string | null): Html | string | undefined => (moment === null ? undefined : pages.time(moment, merchant_id));
  const steps: LifeStep[] = [{ name: 'Created', on: at(charge.created_on) }];
  switch (charge.status) {
    case 'PENDING':
      return lifeLine([...steps, { name: 'Paid', note: html`before ${pages.time(charge.expires_on, merchant_id)}` }]);
    case 'FAILED':
      return lifeLine([...steps, { name: 'Failed', on: at(charge.failed_on), note: userText(charge.failure_reason), tone: 'bad' }]);
    case 'EXPIRED':
      return lifeLine([...steps, { name: 'Expired', on: at(charge.expires_on) }]);
    case 'CANCELLED':
      return lifeLine([...steps, { name: 'Cancelled', on: at(charge.updated_on) }]);
    case 'SUCCEEDED':
      steps.push({ name: 'Paid', on: at(charge.paid_on) });
  }
  const isReversed = charge.settlement_status === 'REVERSED';
  if (!isReversed || charge.settlement_on !== null) {
    steps.push({ name: 'Settled', on: at(charge.settlement_on), note: settlementNote(pages, charge, settled) });
  }
  if (isReversed) steps.push({ name: 'Reversed', on: at(charge.reversed_on), tone: 'bad' });
  else if (charge.settlement_on === null || bringsPayout(settled)) steps.push(paidOut(pages, merchant_id, settled, 'the settlement '));
  return lifeLine(steps);
}

function settlementNote(pages: ConsolePages, charge: ChargeRow, settled: SettledBy | undefined): Html | false {
  const { merchant_id, currency, settlement_date } = charge;
  if (settled) {
    const { number } = settled;
    return html`<a href="${pages.links.history(settlementStream(merchant_id, currency, number))}">settlement ${number}</a>`;
  }
  return settlement_date !== null && html`due ${pages.time(settlement_date, merchant_id)}`;
}

/** The shares of a paid charge’s money. */
function chargeMoney({ paid_on, currency, amount, fee, fee_amount, net_amount, settlement_status: is }: ChargeRow): Html | false {
  if (paid_on === null) return false;
  return moneyFlow(currency, [
    ['The customer paid', amount],
    [fee.type === 'PERCENTAGE' ? `Our fee, ${fee.value} %` : 'Our fee', fee_amount],
    ['The merchant', net_amount, is === 'SETTLED' ? 'available, or paid out' : is === 'REVERSED' ? 'reversed' : 'pending'],
  ]);
}

function chargeDetails(pages: ConsolePages, charge: ChargeRow, dispute: Dispute | undefined): Html {
  const { merchant_id, currency, refunded_amount, disputed_amount } = charge;
  const at = (moment: string | null): Html | string => pages.time(moment, merchant_id);
  return details([
    ['Status', chargeStatus(pages, charge, dispute)],
    ['Settlement', charge.settlement_status === 'UNKNOWN' ? 'not paid' : status(charge.settlement_status)],
    ['Amount', money(charge.amount, currency)],
    ...(refunded_amount === 0 ? [] : [['Refunded', money(refunded_amount, currency)] as const]),
    ...(disputed_amount === 0 ? [] : [['Held or lost in disputes', money(disputed_amount, currency)] as const]),
    ['Reference', userText(charge.reference_id)],
    ['Description', userText(charge.description)],
    ['Channel', html`${channelName(charge.channel_code)} <small>${charge.channel_code}, ${charge.action_flow}</small>`],
    ...providerDetails(pages, charge),
    ['Created (UTC)', at(charge.created_on)],
    ['Pay before (UTC)', at(charge.expires_on)],
    ['Id', code(charge.id)],
    ['Stream', code(chargeStream(charge.id))],
  ]);
}

/** Returns the open dispute that is due first. */
const openOf = (disputes: readonly Dispute[]): Dispute | undefined =>
  disputes.filter(isOpen).reduce<Dispute | undefined>((first, each) => (first && first.due_by <= each.due_by ? first : each), undefined);

/** Maximum number of refunds, and of disputes, on the page of a charge. */
export const PARTS_SHOWN = 50;

function part({ links }: ConsolePages, { id, merchant_id }: ChargeRow, section: 'refunds' | 'disputes', total: number, content: Html): Html | false {
  if (total === 0) return false;
  return html`<section aria-labelledby="${section}">
    <h2 id="${section}">${SECTIONS[section]} <small>${total}</small></h2>
    ${content}
    ${total > PARTS_SHOWN && html`<p><a href="${links.to(section, { MerchantId: merchant_id, ChargeId: id })}">All ${section} of this charge</a></p>`}
  </section>`;
}

/** Terms and values of a charge at a payment provider. */
function providerDetails(pages: ConsolePages, { is_remote, processor, processor_reference, failure_code }: ChargeRow) {
  const rows: [string, Html | string][] = [];
  if (is_remote !== true) return rows;
  rows.push(
    ['Rail', railLink(pages, processor)],
    ['Reference at the provider', processor_reference === null ? 'none yet' : code(processor_reference)],
  );
  if (failure_code !== null) rows.push(['Code of the provider', code(failure_code)]);
  return rows;
}

import type { ChargeListRow } from '../../../../projections/charges/charge-list-row.js';
import type { KnownCustomer } from '../../../../projections/customers/customers.js';
import type { Dispute, OpenDispute } from '../../../../projections/disputes/dispute-reads.js';
import type { Payout } from '../../../../projections/payouts/payouts.js';
import type { Refund } from '../../../../projections/refunds/refund-reads.js';
import type { Settlement } from '../../../../projections/settlements/settlements.js';
import { toSettlement } from '../../finance-api/lists.js';
import { channelName } from '../../../ledger/channels.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { customerStream } from '../../../ledger/events/customer.events.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import { milliseconds } from '../../../ledger/time.js';
import type { Html } from '../../../platform/html/html.js';
import { html } from '../../../platform/html/html.js';
import type { ChargesQuery } from '../shared/console.dto.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { waitingTag } from './payout-waiting.js';
import { toneOf } from '../shared/tones.js';
import { cards, code, idLink, money, oneLine, status, statusLink, timeUntil, type Column, type Sort } from '../shared/components.js';

export type ShownCharge = Pick<
  ChargeListRow,
  | 'id'
  | 'code'
  | 'reference_id'
  | 'merchant_id'
  | 'created_on'
  | 'channel_code'
  | 'status'
  | 'settlement_status'
  | 'amount'
  | 'net_amount'
  | 'currency'
>;

export const idsOf = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id);

interface TableOptions {
  readonly caption: string;
  /** Text for a table without records. */
  readonly empty: string;
  /** All records are those of the page's merchant. */
  readonly isOfOne?: boolean;
}

const AMOUNT: Column = { title: 'Amount', isFigure: true };
const FEE: Column = { title: 'Fee', isFigure: true, isSpare: true };
const NET: Column = { title: 'Net', isFigure: true, isSpare: true };
const MERCHANT: Column = { title: 'Merchant' };
const CREATED: Column = { title: 'Created (UTC)' };
const STATUS: Column = { title: 'Status' };

type Cells = readonly (Html | string | number)[];

/** Builds a table with the merchant's column after the amounts, so that a phone shows the amounts without scrolling. */
function recordTable<Row extends { readonly merchant_id: string }>(
  pages: ConsolePages,
  { caption, empty, isOfOne = false }: TableOptions,
  columns: readonly Column[],
  rows: readonly Row[],
  cells: (row: Row) => Cells,
): Html {
  if (isOfOne) return cards(caption, columns, rows.map(cells), empty);
  const place = columns.findIndex(({ isFigure }, index) => index > 0 && !isFigure);
  const withMerchant = rows.map((row) => cells(row).toSpliced(place, 0, pages.merchant(row.merchant_id)));
  return cards(caption, columns.toSpliced(place, 0, MERCHANT), withMerchant, empty);
}

interface ChargeTableOptions extends TableOptions {
  /** Orders of the list; absent if it has a single one. */
  readonly sort?: ((order: ChargesQuery['OrderBy']) => Sort) | undefined;
  /** Open disputes of the charges, by charge. */
  readonly disputes: ReadonlyMap<string, OpenDispute>;
}

/** The status of a charge. A disputed charge has the tone of its dispute and a link to it, because it may still be lost. */
export function chargeStatus({ links }: ConsolePages, { status: is }: Pick<ShownCharge, 'status'>, dispute: OpenDispute | undefined): Html {
  if (!dispute) return status(is);
  const { id, dispute_status } = dispute;
  return html`${status(is, { tone: toneOf(dispute_status) })}
    <span class="below">${statusLink(dispute_status, links.dispute(id), 'DISPUTED')}</span>`;
}

export function chargeTable(pages: ConsolePages, charges: readonly ShownCharge[], options: ChargeTableOptions): Html {
  const sorted = (column: Column, order: ChargesQuery['OrderBy']): Column => ({ ...column, sort: options.sort?.(order) });
  const columns = [
    { title: 'Code' },
    sorted(AMOUNT, 'AMOUNT'),
    NET,
    sorted(STATUS, 'STATUS'),
    { title: 'Settlement' },
    { title: 'Reference and channel' },
    sorted(CREATED, 'CREATED_ON'),
  ];
  return recordTable(pages, options, columns, charges, (charge) => [
    html`<a href="${pages.links.history(chargeStream(charge.id))}"><code>${charge.code}</code></a>`,
    money(charge.amount, charge.currency),
    charge.settlement_status === 'UNKNOWN' ? '–' : money(charge.net_amount, charge.currency),
    chargeStatus(pages, charge, options.disputes.get(charge.id)),
    charge.settlement_status === 'UNKNOWN' ? '–' : status(charge.settlement_status),
    html`${oneLine(charge.reference_id)}<span class="below">${channelName(charge.channel_code)}</span>`,
    pages.time(charge.created_on, charge.merchant_id),
  ]);
}

interface PartTableOptions extends TableOptions {
  /** Codes of the charges of the records, by charge; undefined on the page of their charge. */
  readonly codes?: ReadonlyMap<string, string> | undefined;
}

/** A table of refunds or disputes: each with its charge below its id. */
function partTable<Row extends { readonly id: string; readonly charge_id: string; readonly merchant_id: string }>(
  pages: ConsolePages,
  { codes, ...options }: PartTableOptions,
  columns: readonly [title: string, ...Column[]],
  rows: readonly Row[],
  addressOf: (id: string) => string,
  cells: (row: Row) => Cells,
): Html {
  const [title, ...more] = columns;
  return recordTable(pages, { ...options, isOfOne: codes === undefined }, [{ title }, ...more], rows, (row) => [
    html`${idLink(row.id, addressOf(row.id))}${codes && html`<span class="below">${pages.charge(row.charge_id, codes.get(row.charge_id))}</span>`}`,
    ...cells(row),
  ]);
}

export function refundTable(pages: ConsolePages, refunds: readonly Refund[], options: PartTableOptions): Html {
  const address = (id: string): string => pages.links.refund(id);
  return partTable(pages, options, ['Refund', AMOUNT, FEE, NET, STATUS, { title: 'Why' }, CREATED], refunds, address, (refund) => [
    money(refund.amount, refund.currency),
    money(refund.fee_amount, refund.currency),
    money(refund.net_amount, refund.currency),
    status(refund.refund_status),
    html`${refund.status_reason ?? refund.reason ?? '–'}<span class="below">from ${refund.source}</span>`,
    pages.time(refund.created_on, refund.merchant_id),
  ]);
}

interface DisputeTableOptions extends PartTableOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const DISPUTE_COLUMNS = [
  'Dispute',
  AMOUNT,
  { title: 'Held', isFigure: true },
  { title: 'Status and stage' },
  { title: 'Due (UTC)' },
  { title: 'Left' },
  { title: 'Opened (UTC)' },
] as const;

export function disputeTable(pages: ConsolePages, disputes: readonly Dispute[], { now, ...options }: DisputeTableOptions): Html {
  const address = (id: string): string => pages.links.dispute(id);
  return partTable(pages, options, DISPUTE_COLUMNS, disputes, address, (dispute) => [
    money(dispute.amount, dispute.currency),
    html`${money(dispute.held_amount, dispute.currency)}${
      dispute.excess_amount !== 0 && html`<span class="below">exceeds the charge by ${money(dispute.excess_amount, dispute.currency)}</span>`
    }`,
    html`${status(dispute.dispute_status)}<span class="below">${dispute.stage}</span>`,
    pages.time(dispute.due_by, dispute.merchant_id),
    timeLeft(dispute, now) ?? '–',
    pages.time(dispute.opened_on, dispute.merchant_id),
  ]);
}

/** Time left for an answer, highlighted below a day; null when the dispute can no longer be answered. `now`: milliseconds since the epoch. */
export function timeLeft({ dispute_status, due_by }: Dispute, now: number): Html | null {
  if (dispute_status !== 'INQUIRY' && dispute_status !== 'ACTION_REQUIRED') return null;
  const left = milliseconds(due_by) - now;
  const words = timeUntil(left);
  return left < A_DAY ? status('OVERDUE', { words }) : html`${words}`;
}

const A_DAY = 86_400_000;

export function payoutTable(pages: ConsolePages, payouts: readonly Payout[], options: TableOptions): Html {
  const columns = [{ title: 'Payout' }, AMOUNT, FEE, NET, STATUS, { title: 'Bank' }, CREATED, { title: 'Paid (UTC)', isSpare: true }];
  return recordTable(pages, options, columns, payouts, (payout) => [
    idLink(payout.id, pages.links.history(payoutStream(payout.id))),
    money(payout.amount, payout.currency),
    money(payout.fee_amount, payout.currency),
    money(payout.net_amount, payout.currency),
    html`${status(payout.payout_status)} ${waitingTag(pages, payout, pages.pendingReason(payout))}`,
    oneLine(payout.bank_name),
    pages.time(payout.created_on, payout.merchant_id),
    pages.time(payout.paid_on, payout.merchant_id),
  ]);
}

export function settlementTable(pages: ConsolePages, settlements: readonly Settlement[], options: TableOptions): Html {
  const columns = [
    { title: 'Number' },
    { title: 'Net amount', isFigure: true },
    { title: 'Lines', isFigure: true },
    { title: 'State' },
    { title: 'Opened (UTC)' },
    { title: 'Settled (UTC)' },
  ];
  return recordTable(pages, options, columns, settlements, (settlement) => [
    html`<a href="${pages.links.settlement(settlement.id)}">${settlement.currency} ${settlement.number}</a>`,
    money(BigInt(settlement.totals.net_amount), settlement.currency),
    toSettlement(settlement).lines,
    status(stateOf(settlement)),
    pages.time(settlement.opened_on, settlement.merchant_id),
    pages.time(settlement.settled_on, settlement.merchant_id),
  ]);
}

export function stateOf({ closed_on, settled_on }: Pick<Settlement, 'closed_on' | 'settled_on'>): 'OPEN' | 'CLOSED' | 'SETTLED' {
  if (settled_on !== null) return 'SETTLED';
  return closed_on === null ? 'OPEN' : 'CLOSED';
}

export const railLink = ({ links, moment }: ConsolePages, rail: string): Html =>
  moment ? code(rail) : html`<a href="${links.to('rails')}">${code(rail)}</a>`;

/** Has ids alone: customers' personal data is their merchant's. */
export const customerTable = (pages: ConsolePages, customers: readonly KnownCustomer[]): Html =>
  cards(
    'Customers, the newest first',
    [{ title: 'Id' }, MERCHANT, CREATED, { title: 'Changed (UTC)' }],
    customers.map(({ id, merchant_id, created_on, updated_on }) => [
      idLink(id, pages.links.history(customerStream(id))),
      pages.merchant(merchant_id),
      pages.time(created_on, merchant_id),
      pages.time(updated_on, merchant_id),
    ]),
    'There is no customer, or none that was not deleted.',
  );

import type { OpenDispute } from '../../../../projections/disputes/dispute-reads.js';
import type { FoundKind, FoundRecord, FoundRecords } from '../../../../projections/reconciliation/found-records.js';
import type { Payout } from '../../../../projections/payouts/payouts.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import type { Mode } from '../../../ledger/mode.js';
import type { Merchant } from '../../../domain/merchants/known-merchants.js';
import { foreign, html, type Html } from '../../../platform/html/html.js';
import type { SearchQuery } from '../shared/console.dto.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { merchantField } from '../shared/list-page.js';
import { breakPage, filePage, type Links } from '../shared/links.js';
import { code, filters, money, table } from '../shared/components.js';
import { chargeTable, payoutTable, type ShownCharge } from './record-tables.js';

/** Maximum number of shown records per kind. A search reads one more to detect that there are more. */
export const FOUND_MAX = 50;

export interface FoundId {
  readonly kind: string;
  readonly id: string;
  readonly address: string;
}

/** Charges that contain the text anywhere. */
export interface FoundInside {
  readonly charges: readonly ShownCharge[];
  /** Number of merchants that earlier pages of the search have searched. */
  readonly before: number;
  /** Number of merchants whose charges were searched. */
  readonly searched: number;
  /** First merchant that was not searched; null when all were. */
  readonly left: string | null;
}

type OpenDisputes = ReadonlyMap<string, OpenDispute>;

/** Results of a search, across merchants. */
export interface Found {
  /** Charges found by code or reference. */
  readonly charges: readonly ShownCharge[];
  /** Payouts found by reference. */
  readonly payouts: readonly Payout[];
  /** Records found by id. */
  readonly records: readonly FoundId[];
  /** Merchants found by name. */
  readonly merchants: readonly Merchant[];
  /** Records found by a reference of a processor or a bank. */
  readonly referenced: FoundRecords;
  /** Movements and open lines found by their amount. */
  readonly moved: FoundRecords;
  readonly inside?: FoundInside;
}

/** Every charge has a code that begins so: no search inside of texts is worth its time. */
export const isBeginningOfCodes = (text: string): boolean => text !== '' && 'CHG_'.startsWith(text.toUpperCase());

export const NO_RECORDS: FoundRecords = { items: [], has_more: false };
export const NOTHING: Found = { charges: [], payouts: [], records: [], merchants: [], referenced: NO_RECORDS, moved: NO_RECORDS };

export const isAnything = ({ charges, payouts, records, merchants, referenced, moved }: Found): boolean =>
  [charges, payouts, records, merchants, referenced.items, moved.items].some(({ length }) => length > 0);

export interface SearchPageOptions {
  readonly mode: Mode;
  readonly query: SearchQuery;
  /** Searched text; may be empty. */
  readonly text: string;
  /** True when the text has the form of an id that no record has. */
  readonly isId: boolean;
  /** Results; undefined without a search. */
  readonly found: Found | undefined;
  /** Open disputes of the found charges, by charge. */
  readonly disputes: OpenDisputes;
}

export function searchPage(pages: ConsolePages, { mode, query, text, isId, found, disputes }: SearchPageOptions): Html {
  return html`${filters(pages.links.to('search'), [
    { name: 'Text', label: 'Code, reference, amount, name or id', value: text },
    merchantField(pages, mode, query.MerchantId),
  ])}
  ${
    text === '' &&
    html`<p class="empty">
      Type the beginning of a code (CHG_…), of a reference (a merchant’s, a processor’s or a bank’s) or of the id of any record or event; an amount,
      such as 1.500.000,00 or S$1,500; or a part of a merchant’s name. Within one merchant, any part of a charge’s code, reference or description is
      found.
    </p>`
  }
  ${query.MerchantId === undefined && isBeginningOfCodes(text) && html`<p class="empty">All codes of charges begin with this: type more characters.</p>`}
  ${isId && html`<p class="empty">Nothing has the id ${foreign(text)}.</p>`}
  ${found && (found.inside ? inside(pages, found.inside, disputes, query) : named(pages, found, disputes))}`;
}

function named(pages: ConsolePages, found: Found, disputes: OpenDisputes): Html {
  const { charges, payouts, records, merchants, referenced, moved } = found;
  return html`${
      merchants.length > 0 &&
      table(
        'Merchants of this name',
        [{ title: 'Merchant' }, { title: 'Id' }],
        merchants.slice(0, FOUND_MAX).map(({ id }) => [pages.merchant(id), code(id)]),
        '',
      )
    }
    ${charges.length > 0 && chargeTable(pages, charges.slice(0, FOUND_MAX), { caption: 'Charges whose code or reference begins with it', empty: '', disputes })}
    ${payouts.length > 0 && payoutTable(pages, payouts.slice(0, FOUND_MAX), { caption: 'Payouts whose reference begins with it', empty: '' })}
    ${
      records.length > 0 &&
      table(
        'Records and events whose id begins with it',
        [{ title: 'Id' }, { title: 'Kind' }],
        records.slice(0, FOUND_MAX).map(({ kind, id, address }) => [html`<a href="${address}"><code>${id}</code></a>`, kind]),
        '',
      )
    }
    ${referenced.items.length > 0 && foundTable(pages, 'References of processors and banks', referenced)}
    ${moved.items.length > 0 && foundTable(pages, 'Movements of this amount, the newest first', moved)}
    <p class="hint">
      Searched everything of all merchants by the beginning of its name, movements of money by their amount, and the lines of files that match nothing
      yet.
      ${
        ([charges, payouts, records, merchants].some(({ length }) => length > FOUND_MAX) || referenced.has_more || moved.has_more) &&
        html`There is more: these are the first ${FOUND_MAX} in their order. Type more of it.`
      }
      To search within texts, choose a merchant.
    </p>`;
}

const FOUND_WORDS: Readonly<Record<FoundKind, string>> = {
  CHARGE: 'Charge',
  PAYMENT: 'Payment',
  REVERSAL: 'Reversal',
  REFUND: 'Refund',
  DISPUTE: 'Dispute',
  PAYOUT: 'Payout',
  RETURN: 'Return of a payout',
  LINE: 'Line of a file, not matched',
};

function foundTable(pages: ConsolePages, caption: string, { items }: FoundRecords): Html {
  return table(
    caption,
    [{ title: 'Record' }, { title: 'Reference' }, { title: 'Amount', isFigure: true }, { title: 'Merchant or source' }, { title: 'On (UTC)' }],
    items.map((record) => [
      html`<a href="${addressOf(pages.links, record)}">${FOUND_WORDS[record.kind]}</a>`,
      record.reference === null ? '–' : code(record.reference),
      money(record.amount, record.currency),
      record.merchant_id === null ? code(record.source!) : pages.merchant(record.merchant_id),
      record.merchant_id === null ? record.booking_date! : pages.time(record.occurred_on, record.merchant_id),
    ]),
    '',
  );
}

function addressOf(links: Links, { charge_id, payout_id, break_id, statement_id }: FoundRecord): string {
  if (charge_id !== null) return links.history(chargeStream(charge_id));
  if (payout_id !== null) return links.history(payoutStream(payout_id));
  return links.to(break_id === null ? filePage(statement_id!) : breakPage(break_id));
}

/** Says that nothing was found only when all merchants were searched. */
function inside(
  pages: ConsolePages,
  { charges, before, searched, left }: FoundInside,
  disputes: OpenDisputes,
  { Text, MerchantId }: SearchQuery,
): Html {
  const isPart = before > 0 || left !== null;
  const part = `${before + 1} to ${before + searched}`;
  const empty = isPart
    ? `No charge of the merchants ${part} has this in its code, reference or description.`
    : 'No charge has this in its code, reference or description.';
  return html`${chargeTable(pages, charges, { caption: 'Charges found', empty, disputes })}
    <p class="hint">
      ${
        MerchantId === undefined
          ? html`Nothing has this name, nor begins with it. Searched the codes, references and descriptions of
            ${isPart ? `the merchants ${part}` : `${searched} ${searched === 1 ? 'merchant' : 'merchants'}`}, the newest 20 of each.`
          : html`Searched the codes, references and descriptions of ${pages.merchant(MerchantId)}: the newest 20.`
      }
    </p>
    ${
      left !== null &&
      html`<p class="alert warn" role="status">
        Not all merchants were searched yet. <a href="${pages.links.to('search', { Text, From: left })}" rel="next">Search the next ones</a>
      </p>`
    }`;
}

import type { DayRow } from '../../../../projections/reconciliation/days/day-row-reads.js';
import { dayStream, type Movement } from '../../../ledger/events/day-close.events.js';
import type { ReconDayDto } from '../../../domain/reconciliation/days/days.dto.js';
import { foreign, html, type Html } from '../../../platform/html/html.js';
import { code, details, idLink, money, pager, table, time } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { dayPage as pathOf, suspensePage } from '../shared/links.js';
import { kindTag, lineLink, sourceLink } from '../shared/reconciliation-parts.js';

export interface DaySources {
  readonly day: ReconDayDto;
  readonly rows: readonly DayRow[];
  /** The next page has the rows after this number; undefined on the last page. */
  readonly next: number | undefined;
  readonly after: number;
}

/** A bank's day: the reconciliation of the books with the statement, the day's entries, and the remaining breaks. */
export function dayPage(pages: ConsolePages, sources: DaySources): Html {
  const { day, next, after } = sources;
  const { links } = pages;
  const path = pathOf(day.id);
  return html`${verdict(day)} ${statement(day.figures)} ${breaks(pages, day)} ${booked(pages, sources)}
  ${pager(
    { first: after === 0 ? undefined : links.to(path), next: next === undefined ? undefined : links.to(path, { After: next }) },
    { first: 'First lines', next: 'Next lines' },
  )}
  ${proof(pages, day)}`;
}

function verdict({ status: is, day, booked_parts, parts }: ReconDayDto): Html {
  if (is === 'COMPLETE')
    return html`<p class="alert good" role="status">${day} is closed, and complete: the books equal the bank’s balance, to the minor unit.</p>`;
  if (is === 'INCOMPLETE')
    return html`<p class="alert bad" role="alert">
      <strong>${day} is closed, and incomplete.</strong> The books differ from the bank’s balance: check the residual.
    </p>`;
  return html`<p class="alert warn" role="status">
    ${day} is being closed: ${booked_parts} of ${parts} parts are booked. It continues automatically.
  </p>`;
}

type Figures = ReconDayDto['figures'][number];

const expected = ({ book_cash, payouts, returns, under_way }: Figures): number => book_cash + payouts - returns - under_way;

/** The steps from the balance of the books to that of the bank. */
function statement(figures: readonly Figures[]): Html | false {
  if (figures.length === 0) return false;
  const row = (what: string, of: (each: Figures) => Html | string): readonly (Html | string)[] => [what, ...figures.map(of)];
  const amounts = (what: string, of: (each: Figures) => number) => row(what, (each) => money(of(each), each.currency));
  const some = (of: (each: Figures) => number, what: string) => (figures.some((each) => of(each) !== 0) ? [amounts(what, (each) => -of(each))] : []);
  return table(
    'Statement of the day',
    [{ title: 'What' }, ...figures.map(({ currency }) => ({ title: currency, isFigure: true }))],
    [
      amounts('Cash in the books', ({ book_cash }) => book_cash),
      amounts('+ payouts not presented yet', ({ payouts }) => payouts),
      amounts('− returns not presented yet', ({ returns }) => -returns),
      ...some(({ under_way }) => under_way, '− presented, not booked yet'),
      amounts('= expected closing balance', expected),
      row('Closing balance of the bank', ({ closing, currency }) => (closing === null ? 'no statement' : money(closing, currency))),
      row('Residual', ({ residual, currency }) =>
        residual === null ? '–' : residual === 0 ? money(0, currency) : html`<strong>${money(residual, currency, true)}</strong>`,
      ),
      ...(figures.some(({ differences }) => differences !== 0)
        ? [amounts('Differences in these bookings, to costs and losses', ({ differences }) => differences)]
        : []),
    ],
    '',
  );
}

function breaks({ links }: ConsolePages, { source, breaks: found, status: is }: ReconDayDto): Html | false {
  if (is === 'OPEN') return false;
  return table(
    'Breaks of the bank that were open',
    [{ title: 'Kind' }, { title: 'How many', isFigure: true }, { title: 'Amount', isFigure: true }],
    found.map(({ kind, currency, count, amount }) => [
      html`<a href="${links.to('recon', { Source: source, Kind: kind })}">${kindTag(kind)}</a>`,
      count,
      currency === null ? '–' : money(amount, currency),
    ]),
    'No break of the bank was open.',
  );
}

const MOVEMENT_WORDS: Readonly<Record<Movement, string>> = {
  BATCH: 'remittance',
  UNREMITTED: 'unknown line in a remittance',
  PAYOUT: 'payout',
  RETURN: 'return',
  CHARGE: 'bank charge',
  UNKNOWN: 'unknown',
  DIFFERENCE_TO_COSTS: 'difference, to costs',
  DIFFERENCE_TO_LOSSES: 'difference, to losses',
};

function booked(pages: ConsolePages, { day, rows }: DaySources): Html {
  const figure = (title: string) => ({ title, isFigure: true });
  return table(
    `Booked lines: ${day.rows}`,
    [figure('Line'), { title: 'Type' }, figure('Amount'), figure('Fee'), figure('Tax'), { title: 'Matched to' }],
    rows.map((row) => [
      lineLink(pages, row),
      html`${row.reversed && 'reversed: '}${MOVEMENT_WORDS[row.movement]}`,
      ...[row.amount, row.fee, row.tax].map((amount, at) => (at > 0 && amount === 0 ? '' : money(amount, row.currency))),
      origin(pages, row),
    ]),
    'None.',
  );
}

function origin(pages: ConsolePages, { batch, batch_source, event_id, item_id }: DayRow): Html | string {
  const { links } = pages;
  if (event_id !== null) return html`event ${idLink(event_id, links.event(event_id))}`;
  if (item_id !== null) return html`suspense ${idLink(item_id, links.to(suspensePage(item_id)))}`;
  if (batch === null) return '';
  return html`${foreign(batch)} of ${sourceLink(pages, batch_source!)}`;
}

function proof(pages: ConsolePages, day: ReconDayDto): Html {
  const { links } = pages;
  const { source, position, digest, head, opened_by, opened_on, closed_on, matcher, n } = day;
  return html`<section aria-labelledby="proof">
    <h2 id="proof">Proof</h2>
    ${details([
      ['Source', sourceLink(pages, source)],
      ['Amounts that processors owe', html`<a href="${links.to('recon/receivable')}">by age, now</a>`],
      ['Close', `number ${n}, matcher ${matcher}`],
      ['Opened (UTC)', html`${time(opened_on)} by ${pages.operator(opened_by)}`],
      ['Closed (UTC)', time(closed_on)],
      ['Figures up to', html`<a href="${links.event(position)}">event ${position}</a>, and the lines below`],
      ['Digest of its lines', digest === null ? null : code(digest)],
      ['Head: hash', head === null ? null : code(head.hash)],
      ['Head: signature (Ed25519)', head === null ? null : code(head.signature)],
      ['Its events, each with its proof', html`<a href="${links.history(dayStream(source, day.day))}">History</a>`],
    ])}
  </section>`;
}

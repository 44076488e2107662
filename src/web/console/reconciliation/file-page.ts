import type { Source } from '../../../../projections/reconciliation/sources.js';
import type { Match } from '../../../../projections/reconciliation/matches/match-reads.js';
import type { Line, Statement, StatementGroup } from '../../../../projections/reconciliation/statement-reads.js';
import { payoutStream } from '../../../ledger/events/payout.events.js';
import { foreign, html, type Html } from '../../../platform/html/html.js';
import { code, details, idLink, money, pager, status, table, tag, time, userText } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { breakPage, filePage, sourcePage } from '../shared/links.js';
import { sourceLink } from '../shared/reconciliation-parts.js';
import { pendingNote } from '../approvals/pending-proposal.js';
import { closeDayForm, forgetForm, replaceForm, sourceForms, type CloseForm, type FileForms, type OneFileForms } from './file-forms.js';

export interface SourceFiles {
  readonly source: Source;
  readonly files: readonly Statement[];
  /** The next page has the files before this id; undefined on the last page. */
  readonly next: string | undefined;
  readonly after: string | undefined;
  readonly forms: FileForms;
  readonly closing: CloseForm;
}

/** A source with its settings, its forms and its files. */
export function sourceFilesPage(pages: ConsolePages, { source, files, next, after, forms, closing }: SourceFiles): Html {
  const { id, settings, version, newest_day } = source;
  const { kind, mode, currencies, format, processor, due_days, time_zone, person_id, set_on } = settings;
  return html`${details([
    ['Id', code(id)],
    ['Kind', kind],
    ['Mode', mode],
    ['Currencies', currencies.join(', ')],
    ['Format', format],
    ['Processor', processor],
    ['Due after', `${due_days} banking days`],
    ['Time zone', time_zone],
    ['Newest day', newest_day],
    ['Set', html`${version === 1 ? 'once' : `${version} times`}, last by ${pages.operator(person_id)} on ${time(set_on)}`],
  ])}
  ${sourceForms(pages, source, forms)} ${closeDayForm(pages, source, closing)}
  ${table(
    'Files, the newest first',
    [
      { title: 'File' },
      { title: 'Status' },
      { title: 'Received (UTC)' },
      { title: 'By' },
      { title: 'Booked from' },
      { title: 'to' },
      { title: 'Lines', isFigure: true },
      { title: 'Dropped', isFigure: true },
    ],
    files.map((file) => [
      idLink(file.id, pages.links.to(filePage(file.id))),
      status(file.status),
      time(file.received_on),
      pages.operator(file.received_by),
      file.booked_from ?? '–',
      file.booked_to ?? '–',
      file.lines,
      file.dropped_lines,
    ]),
    'There is none.',
  )}
  ${pager(
    {
      first: after === undefined ? undefined : pages.links.to(sourcePage(id)),
      next: next === undefined ? undefined : pages.links.to(sourcePage(id), { After: next }),
    },
    { first: 'Newest files', next: 'Older files' },
  )}`;
}

export interface FileSources {
  readonly file: Statement;
  readonly groups: readonly StatementGroup[];
  readonly lines: readonly Line[];
  /** Matches of the lines that have one now. */
  readonly matches: readonly Match[];
  /** Codes of the matched charges, by charge. */
  readonly codes: ReadonlyMap<string, string>;
  /** Open breaks of the lines, by line. */
  readonly breaks: ReadonlyMap<string, string>;
  /** The next page has the lines after this id; undefined on the last page. */
  readonly next: string | undefined;
  readonly after: string | undefined;
  readonly forms: OneFileForms;
}

/** A file: its status, its sums, and its lines. */
export function filePageOf(pages: ConsolePages, sources: FileSources): Html {
  const { file, groups, next, after, forms } = sources;
  const { links } = pages;
  return html`${pendingNote(pages, forms.pending)} ${fileDetails(pages, file)} ${replaceForm(pages, file, forms)} ${forgetForm(pages, file, forms)}
  ${sums(file)}
  ${table(
    'Statements or batches of it',
    [{ title: 'Name' }, { title: 'Number' }, { title: 'Day' }, { title: 'Closing balance or sum', isFigure: true }, { title: 'Counts' }],
    groups.map(({ name, number, day, amount, currency, counts }) => [code(name), number ?? '–', day, money(amount, currency), counts ? 'yes' : 'no']),
    'None counts.',
  )}
  ${linesOf(pages, sources)}
  ${pager(
    {
      first: after === undefined ? undefined : links.to(filePage(file.id)),
      next: next === undefined ? undefined : links.to(filePage(file.id), { After: next }),
    },
    { first: 'First lines', next: 'Next lines' },
  )}`;
}

function fileDetails(pages: ConsolePages, file: Statement): Html {
  const { links } = pages;
  const other = (id: string | null) => (id === null ? null : idLink(id, links.to(filePage(id))));
  return details([
    ['Source', sourceLink(pages, file.source)],
    ['Status', status(file.status)],
    ['Lines', file.lines_read === file.lines ? file.lines : `${file.lines_read} of ${file.lines}: import the file again to continue`],
    ['Dropped: other files have them', file.dropped_lines],
    ['Replaces', other(file.replaces)],
    ['Replaced by', other(file.replaced_by)],
    ['Received (UTC)', html`${time(file.received_on)} by ${pages.operator(file.received_by)}`],
    ['Accepted (UTC)', html`${time(file.accepted_on)}${file.accepted_by !== null && html` by ${pages.operator(file.accepted_by)}`}`],
    ['Whom it names', file.forgotten_on === null ? 'encrypted with a separate key' : html`forgotten on ${time(file.forgotten_on)}`],
    ['Size', `${file.size} bytes`],
    ['SHA-256', code(file.sha256)],
  ]);
}

const figure = (title: string) => ({ title, isFigure: true });

function sums({ sums }: Statement): Html {
  return table(
    'Sums of its lines',
    [{ title: 'Currency' }, ...['Lines', 'Amount', 'Gross', 'Fee', 'Tax'].map(figure)],
    sums.map(({ currency, lines, amount, gross, fee, tax }) => [
      currency,
      lines,
      ...[amount, gross, fee, tax].map((minorUnits) => money(minorUnits, currency)),
    ]),
    'The file was not read completely.',
  );
}

function linesOf(pages: ConsolePages, { lines, matches, codes, breaks }: FileSources): Html {
  const matchOf = new Map(matches.map((match) => [match.line_id, match]));
  return table(
    'Lines',
    [
      figure('Line'),
      { title: 'Kind' },
      { title: 'Booked' },
      { title: 'Batch', isSpare: true },
      { title: 'References' },
      figure('Amount'),
      { title: 'Counts', isSpare: true },
      { title: 'Matched with' },
    ],
    lines.map(({ id, at, kind, booking_date, batch, references, amount, currency, counts }) => [
      at,
      tag(kind),
      booking_date,
      userText(batch),
      userText(references.join(' ')),
      money(amount, currency),
      counts ? 'yes' : 'no',
      matchedWith(pages, matchOf.get(id), codes, breaks.get(id)),
    ]),
    'There is none.',
  );
}

function matchedWith(pages: ConsolePages, match: Match | undefined, codes: ReadonlyMap<string, string>, breakId: string | undefined): Html | string {
  if (!match && breakId === undefined) return '–';
  return html`${match && counterpart(pages, match, codes)}
  ${breakId !== undefined && html`<a href="${pages.links.to(breakPage(breakId))}">${tag('BREAK')}</a>`}`;
}

/** The record that a line is matched with. */
function counterpart(pages: ConsolePages, match: Match, codes: ReadonlyMap<string, string>): Html | string {
  const { item, remittance, difference } = match;
  const differs = difference !== null && html`<span class="below">differs by ${money(difference, (item ?? remittance)!.currency)}</span>`;
  if (remittance) return html`batch ${foreign(remittance.batch)} of ${sourceLink(pages, remittance.source)}${differs}`;
  if (!item) return 'bank charge';
  const { charge_id, payout_id, event_id } = item;
  if (charge_id !== null) return html`${pages.charge(charge_id, codes.get(charge_id))}${differs}`;
  return html`${payout_id === null ? 'event' : 'payout'}
  ${idLink(payout_id ?? event_id, payout_id === null ? pages.links.event(event_id) : pages.links.history(payoutStream(payout_id)))}${differs}`;
}

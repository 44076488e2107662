import { html, type Html } from '../../../platform/html/html.js';
import { momentId, partsOf, type MomentId } from '../../../point-in-time/moment-id.js';
import type { Moment } from '../../../point-in-time/moments.js';
import { momentButton, momentForm, momentInWords, type MomentFields, type Today } from '../shared/as-of.js';
import { cards, details, status, time, userText } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { momentPage, WHAT_IF_PAGE } from '../shared/links.js';

export interface MomentsSources extends Today {
  /** Sorted by position. */
  readonly moments: readonly Moment[];
  /** Why the form was refused; undefined before it is sent. */
  readonly refused?: string | undefined;
  readonly fields?: MomentFields;
  /** The page that is shown as of the moment. */
  readonly page: string;
}

/** The form for a past moment, and the open ones. */
export function momentsPage(pages: ConsolePages, { moments, refused, fields, page, ...today }: MomentsSources): Html {
  return html`<p class="lead">
      The whole service as it was after any event: every page, list, total and file, read-only. A moment is built once, in a separate database, and
      closed when it is not used for some days.
    </p>
    ${refused !== undefined && html`<p class="alert bad" role="alert">${refused}</p>`}
    <section aria-labelledby="open">
      <h2 id="open">Open a moment</h2>
      ${momentForm(pages.links, { ...today, name: 'moment', page, ...(fields && { fields }) })}
    </section>
    ${cards(
      'Open moments, the earliest first',
      [
        { title: 'Event', isFigure: true },
        { title: 'Scenario' },
        { title: 'As of' },
        { title: 'State' },
        { title: 'Size', isFigure: true },
        { title: 'Opened (UTC)' },
        { title: 'By' },
        { title: 'Used (UTC)' },
        { title: 'Closes (UTC)' },
        { title: 'End it' },
      ],
      moments.map((moment) => [
        html`<a
          href="${pages.links.to(momentPage(momentId(moment.position, moment.name)), { Page: moment.name === null ? undefined : WHAT_IF_PAGE })}"
          >${moment.position.toLocaleString('en')}</a
        >`,
        moment.scenario === null ? 'recorded fees' : userText(moment.scenario),
        momentInWords(moment.time, today.timeZone),
        status(moment.state),
        moment.size_bytes === null ? '–' : `${Math.ceil(moment.size_bytes / 1e6)} MB`,
        time(moment.opened_on),
        pages.actor(moment.opened_by),
        time(moment.used_on),
        time(moment.closes_on),
        closeForm(pages, moment),
      ]),
      'No moment is open.',
    )}`;
}

export interface MomentSources extends Today {
  readonly id: MomentId;
  /** undefined: it is not open. */
  readonly moment: Moment | undefined;
  /** The page that is shown as of the moment. */
  readonly page: string;
}

/** A moment that cannot be read yet: its progress, or the form that opens it. */
export function momentStatePage(pages: ConsolePages, { id, moment, page, timeZone }: MomentSources): Html {
  const { position, name } = partsOf(id);
  if (moment?.state !== 'BUILDING') {
    return html`<p class="alert ${moment ? 'bad' : 'warn'}" role="alert">
        ${moment ? html`It could not be built: ${moment.reason}.` : 'This moment is not open, or was closed because it was not used.'}
      </p>
      ${
        name !== null
          ? html`<p>Other fees apply in it: open it again with <code>chargebook what-if --open</code>, or from the form of a fee.</p>`
          : momentButton(pages.links, { words: 'Open it', position, page }, true)
      }`;
  }
  const { events_done: done, events_total: total } = moment;
  return html`<p class="lead">
      The read models are built from the first ${total.toLocaleString('en')} events. This page loads itself again, and then leads to the page as of
      then.
    </p>
    <label for="progress">Events read: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}</label>
    <progress id="progress" max="${total}" value="${done}"></progress>
    ${details([
      ['As of', momentInWords(moment.time, timeZone)],
      ['Fees', moment.scenario === null ? 'as recorded' : userText(moment.scenario)],
      ['Opened (UTC)', html`${time(moment.opened_on)} by ${pages.actor(moment.opened_by)}`],
    ])}
    ${closeForm(pages, moment)}`;
}

export function momentTitle(id: MomentId): string {
  const { position, name } = partsOf(id);
  return `Moment of event ${position.toLocaleString('en')}${name === null ? '' : ' at other fees'}`;
}

function closeForm({ links }: ConsolePages, { position, name }: Moment): Html {
  return html`<form method="post" action="${links.to(`${momentPage(momentId(position, name))}/close`)}">
    <button aria-label="Close the moment of event ${position}${name !== null && ` (${name})`}">Close</button>
  </form>`;
}

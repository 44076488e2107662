import type { StoredProposal } from '../../../../projections/approvals/proposals.js';
import type { NextDay } from '../../../../projections/reconciliation/days/next-day.js';
import type { Source } from '../../../../projections/reconciliation/sources.js';
import type { Statement } from '../../../../projections/reconciliation/statement-reads.js';
import { html, type Html } from '../../../platform/html/html.js';
import { digestOf } from '../../../ledger/ids/canonical-json.js';
import type { KnownOperator } from '../../../domain/operators/known-operators.js';
import { BATCH_LENGTH_MAX } from '../../../domain/reconciliation/formats/references.js';
import type { RefusedStatement } from '../../../domain/reconciliation/formats/statement-item.js';
import { Problem } from '../../../platform/problem.js';
import { actForm } from '../shared/act-form.js';
import { details, userText } from '../shared/components.js';
import type { ConsolePages } from '../shared/console-pages.js';
import type { ActSubject } from '../shared/operator-actions.js';
import { dayPage, filePage, sourcePage } from '../shared/links.js';
import { proposeAside } from '../approvals/propose-form.js';

/** The operator and the token for the forms of a source or a file. */
export interface FileForms {
  readonly operator: KnownOperator | undefined;
  /** Form token; null: the operator must sign in again first. */
  readonly token: string | null;
}

export interface OneFileForms extends FileForms {
  /** The open proposal about the file. */
  readonly pending: StoredProposal | undefined;
}

/** Subject of a form about a source: the version of the settings with which a file would be read. */
export const sourceSubject = ({ id, version }: Pick<Source, 'id' | 'version'>): ActSubject => ({
  path: sourcePage(id),
  record: id,
  digest: digestOf({ source: id, version }),
});

export const fileSubject = ({ id, status, forgotten_on }: Pick<Statement, 'id' | 'status' | 'forgotten_on'>): ActSubject => ({
  path: filePage(id),
  record: id,
  digest: digestOf({ file: id, status, is_forgotten: forgotten_on !== null }),
});

const isPreparer = (operator: KnownOperator | undefined): boolean => operator?.roles.includes('preparer') === true;

const onlyPreparers = (what: string): Html => html`<p class="alert">${what} needs an operator’s own key with the role preparer.</p>`;

/** Forms to import a file of the source, and to compare open lines with the books on a day without a file. */
export function sourceForms({ links, moment }: ConsolePages, source: Source, { operator, token }: FileForms): Html | false {
  if (moment) return false;
  if (!isPreparer(operator)) return onlyPreparers('Importing files');
  const { path, digest } = sourceSubject(source);
  return html`<section aria-labelledby="import">
      <h2 id="import">Import a file</h2>
      ${actForm({
        ...{ links, path, digest, token, action: `${path}/import`, label: 'Import a file', reasonLabel: null, hasFile: true },
        acts: [['import', 'Import']],
        more: html`${source.settings.profile?.batch === 'given' && BATCH_FIELD} ${fileField('import', true)}`,
      })}
    </section>
    ${
      token !== null &&
      html`<details>
        <summary>No file has arrived: match open lines with the books</summary>
        ${actForm({
          ...{ links, path, digest, token, action: `${path}/run`, label: 'Compare with the books', name: 'run' },
          acts: [['run', 'Compare']],
        })}
      </details>`
    }`;
}

/** Data for the form that closes a day. */
export interface CloseForm extends FileForms {
  /** undefined: the source is not a bank's, or has no statement yet. */
  readonly next: NextDay | undefined;
}

/** The form with which an operator closes the next day of a bank when all its statements are imported. */
export function closeDayForm({ links, moment }: ConsolePages, source: Source, { next, token, operator }: CloseForm): Html | false {
  if (moment || !next || !isPreparer(operator)) return false;
  const { day, under_way, has_statements } = next;
  if (under_way !== null)
    return html`<p class="alert warn"><a href="${links.to(dayPage(under_way))}">${day} is being closed</a>; it continues automatically.</p>`;
  if (!has_statements) return html`<p class="hint">The next day to be closed is ${day}, once statements have come up to its end.</p>`;
  const { path } = sourceSubject(source);
  return html`${
    token !== null &&
    html`<details>
      <summary>Close ${day}</summary>
      ${actForm({
        ...{
          links,
          path,
          token,
          digest: closeSubject(source, day).digest,
          action: `${path}/close`,
          label: `Close ${day}`,
          name: 'close',
        },
        acts: [['close', 'Close the day']],
        more: html`<p class="hint">Its lines are booked as they are matched now, for good; later changes are booked by the close of a later day.</p>`,
      })}
    </details>`
  }`;
}

/** Subject of the form: the day that was shown as the next. */
export const closeSubject = (source: Pick<Source, 'id' | 'version'>, day: string): ActSubject => ({
  ...sourceSubject(source),
  digest: digestOf({ source: source.id, day }),
});

/** A form that replaces an accepted file. */
export function replaceForm({ links, moment }: ConsolePages, file: Statement, { operator, token }: FileForms): Html | false {
  if (moment || !isPreparer(operator) || file.status !== 'ACCEPTED') return false;
  const { path, digest } = fileSubject(file);
  return html`<details>
    <summary>The bank issued it again: replace it</summary>
    ${actForm({
      ...{ links, path, digest, token, action: `${path}/replace`, label: 'Replace with another file', name: 'replace' },
      hasFile: true,
      acts: [['replace', 'Replace']],
      more: fileField('replace', false),
    })}
  </details>`;
}

/** A form that proposes to forget the personal data in a file. */
export function forgetForm({ links, moment }: ConsolePages, file: Statement, { pending, operator, token }: OneFileForms): Html | false {
  if (moment || file.forgotten_on !== null || pending) return false;
  const subject = fileSubject(file);
  return proposeAside({
    ...{ links, operator, token, subject, action: `${subject.path}/forget`, name: 'forget' },
    label: 'Propose to erase the people named in it',
    hint: 'A controller approves it. The key of the names and texts in it is destroyed; amounts, references and proofs stay.',
  });
}

const BATCH_FIELD = html`<label for="import-batch">Batch</label>
  <input id="import-batch" name="batch" required maxlength="${BATCH_LENGTH_MAX}" aria-describedby="import-batch-hint" />
  <p class="hint" id="import-batch-hint">Files of this source do not name the batch of their lines. A file keeps the batch of its first import.</p>`;

function fileField(name: string, isFocused: boolean): Html {
  return html`<label for="${name}-file">File</label>
    <input id="${name}-file" name="file" type="file" required ${isFocused && html`autofocus`} aria-describedby="${name}-file-hint" />
    <p class="hint" id="${name}-file-hint">
      Unchanged, 256 MiB at most. The whole file is accepted or refused; the same file again records nothing. A larger one: <code>recon import</code>.
    </p>`;
}

const REASONS: Readonly<Record<RefusedStatement['reason'], string>> = {
  unreadable: 'It does not have the source’s format, is truncated, or contains something that is not allowed in a statement.',
  'wrong-account': 'It is of another account or currency.',
  sum: 'Its totals differ from its lines.',
  gap: 'It does not continue where the last statement ended: a file is missing.',
  reissued: 'Its number, or its day if the bank numbers nothing, was accepted with other content before. Replace that file with it.',
  'batch-changed': 'A batch that was accepted before has other content.',
  scale: 'Its amounts are a hundred times or a hundredth of the paid amounts.',
  future: 'It is for a future day.',
  precision: 'An amount has more decimals than its currency, zeros included: it may be a thousand times as much.',
};

/** The reason for which a file was refused; undefined for other errors. */
export function refusedNote(error: unknown): Html | undefined {
  if (!(error instanceof Problem) || error.code !== 'statement-refused') return undefined;
  const { reason, line, expected, found } = error.members as unknown as RefusedStatement;
  return html`<div class="alert bad" role="alert">
      <p><strong>The file is refused, and nothing of it is recorded.</strong> ${REASONS[reason]}</p>
    </div>
    ${details([
      ['Reason', reason],
      ['Line', line],
      ['Expected', userText(expected)],
      ['Found', userText(found)],
    ])}`;
}

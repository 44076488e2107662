import { foreign, html, plain, type Html } from '../../../platform/html/html.js';
import { CURRENCIES } from '../../../ledger/channels.js';
import { signInAgain } from '../shared/act-form.js';
import { table } from '../shared/components.js';
import { TIERS_MAX } from '../../../domain/operators/approval-policy.dto.js';
import type { Links } from '../shared/links.js';
import { proposePage } from '../shared/links.js';
import { OTHER_FIELDS, type FormFaults } from './proposal-form-faults.js';
import { nameOf, tierName, typedTiers, type FormField, type TierCell, type Typed } from './proposal-form-fields.js';
import { PROPOSAL_FORMS, type ProposalForm } from './proposal-form-list.js';
import { unreachable } from '../../../ledger/unreachable.js';

/** Id and name. */
export type Choice = readonly [id: string, name: string];

export interface ProposalFormSources {
  readonly links: Links;
  readonly form: ProposalForm;
  readonly typed: Typed;
  readonly faults: FormFaults;
  /** Distinguishes this form from later ones of the same page, which make new proposals. */
  readonly formId: string;
  readonly digest: string;
  /** Form token; null: the operator must sign in again first. */
  readonly token: string | null;
  /** Choices of merchants; undefined when there are too many. */
  readonly merchants: readonly Choice[] | undefined;
  readonly operators: readonly Choice[];
}

/** The list of all forms. */
export function proposalFormsPage(links: Links): Html {
  return html`<p class="lead">A proposal of one operator needs the approval of another; it then takes effect automatically.</p>
    ${table(
      'Possible proposals',
      [{ title: 'What' }, { title: 'Kind', isSpare: true }, { title: 'Effect' }, { title: 'Approvers' }],
      PROPOSAL_FORMS.map(({ name, kind, title, about, takes }) => [
        html`<a href="${links.to(proposePage(name))}">${title}</a>`,
        html`<code>${kind}</code>`,
        html`<bdi>${about}</bdi>`,
        html`<bdi>${takes}</bdi>`,
      ]),
      '',
    )}`;
}

/** One form. It shows faults beside their fields and keeps the typed texts. */
export function proposalFormPage(sources: ProposalFormSources): Html {
  const { links, form, faults, formId, digest, token } = sources;
  const path = proposePage(form.name);
  if (token === null) return signInAgain(links, path);
  const isRefused = faults.of.size > 0 || faults.others.length > 0;
  return html`<p class="lead">${form.about}</p>
    ${isRefused && refusal(faults)}
    <form class="act" method="post" action="${links.to(path)}" aria-label="${form.title}">
      <button disabled hidden>Enter proposes nothing</button>
      <input type="hidden" name="form_token" value="${token}" />
      <input type="hidden" name="digest" value="${digest}" />
      <input type="hidden" name="form_id" value="${formId}" />
      ${form.fields.map((field) => labelled(sources, field))} ${reasonAndEvidence(sources)}
      <p class="hint">${form.takes}</p>
      <p class="choose">
        <button name="act" value="propose" class="primary">Propose</button>
        ${form.kind === 'FEE' && html`<button name="act" value="what-if" formnovalidate>See what last month would have been</button>`}
      </p>
    </form>
    <p><a href="${links.to('desk/propose')}">All kinds of proposals</a></p>`;
}

function refusal({ others }: FormFaults): Html {
  return html`<div class="alert bad" role="alert">
    <p>Nothing was proposed. ${others.length === 0 && 'The fields below show the reasons.'}</p>
    ${others.map((detail) => html`<p>${foreign(detail)}</p>`)}
  </div>`;
}

/** Returns the field with the focus: the first with a fault, else the first of the form. */
function focused({ form, faults }: ProposalFormSources): string | undefined {
  const ways = [...form.fields.map(({ at }) => at), ...OTHER_FIELDS];
  return ways.find((at) => faults.of.has(at)) ?? ways[0];
}

/** Attributes of every control of a field. */
interface Control {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly isRequired: boolean;
  /** Attributes for screen readers, and the focus. */
  readonly more: Html;
}

function labelled(sources: ProposalFormSources, field: FormField): Html {
  const { typed } = sources;
  const { at, input, isRequired } = field;
  const label = isRequired || input.kind === 'words' ? field.label : `${field.label} (optional)`;
  const control: Control = { id: idOf(at), name: nameOf(at), value: typed[nameOf(at)] ?? '', isRequired, more: attributes(sources, field) };
  if (input.kind === 'words') return boxes(sources, field, input.words);
  if (input.kind === 'tiers') return tiers(sources, field);
  return html`<label for="${control.id}">${label}</label> ${controlOf(sources, field, control)} ${below(sources, field)}`;
}

const idOf = (at: string): string => `field-${at.replaceAll('.', '-')}`;

function attributes(sources: ProposalFormSources, { at, hint }: Pick<FormField, 'at' | 'hint'>): Html {
  const isWrong = sources.faults.of.has(at);
  const described = [...(isWrong ? [`${idOf(at)}-fault`] : []), ...(hint === undefined ? [] : [`${idOf(at)}-hint`])].join(' ');
  return html`${described !== '' && html` aria-describedby="${described}"`}${isWrong && html` aria-invalid="true"`}${
    focused(sources) === at && html` autofocus`
  }`;
}

/** The field's faults and its hint. */
function below({ faults }: ProposalFormSources, { at, hint }: Pick<FormField, 'at' | 'hint'>): Html {
  const wrong = faults.of.get(at);
  return html`${wrong && html`<p class="fault" id="${idOf(at)}-fault">${wrong.map((detail) => html`<span>${foreign(detail)}</span> `)}</p>`}
  ${hint !== undefined && html`<p class="hint" id="${idOf(at)}-hint">${hint}</p>`}`;
}

function controlOf({ merchants, operators }: ProposalFormSources, { input, example }: FormField, control: Control): Html {
  switch (input.kind) {
    case 'choice':
      return options(
        control,
        input.words.map((word) => [word, input.named?.(word) ?? word] as const),
      );
    case 'flag':
      return options(control, [
        ['yes', 'Yes'],
        ['no', 'No'],
      ]);
    case 'person':
      return options(control, operators);
    case 'merchant':
      return merchants ? options(control, merchants) : line(control, 'text', 36, 'Id of a merchant');
    case 'merchant-tiers':
      return lines(control, 'MERCHANT_ID payouts IDR 10.000.000,00 2');
    case 'lines':
      return lines(control, example ?? '');
    case 'month':
      return line(control, 'month', 7, example);
    case 'day':
      return line(control, 'date', 10, example);
    case 'amount':
      return line(control, 'text', 40, '1.500,00');
    case 'fee':
      return line(control, 'text', 40, '0.7');
    case 'number':
      return line(control, 'text', 24, example, true);
    case 'text':
    case 'tiers':
    case 'words':
      return line(control, 'text', input.kind === 'text' ? input.max : 0, example);
    default:
      return unreachable(input);
  }
}

/** A select with `choices`. A sent value that is none of them stays selected. */
function options({ id, name, value, isRequired, more }: Control, choices: readonly Choice[]): Html {
  const known = choices.some(([each]) => each === value) || value === '' ? choices : [...choices, [value, value] as const];
  return html`<select id="${id}" name="${name}" ${isRequired && html`required`} ${more}>
    <option value="">${isRequired ? 'Choose' : '–'}</option>
    ${known.map(([each, label]) => html`<option value="${each}" ${each === value && html`selected`}>${plain(label)}</option>`)}
  </select>`;
}

function line({ id, name, value, isRequired, more }: Control, type: string, max: number, example: string | undefined, isNumber = false): Html {
  return html`<input
    id="${id}"
    name="${name}"
    type="${type}"
    value="${value}"
    maxlength="${max}"
    placeholder="${example ?? ''}"
    autocomplete="off"
    spellcheck="false"
    ${isNumber && html`inputmode="decimal"`}
    ${isRequired && html`required`}
    ${more}
  />`;
}

/** A text area. Browsers drop a line break at its start, so the text follows one. */
function lines({ id, name, value, more }: Control, example: string): Html {
  return html`<textarea id="${id}" name="${name}" rows="3" placeholder="${example}" spellcheck="false" ${more}>${`\n${value}`}</textarea>`;
}

function boxes(sources: ProposalFormSources, field: FormField, words: readonly string[]): Html {
  const { typed } = sources;
  return html`<fieldset ${attributes(sources, field)}>
    <legend>${field.label}</legend>
    ${words.map(
      (word) =>
        html`<label class="check">
          <input
            name="${nameOf(`${field.at}.${word}`)}"
            type="checkbox"
            value="yes"
            ${typed[nameOf(`${field.at}.${word}`)] === 'yes' && html`checked`}
          />
          ${word}
        </label>`,
    )}
    ${below(sources, field)}
  </fieldset>`;
}

/** Empty rows below the filled ones. */
const SPARE_TIERS = 2;
const APPROVALS = ['1', '2'].map((count) => [count, count] as const);

/** A row for each tier: “above … needs … approvals”. */
function tiers(sources: ProposalFormSources, field: FormField): Html {
  const { at, label } = field;
  const filled = typedTiers(sources.typed, at);
  const rows = Array.from({ length: Math.min(TIERS_MAX, filled.length + SPARE_TIERS) }, (_, row) => row);
  return html`<fieldset ${attributes(sources, field)}>
    <legend>${label}</legend>
    ${rows.map((row) => {
      const cell = (name: TierCell): Control => ({
        ...{ id: `${idOf(at)}-${row}-${name}`, name: tierName(at, row, name), value: filled[row]?.[name] ?? '', isRequired: false },
        more: html` aria-label="${label}, row ${row + 1}: ${TIER_WORDS[name]}"`,
      });
      return html`<div class="tier">
        <span>Above</span>
        ${options(
          cell('currency'),
          CURRENCIES.map((currency) => [currency, currency] as const),
        )}
        ${line(cell('above'), 'text', 40, '10.000.000,00')}
        <span>needs</span> ${options(cell('approvals'), APPROVALS)} <span>approvals</span>
      </div> `;
    })}
    ${below(sources, field)}
  </fieldset>`;
}

const TIER_WORDS: Readonly<Record<TierCell, string>> = { above: 'amount', currency: 'currency', approvals: 'approvals' };

const REASON = { at: 'reason', hint: 'It is recorded with your name in the log.' } as const;
const EVIDENCE = {
  at: 'evidence',
  hint: 'Supporting files, as sha256sum prints them: SHA-256 and name, one line per file. The files are stored elsewhere.',
} as const;

function reasonAndEvidence(sources: ProposalFormSources): Html {
  const control = ({ at, hint }: typeof REASON | typeof EVIDENCE): Control => ({
    ...{ id: idOf(at), name: at, value: sources.typed[at] ?? '', isRequired: at === 'reason' },
    more: attributes(sources, { at, hint }),
  });
  return html`<label for="${idOf('reason')}">Reason</label>
    ${line(control(REASON), 'text', 500, undefined)} ${below(sources, REASON)}
    <label for="${idOf('evidence')}">Evidence (optional)</label>
    ${lines(control(EVIDENCE), '')} ${below(sources, EVIDENCE)}`;
}

import { html, type Html } from '../../../platform/html/html.js';
import type { KnownOperator } from '../../../domain/operators/known-operators.js';
import { actForm } from '../shared/act-form.js';
import type { Links } from '../shared/links.js';
import type { ActSubject } from '../shared/operator-actions.js';

export interface ProposeFormOptions {
  readonly links: Links;
  readonly subject: ActSubject;
  /** Path below the console to which the form is posted. */
  readonly action: string;
  readonly operator: KnownOperator | undefined;
  /** Form token; null: the operator must sign in again first. */
  readonly token: string | null;
  /** Name of the proposal. */
  readonly label: string;
  /** Distinguishes the form from others of the page. */
  readonly name: string;
  /** Fields before the reason. */
  readonly before?: Html | false;
  /** Required approvals, and the effect. */
  readonly hint: string;
}

/** A closed section after the page's main content. A preparer opens it to make a proposal about the shown record. */
export function proposeAside(options: ProposeFormOptions): Html | false {
  const { operator, label } = options;
  if (!operator?.roles.includes('preparer')) return false;
  return html`<details>
    <summary>${label}</summary>
    ${proposeForm(options)}
  </details>`;
}

export function proposeForm({ links, subject, action, token, label, name, before = false, hint }: ProposeFormOptions): Html {
  const { path, digest } = subject;
  return html`${actForm({
    ...{ links, path, action, digest, token, label, name, before },
    acts: [['propose', 'Propose']],
    more: html`<p class="hint">${hint}</p>`,
  })}`;
}

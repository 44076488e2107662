import { html, type Html } from '../../../platform/html/html.js';
import type { KnownOperator } from '../../../domain/operators/known-operators.js';
import { actForm } from '../act-form.js';
import type { Links } from '../links.js';
import type { ActSubject } from '../person-acts.js';

export interface ProposeFormOptions {
  readonly links: Links;
  readonly subject: ActSubject;
  /** Where it is posted, below the console. */
  readonly action: string;
  readonly person: KnownOperator | undefined;
  /** null: the person has to sign in again first. */
  readonly token: string | null;
  /** What is proposed. */
  readonly label: string;
  /** Tells it from other forms of the page. */
  readonly name: string;
  /** Fields in front of the reason. */
  readonly before?: Html | false;
  /** What approving it takes, and what follows. */
  readonly hint: string;
}

/** Closed, behind what the page is for: a person opens it to propose something about what is shown. */
export function proposeAside(options: ProposeFormOptions): Html | false {
  const { person, label } = options;
  if (!person?.roles.includes('preparer')) return false;
  return html`<details>
    <summary>${label}</summary>
    ${proposeForm(options, true)}
  </details>`;
}

export function proposeForm({ links, subject, action, token, label, name, before = false, hint }: ProposeFormOptions, isAside: boolean): Html {
  const { path, digest } = subject;
  return html`${actForm({
    ...{ links, path, action, digest, token, label, name, before, isAside },
    acts: [['propose', 'Propose']],
    more: html`<p class="hint">${hint}</p>`,
  })}`;
}

import { html, type Html } from '../../../platform/html/html.js';
import type { Links } from './links.js';

export interface ActFormOptions {
  readonly links: Links;
  /** Path of the page below the console. The sign-in returns the operator to it. */
  readonly path: string;
  /** Path below the console to which the form is posted; absent: the page's own. */
  readonly action?: string;
  readonly digest: string;
  /** Form token; null: the operator must sign in again first. */
  readonly token: string | null;
  /** Possible acts: the sent value, and the label of the button. The first button is highlighted. */
  readonly acts: readonly (readonly [act: string, label: string])[];
  /** Fields before the reason. */
  readonly before?: Html | false;
  /** Optional fields after the reason. */
  readonly more?: Html | false;
  /** Label of the reason; null: the form has no reason. */
  readonly reasonLabel?: string | null;
  /** Distinguishes the form from others of its page. */
  readonly name?: string;
  /** Accessible name of the form; absent: "Decision". */
  readonly label?: string;
  /** The form sends a file, whose field is in `more`. It then has a single act. */
  readonly hasFile?: boolean;
}

/** A form in which an operator decides and gives a reason. */
export function actForm(options: ActFormOptions): Html {
  const { links, path, action = path, digest, token, acts, before = false, more = false, label = 'Decision', hasFile = false } = options;
  if (token === null) return signInAgain(links, path);
  // Enter presses the first button of a form, so the first button must not decide.
  return html`<form class="act" method="post" action="${links.to(action)}" ${hasFile && html`enctype="multipart/form-data"`} aria-label="${label}">
    <button disabled hidden>Choose a decision</button>
    <input type="hidden" name="form_token" value="${token}" />
    <input type="hidden" name="digest" value="${digest}" />
    ${hasFile && html`<input type="hidden" name="act" value="${acts[0]![0]}" />`} ${before} ${reasonField(options)} ${more}
    <p class="choose">${buttons(options)}</p>
  </form>`;
}

/** A browser sends a button's value after the file, which the server takes as the last part, so a form with a file sends its act in a hidden field. */
function buttons({ acts, hasFile = false }: ActFormOptions): Html[] {
  return acts.map(([act, label], index) => {
    const look = index === 0 && 'primary';
    return hasFile ? html`<button class="${look}">${label}</button>` : html`<button name="act" value="${act}" class="${look}">${label}</button> `;
  });
}

/** Replaces a form when the session is too old to act. */
export function signInAgain(links: Links, path: string): Html {
  return html`<p class="alert warn">
    This session was opened more than an hour ago. <a href="${links.to('login', { Next: path })}">Sign in again</a> to decide.
  </p>`;
}

function reasonField({ reasonLabel = 'Reason', name }: ActFormOptions): Html | false {
  if (reasonLabel === null) return false;
  const id = name === undefined ? 'reason' : `${name}-reason`;
  return html`<label for="${id}">${reasonLabel}</label>
    <input id="${id}" name="reason" required maxlength="500" autocomplete="off" aria-describedby="${id}-hint" />
    <p class="hint" id="${id}-hint">It is recorded with your name in the log.</p>`;
}

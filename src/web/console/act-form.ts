import { html, type Html } from '../../platform/html/html.js';
import type { Links } from './links.js';

export interface ActFormOptions {
  readonly links: Links;
  /** Of the page, below the console: the person comes back to it from the sign-in. */
  readonly path: string;
  /** Where the form is posted, below the console; absent: to the page. */
  readonly action?: string;
  readonly digest: string;
  /** null: the person has to sign in again first. */
  readonly token: string | null;
  /** What can be done: the value that is sent, and the word on the button. The first one stands out. */
  readonly acts: readonly (readonly [act: string, label: string])[];
  /** What is asked for in front of the reason: its first field has the focus, where the form has it. */
  readonly before?: Html | false;
  /** What else may be given, behind the reason. */
  readonly more?: Html | false;
  /** What the reason is called; null: none is asked for. */
  readonly reasonLabel?: string | null;
  /** Tells the form from others of its page. */
  readonly name?: string;
  /** What the form is called; absent: a decision. */
  readonly label?: string;
  /** It is not the one that the page is opened for: nothing in it has the focus. */
  readonly isAside?: boolean;
  /** It sends a file, which stands in `more`; then there is one act. */
  readonly hasFile?: boolean;
}

/** Where a person decides, and says why. */
export function actForm(options: ActFormOptions): Html {
  const { links, path, action = path, digest, token, acts, before = false, more = false, label = 'Decision', hasFile = false } = options;
  if (token === null) return signInAgain(links, path);
  // Enter presses the first button of a form: it must not be one that decides.
  return html`<form class="act" method="post" action="${links.to(action)}" ${hasFile && html`enctype="multipart/form-data"`} aria-label="${label}">
    <button disabled hidden>Choose a decision</button>
    <input type="hidden" name="form_token" value="${token}" />
    <input type="hidden" name="digest" value="${digest}" />
    ${hasFile && html`<input type="hidden" name="act" value="${acts[0]![0]}" />`} ${before} ${reasonField(options)} ${more}
    <p class="choose">${buttons(options)}</p>
  </form>`;
}

/** A browser sends the value of a button where the button stands: behind a file, which is the last part that the server takes. */
function buttons({ acts, hasFile = false }: ActFormOptions): Html[] {
  return acts.map(([act, label], index) => {
    const look = index === 0 && 'primary';
    return hasFile ? html`<button class="${look}">${label}</button>` : html`<button name="act" value="${act}" class="${look}">${label}</button> `;
  });
}

/** In the place of a form that a session is too old for. */
export function signInAgain(links: Links, path: string): Html {
  return html`<p class="alert warn">
    This session was opened more than an hour ago. <a href="${links.to('login', { Next: path })}">Sign in again</a> to decide.
  </p>`;
}

function reasonField({ reasonLabel = 'Reason', name, before = false, isAside = false }: ActFormOptions): Html | false {
  if (reasonLabel === null) return false;
  const id = name === undefined ? 'reason' : `${name}-reason`;
  const isFirst = !isAside && before === false;
  return html`<label for="${id}">${reasonLabel}</label>
    <input id="${id}" name="reason" required maxlength="500" autocomplete="off" ${isFirst && html`autofocus`} aria-describedby="${id}-hint" />
    <p class="hint" id="${id}-hint">It is recorded with your name, for whoever reads the log.</p>`;
}

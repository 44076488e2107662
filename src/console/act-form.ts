import { html, type Html } from '../html/html.js';
import type { Links } from './links.js';

export interface ActFormOptions {
  readonly links: Links;
  /** Of the page, below the console: the form is posted there. */
  readonly path: string;
  readonly digest: string;
  /** null: the person has to sign in again first. */
  readonly token: string | null;
  /** What can be done: the value that is sent, and the word on the button. The first one stands out. */
  readonly acts: readonly (readonly [act: string, label: string])[];
}

/** Where a person decides, and says why. */
export function actForm({ links, path, digest, token, acts }: ActFormOptions): Html {
  if (token === null) {
    return html`<p class="alert warn">
      This session was opened more than an hour ago. <a href="${links.to('login', { Next: path })}">Sign in again</a> to decide.
    </p>`;
  }
  // Enter presses the first button of a form: it must not be one that decides.
  return html`<form class="act" method="post" action="${links.to(path)}" aria-label="Decision">
    <button disabled hidden>Choose a decision</button>
    <input type="hidden" name="form_token" value="${token}" />
    <input type="hidden" name="digest" value="${digest}" />
    <label for="reason">Reason</label>
    <input id="reason" name="reason" required maxlength="500" autocomplete="off" autofocus aria-describedby="reason-hint" />
    <p class="hint" id="reason-hint">It is recorded with your name, for whoever reads the log.</p>
    <p class="choose">
      ${acts.map(([act, label], index) => html`<button name="act" value="${act}" class="${index === 0 && 'primary'}">${label}</button> `)}
    </p>
  </form>`;
}

import { inlineScript, styleOnBase } from '../../platform/html/assets.js';
import { standalonePage, type Page } from '../../platform/html/document.js';
import { html } from '../../platform/html/html.js';

const STYLE = styleOnBase(...['front-page', 'verify'].map((name) => new URL(`./assets/${name}.css`, import.meta.url)));
const SCRIPT = inlineScript([new URL('./assets/check-proof.js', import.meta.url), new URL('./assets/verify-page.js', import.meta.url)]);

/** A page on which outsiders verify files of finance. Saved, it works without this service and without a network. */
export const VERIFY_PAGE: Page = standalonePage({
  title: 'Verify a proof',
  style: STYLE,
  script: SCRIPT,
  content: html`<main>
    <h1>Verify a proof</h1>
    <p class="lead">
      Checks, in this browser, the proof of an event, a proof that the log only grew, or a remittance advice. The page sends nothing: it has no access
      to a network. If you do not trust its sender, save it, read its source, and open the file.
    </p>
    <form id="form">
      <label for="file">File</label>
      <input type="file" id="file" accept=".json,application/json" />
      <label for="text">Or its content</label>
      <textarea id="text" rows="6" spellcheck="false" autocomplete="off"></textarea>
      <label for="key">Public key of the service</label>
      <input id="key" autocapitalize="off" spellcheck="false" autocomplete="off" maxlength="70" aria-describedby="key-hint" />
      <p class="hint" id="key-hint">64 digits, from a person you trust: never from the file.</p>
      <label for="heads">Heads that you kept</label>
      <textarea id="heads" rows="2" spellcheck="false" autocomplete="off" aria-describedby="heads-hint"></textarea>
      <p class="hint" id="heads-hint">Hashes, one or two. A proof that the log only grew needs the earlier one.</p>
      <button type="submit">Verify</button>
    </form>
    <div id="result" role="status"></div>
    <noscript><p class="verdict">This page calculates in the browser: it needs scripts.</p></noscript>
  </main>`,
});

import { documentPage, type Page } from '../../platform/html/document.js';
import { html, type Html } from '../../platform/html/html.js';
import { STYLE } from './assets.js';
import { footer, icon } from './components.js';
import type { Language } from '../../platform/http/language.js';
import { WORDS } from './words.js';

/** The same response for an address that was forged, cut off or never existed. */
export function missingPage(language: Language): Page {
  const { title, text } = WORDS[language].missing;
  return messagePage(title, icon('bad'), text, language);
}

/** The stores cannot be reached, so the state of the payment is unknown at present. */
export function unavailablePage(language: Language): Page {
  const { title, text } = WORDS[language].unavailable;
  return messagePage(title, icon('late'), text, language);
}

/** The response for an address of a statement that was altered, cut off or never signed. */
export function missingStatementPage(): Page {
  return messagePage('There is no such statement', icon('bad'), 'The address may be incomplete. Please use the link exactly as you were given it.');
}

export function expiredStatementPage(): Page {
  return messagePage('This link has expired', icon('late'), 'Links to statements hold for seven days. Please ask for a new one.');
}

function messagePage(title: string, picture: Html, text: string, language: Language = 'en'): Page {
  return documentPage({
    title,
    language,
    style: STYLE,
    content: html`<main class="card">
        <section class="result quiet">
          ${picture}
          <h1>${title}</h1>
          <p>${text}</p>
        </section>
      </main>
      ${footer(language, false)}`,
    // It shows no data, and takes the place of a payment page.
    frameable: true,
  });
}

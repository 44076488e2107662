import { documentPage, type Page } from '../html/document.js';
import { html, type Html } from '../html/html.js';
import { STYLE } from './assets.js';
import { FOOTER, icon } from './components.js';

/** The one answer to an address that was forged, cut off or never existed. */
export function missingPage(): Page {
  return messagePage('There is no such payment', icon('bad'), 'The address may be incomplete. Please use the link exactly as you were given it.');
}

/** The stores cannot be reached: nothing is known about the payment just now. */
export function unavailablePage(): Page {
  return messagePage(
    'One moment, please',
    icon('late'),
    'This payment cannot be shown just now. Nothing about it has changed. Please open the page again in a few seconds.',
  );
}

function messagePage(title: string, picture: Html, text: string): Page {
  return documentPage({
    title,
    style: STYLE,
    content: html`<main class="card">
        <section class="result quiet">
          ${picture}
          <h1>${title}</h1>
          <p>${text}</p>
        </section>
      </main>
      ${FOOTER}`,
    // It shows nothing, and stands where a payment page would.
    frameable: true,
  });
}

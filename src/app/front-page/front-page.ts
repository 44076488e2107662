import { styleOnBase } from '../../platform/html/assets.js';
import { documentPage, type Page } from '../../platform/html/document.js';
import { html } from '../../platform/html/html.js';
import { VERSION } from '../version.js';

const STYLE = styleOnBase(new URL('./assets/front-page.css', import.meta.url));

const DOORS = [
  ['console', 'Console', 'The books for finance and support: merchants, charges, journal, settlements. Sign in with a finance key.'],
  ['docs', 'API reference', 'Every operation, field and problem, to read and to try with a merchant’s key.'],
  ['openapi.json', 'OpenAPI document', 'The same for programs: generate a client from it.'],
  ['problems', 'Problems', 'Every refusal: its meaning, and how to resolve it.'],
  ['verify', 'Verify a proof', 'Checks the proof of an event or a remittance advice in the browser, also as a saved file.'],
  ['health/ready', 'Health', 'Whether this process can serve, with each of its checks.'],
  ['metrics', 'Metrics', 'For Prometheus.'],
] as const;

/** The page at the service's root: links to everything, and how to get a key. It reads no data, so it is available without the stores. */
export function frontPage({ production }: { readonly production: boolean }): Page {
  return documentPage({
    title: 'Chargebook',
    style: STYLE,
    root: '.',
    frameable: false,
    content: html`<main>
      <h1>Chargebook</h1>
      <p class="state">${production ? 'Production' : 'Development'} · version ${VERSION}</p>
      <p class="lead">Charges, payouts, balances and settlements of merchants, on an event-sourced ledger.</p>
      <ul class="doors">
        ${DOORS.map(
          ([path, name, purpose]) =>
            html`<li>
              <a href="${path}">${name}</a>
              <p>${purpose}</p>
            </li> `,
        )}
      </ul>
      ${!production && KEYS}
    </main>`,
  });
}

const KEYS = html`<h2>Keys</h2>
  <p>The first start prints a merchant’s key and a finance key, each once. Others are issued in the checkout, beside the running service:</p>
  <pre tabindex="0">
npm run -s cli -- merchant create --name "Kopi Kita"
npm run -s cli -- finance-key issue --name "Group audit"</pre> `;

import { foreign, html, type Html } from '../../../platform/html/html.js';
import { details, money, userText } from '../shared/components.js';

/** A station of money: its name, the amount in minor units, and where the amount stands. */
export type Station = readonly [name: string, amount: number, note?: string];

/** The way of a record's money, from one to the next. */
export function moneyFlow(currency: string, stations: readonly Station[]): Html {
  return html`<ol class="flow" aria-label="The way of its money">
    ${stations.map(
      ([name, amount, note]) =>
        html`<li>
          <span>${name}</span>
          <strong>${money(amount, currency)}</strong>
          ${note !== undefined && html`<span>${note}</span>`}
        </li> `,
    )}
  </ol>`;
}

/** The data that the merchant attached to a record; false when it attached none. */
export function merchantsData(metaData: Readonly<Record<string, string>>): Html | false {
  const entries = Object.entries(metaData);
  if (entries.length === 0) return false;
  return html`<section aria-labelledby="meta-data">
    <h2 id="meta-data">Data of the merchant</h2>
    ${details(entries.map(([name, value]) => [foreign(name), userText(value)] as const))}
  </section>`;
}

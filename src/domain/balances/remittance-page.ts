import type { FundingLine } from '../../../projections/balances/funding.js';
import { documentOf } from '../../platform/html/document.js';
import { aroundStreamed, foreign, html, STREAMED, type Html } from '../../platform/html/html.js';
import type { AdvisedSettlement, RemittanceAdvice } from './remittance-advice.js';
import { figure, formatMoment, referenceCell, SHEET_STYLE } from './sheet.js';

export interface AdvicePage extends RemittanceAdvice {
  readonly merchant_name: string;
  readonly timezone: string;
}

/** Yields a page for reading and printing, with one table per settlement. Browsers show the tables while they arrive. */
export async function* remittancePage({ payout, settlements, merchant_name, timezone }: AdvicePage): AsyncGenerator<string> {
  const { payout_id, merchant_id, currency, amount, fee_amount, net_amount, reference_id, requested_on, succeeded_on, not_covered } = payout;
  const row = (name: string, value: unknown): Html =>
    html`<tr>
      <th scope="row">${name}</th>
      ${value as Html}
    </tr>`;
  const amountOf = (name: string, value: bigint): Html => row(name, figure(value, currency));
  const content = html`<main>
    <section class="sheet" aria-label="Payout">
      <header>
        <div>
          <h1>Remittance advice, ${currency}</h1>
          <p>${foreign(merchant_name)} (${merchant_id})</p>
        </div>
        <div class="page">
          <p>Paid ${formatMoment(succeeded_on, timezone)}</p>
          <p>Requested ${formatMoment(requested_on, timezone)}</p>
        </div>
      </header>
      <table>
        <caption>
          Payout ${payout_id}. Amounts in ${currency}.
        </caption>
        <tbody>
          ${reference_id !== null && row('Reference', html`<td class="n">${foreign(reference_id)}</td>`)} ${amountOf('Amount', BigInt(amount))}
          ${amountOf('Fee', BigInt(fee_amount))} ${amountOf('Sent to the bank', BigInt(net_amount))}
          ${not_covered > 0n && amountOf('Not brought by any settlement yet', not_covered)}
        </tbody>
      </table>
    </section>
    ${STREAMED}
  </main>`;
  const title = `Remittance advice, ${merchant_name}`;
  const [start, end] = aroundStreamed(documentOf(title, SHEET_STYLE, content, html`<meta name="robots" content="noindex, nofollow" />`));
  yield start;
  for await (const settlement of settlements) yield* settlementSheet(settlement, currency, timezone);
  yield end;
}

async function* settlementSheet(settlement: AdvisedSettlement, currency: string, timezone: string): AsyncGenerator<string> {
  const { settlement_number, settled_on, net_amount, used_before, used_here, left, lines } = settlement;
  const name = settlement_number === null ? 'Adjustment' : `Settlement ${settlement_number}`;
  const [verb, whole] = settlement_number === null ? ['Booked', 'All of the adjustment'] : ['Settled', 'All of the settlement'];
  const total = (words: string, amount: bigint): Html =>
    html`<tr class="balance">
      <th scope="row" colspan="4">${words}</th>
      ${figure(amount, currency)}
    </tr>`;
  const sheet = html`<section class="sheet" aria-label="${name}" tabindex="0">
    <header>
      <h2>${name}</h2>
      <div class="page"><p>${verb} ${formatMoment(settled_on, timezone)}</p></div>
    </header>
    <table>
      <caption>
        Its amounts, and the part that this payout used.
      </caption>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Reference</th>
          <th scope="col" class="n">Gross</th>
          <th scope="col" class="n">Fee</th>
          <th scope="col" class="n">Net</th>
        </tr>
      </thead>
      <tbody>
        ${STREAMED} ${total(whole, net_amount)} ${total('Used by payouts and refunds before', used_before)} ${total('Used by this payout', used_here)}
        ${total('Left for later ones', left)}
      </tbody>
    </table>
  </section> `;
  const [start, end] = aroundStreamed(sheet);
  yield start;
  for await (const page of lines) yield page.map((line) => lineRow(line, currency).toString()).join('');
  yield end;
}

function lineRow({ kind, code, reference_id, gross_amount, fee_amount, net_amount }: FundingLine, currency: string): Html {
  const words = kind.charAt(0) + kind.slice(1).toLowerCase().replaceAll('_', ' ');
  return html`<tr>
    <td>${words}</td>
    ${referenceCell(code, reference_id)} ${figure(gross_amount, currency)} ${figure(fee_amount, currency)} ${figure(net_amount, currency)}
  </tr>`;
}

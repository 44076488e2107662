import { channelByCode, type Channel } from '../../ledger/channels.js';
import { formatPrice, formatTime } from '../../platform/text/format.js';
import { foreign, html, trusted, type Html } from '../../platform/html/html.js';
import type { Payment } from './payment.js';
import { LANGUAGES, type Language } from '../../platform/http/language.js';
import { WORDS } from './words.js';

/** @throws when this build no longer ships the charge's channel: its events must be read with a build that does */
export function channelOf({ created }: Payment): Channel {
  const channel = channelByCode(created.channel_code);
  if (!channel) throw new Error(`channel ${created.channel_code} of charge ${created.charge_id} is not shipped any more`);
  return channel;
}

export function isTest({ created }: Payment): boolean {
  return created.action.simulation_url !== null;
}

/** Drawings of 24 by 24 units, in the colour of the text. */
const ICONS = {
  good: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  bad: '<path d="M7 7l10 10M17 7 7 17"/>',
  late: '<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>',
  back: '<path d="M9 7 4.5 11.5 9 16"/><path d="M5 11.5h9a5 5 0 0 1 0 10h-2"/>',
} as const;

export function icon(kind: keyof typeof ICONS): Html {
  return trusted(`<span class="icon"><svg viewBox="0 0 24 24" aria-hidden="true">${ICONS[kind]}</svg></span>`);
}

/** The payee, the amount and the description. */
export function summary(payment: Payment, merchantName: string): Html {
  const { amount, currency, description } = payment.created;
  const text = formatPrice(amount, currency);
  return html`<header class="summary">
    <p class="merchant"><span class="avatar" aria-hidden="true">${initial(merchantName)}</span>${foreign(merchantName)}</p>
    <h1 class="amount${text.length > 16 && ' long'}">${text}</h1>
    ${description !== null && description !== '' && html`<p class="description">${foreign(description)}</p>`}
  </header>`;
}

/** Terms with their values; rows that are null are left out. */
export function details(label: string, rows: readonly (readonly [string, Html | string | null])[]): Html {
  return html`<section class="details" aria-label="${label}">
    <dl>
      ${rows.map(
        ([term, value]) =>
          value !== null &&
          html`<div>
            <dt>${term}</dt>
            <dd>${value}</dd>
          </div> `,
      )}
    </dl>
  </section>`;
}

export function when(moment: string, channel: Channel, language: Language): Html {
  return html`<time datetime="${moment}">${formatTime(moment, channel.country, language)}</time>`;
}

/** `isChosen`: the page is available in other languages. */
export function footer(language: Language, isChosen = true): Html {
  const words = WORDS[language];
  return html`<footer>
    ${
      isChosen &&
      html`<nav class="languages" aria-label="${words.language}">
        ${Object.entries(LANGUAGES).map(
          ([code, name]) =>
            html`<a href="?Lang=${code}" lang="${code}" hreflang="${code}" ${code === language && trusted('aria-current="true"')}>${name}</a> `,
        )}
      </nav>`
    }
    <p>${words.by} <strong>Chargebook</strong></p>
  </footer>`;
}

/** Writes PRE_ARBITRATION as pre arbitration. */
export const inWords = (word: string): string => word.toLowerCase().replaceAll('_', ' ');

function initial(name: string): string {
  return /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '•';
}

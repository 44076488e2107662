import { createHmac } from 'node:crypto';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Members of bodies, in lower case, whose values are words of the interface or amounts, and reveal nothing about a person. */
const KEPT = new Set([
  ...['type', 'country', 'currency', 'capture_method', 'channel_code', 'descriptor', 'status', 'error_code', 'failure_code', 'reason', 'types'],
  ...['created', 'updated', 'object', 'has_more', 'granttype', 'tokentype', 'expiresin', 'responsecode', 'responsemessage', 'message'],
  ...['servicecode', 'latesttransactionstatus', 'transactionstatusdesc', 'transactiondate', 'transactiontime', 'beneficiarybankcode'],
  ...['request_amount', 'amount', 'balance', 'balancetype', 'validityperiod', 'paidtime', 'net_amount', 'fee', 'fromdatetime', 'todatetime'],
]);
/** In these members, `value` is money; in others it may be anything. */
const MONEY = /amount|balance|fee/;
const HEADERS_KEPT = new Set(['content-type', 'api-version', 'x-timestamp']);
const NUMBER_IN_TEXT = /\d{6,}/g;
const WORDS_OF_PEOPLE_MIN = 3;

/**
 * Removes confidential data from exchanges: every text that is no word of the interface is replaced by another of the same length and kind, the same
 * one everywhere, so that references still match. The replacement cannot be reversed without `key`, which belongs to one recording.
 */
export class Scrub {
  /** The replacement of each replaced text. */
  readonly #replaced = new Map<string, string>();

  constructor(
    private readonly key: Buffer,
    /** Credentials and data from people: replaced in every text that contains them. */
    secrets: readonly string[],
  ) {
    for (const secret of secrets) this.#replacement(secret);
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    const all = Object.entries(headers).map(
      ([name, value]) => [name, HEADERS_KEPT.has(name.toLowerCase()) ? value : `<${name.toLowerCase()}>`] as const,
    );
    return Object.fromEntries(all);
  }

  /** @param text text of a body; a text that is not JSON is replaced as a whole */
  body(text: string): Json {
    let body: Json;
    try {
      body = JSON.parse(text) as Json;
    } catch {
      return this.#replacement(text);
    }
    return this.#value(body, false, '');
  }

  /** Replaces texts that were replaced elsewhere, and every long number, in a text that is kept: an address, or a message. */
  text(text: string): string {
    const known = [...this.#replaced].filter(([original]) => original.length >= WORDS_OF_PEOPLE_MIN).sort(([a], [b]) => b.length - a.length);
    const withoutKnown = known.reduce((left, [original, replacement]) => left.replaceAll(original, replacement), text);
    return withoutKnown.replace(NUMBER_IN_TEXT, (digits) => (this.#isOurs(digits) ? digits : this.#replacement(digits)));
  }

  #value(value: Json, isKept: boolean, within: string): Json {
    if (typeof value === 'string') return isKept ? this.#kept(value) : this.#replacement(value);
    if (typeof value === 'number' && !isKept) return Number(this.#replacement(String(value)).replace(/^0/, '1'));
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return (value as readonly Json[]).map((each) => this.#value(each, isKept, within));
    const members = Object.entries(value).map(([name, each]) => {
      const lower = name.trim().toLowerCase();
      return [name, this.#value(each, lower === 'value' ? MONEY.test(within) : KEPT.has(lower), lower)] as const;
    });
    return Object.fromEntries(members);
  }

  /** Keeps the digits of times and amounts. */
  #kept(text: string): string {
    return /^[\d.]+$/.test(text) || /^\d{4}-\d\d-\d\dT/.test(text) ? text : this.text(text);
  }

  #isOurs(digits: string): boolean {
    return [...this.#replaced.values()].some((replacement) => replacement.includes(digits));
  }

  #replacement(text: string): string {
    const known = this.#replaced.get(text);
    if (known !== undefined) return known;
    const isAddress = text.startsWith('https://');
    const kinds = isAddress ? text.slice('https://'.length) : text;
    const bytes = createHmac('sha256', this.key).update(text).digest();
    let at = 0;
    const next = (): number => bytes[at++ % bytes.length]!;
    const other = kinds
      .replace(/\d/g, () => String(next() % 10))
      .replace(/[a-z]/g, () => String.fromCharCode(97 + (next() % 26)))
      .replace(/[A-Z]/g, () => String.fromCharCode(65 + (next() % 26)))
      .replace(/[^ -~]/gu, 'x');
    const replacement = isAddress ? `https://${other.replace(/[^a-z0-9./-]/gi, 'x')}` : other;
    this.#replaced.set(text, replacement);
    return replacement;
  }
}

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { languageOf } from '../../../src/platform/http/language.js';
import { STYLE } from '../../../src/web/checkout/assets.js';
import { STYLE as CONSOLE_STYLE } from '../../../src/web/console/shared/layout.js';
import type { Style } from '../../../src/platform/html/assets.js';
import { formatAmount, formatClock, formatPrice, formatTime } from '../../../src/platform/text/format.js';
import { foreign, html, plain } from '../../../src/platform/html/html.js';
import { permittedOutcomes, type ChargeStatuses } from '../../../src/web/checkout/outcomes.js';
import { ANY_CHARACTER } from '../../support/any-character.js';

describe('the html tag', () => {
  it('escapes every value, wherever it stands', () => {
    expect(html`<a title="${`"'><&\``}">${'<b>'}</a>`.toString()).toBe('<a title="&quot;&#39;&gt;&lt;&amp;&#96;">&lt;b&gt;</a>');
  });

  it('keeps nested markup, joins lists, and prints nothing for null, undefined and false', () => {
    expect(html`<p>${html`<i>${'<'}</i>`}${[html`<b></b>`, '&', 1]}${null}${undefined}${false}${0}</p>`.toString()).toBe(
      '<p><i>&lt;</i><b></b>&amp;10</p>',
    );
  });

  it('lets no text become markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), (text) => {
        const inner = html`${text}`.toString();
        expect(inner).not.toMatch(/[<>"'`]|&(?!amp;|lt;|gt;|quot;|#39;|#96;)/);
      }),
      { seed: 5 },
    );
  });

  it('isolates foreign text, and lets no direction override through', () => {
    expect(foreign('a\u202Eb\u202C<').toString()).toBe('<bdi>ab&lt;</bdi>');
    expect(plain('a\u2066b\u2069\u200Fc')).toBe('abc');
  });
});

describe('amounts and times', () => {
  // The no-break space between symbol and number is Intl's.
  it.each([
    [10_000, 'IDR', 'Rp\u00A0100,00'],
    [1, 'IDR', 'Rp\u00A00,01'],
    [123_456_789, 'IDR', 'Rp\u00A01.234.567,89'],
    [10_000, 'MYR', 'RM\u00A0100.00'],
    [10_000, 'SGD', 'S$100.00'],
    [99, 'SGD', 'S$0.99'],
    [-99, 'SGD', '-S$0.99'],
    [Number.MAX_SAFE_INTEGER, 'MYR', 'RM\u00A090,071,992,547,409.91'],
    [10_000, 'USD', 'USD\u00A0100.00'],
    [-9, 'USD', '-USD\u00A00.09'],
    [10_000, 'JPY', 'JPY\u00A010,000'],
    [-1, 'KWD', '-KWD\u00A00.001'],
    [Number.MAX_SAFE_INTEGER, 'KWD', 'KWD\u00A09,007,199,254,740.991'],
  ])('%d minor units of %s are %s', (amount, currency, text) => expect(formatAmount(amount, currency)).toBe(text));

  it.each([
    [10_000, 'IDR', 'Rp\u00A0100'],
    [10_050, 'IDR', 'Rp\u00A0100,50'],
    [100_000_000, 'IDR', 'Rp\u00A01.000.000'],
    [10_000, 'MYR', 'RM\u00A0100.00'],
    [10_000, 'SGD', 'S$100.00'],
  ])('%d minor units of %s are %s to a customer', (amount, currency, text) => expect(formatPrice(amount, currency)).toBe(text));

  it.each([
    ['ID', 'en', '31 Jan 2026, 23:59:59 WIB'],
    ['MY', 'en', '1 Feb 2026, 00:59:59 MYT'],
    ['SG', 'ms', '1 Feb 2026, 00:59:59 SGT'],
    ['ID', 'id', '31 Jan 2026, 23.59.59 WIB'],
  ] as const)('a moment on the clocks of %s is, in %s, %s', (country, language, text) =>
    expect(formatTime('2026-01-31T16:59:59.999+00:00', country, language)).toBe(text),
  );

  it.each([
    ['2026-01-31T08:15:30.123+00:00', 'Asia/Jakarta', '15:15:30 WIB'],
    ['2026-01-31T20:15:30.123+00:00', 'Asia/Singapore', '2026-02-01 04:15:30 SGT'],
    ['2026-01-31T20:15:30.123+00:00', 'Europe/Berlin', '21:15:30 Europe/Berlin'],
  ])('%s on the clocks of %s is %s', (moment, zone, text) => expect(formatClock(moment, zone)).toBe(text));
});

describe('the language of a page', () => {
  it.each([
    [undefined, undefined, 'en'],
    ['*', undefined, 'en'],
    ['id', undefined, 'id'],
    ['id-ID,id;q=0.9,en-US;q=0.8,en;q=0.7', undefined, 'id'],
    ['in-ID', undefined, 'id'],
    ['ms-MY', undefined, 'ms'],
    ['zh-SG, en;q=0.5, ms;q=0.8', undefined, 'ms'],
    ['fr, de;q=0.5', undefined, 'en'],
    ['id;q=0, ms;q=0.1', undefined, 'ms'],
    ['id', 'ms', 'ms'],
    ['id', 'MS', 'ms'],
    ['id', 'klingon', 'id'],
    ['id', '__proto__', 'id'],
    [',;q=;;,id;q=x,'.repeat(500), undefined, 'en'],
  ])('Accept-Language %j and the choice %j give %s', (accepted, chosen, language) => {
    expect(languageOf({ headers: accepted === undefined ? {} : { 'accept-language': accepted } }, chosen)).toBe(language);
  });
});

describe('the outcomes of a test charge', () => {
  const cases: [ChargeStatuses['status'], ChargeStatuses['settlement_status'], string[]][] = [
    ['PENDING', 'UNKNOWN', ['succeed', 'fail', 'expire']],
    ['FAILED', 'UNKNOWN', ['succeed']],
    ['EXPIRED', 'UNKNOWN', ['succeed']],
    ['CANCELLED', 'UNKNOWN', ['succeed']],
    ['SUCCEEDED', 'PENDING', ['settle', 'reverse']],
    ['SUCCEEDED', 'PROCESSING', ['settle', 'reverse']],
    ['SUCCEEDED', 'SETTLED', ['reverse']],
    ['SUCCEEDED', 'REVERSED', []],
  ];
  it.each(cases)('a charge %s, settlement %s, permits %j', (status, settlement_status, permitted) =>
    expect(permittedOutcomes({ status, settlement_status })).toEqual(permitted),
  );
});

describe('the colours', () => {
  /** Pairs of text and background; WCAG 2.2 AA requires a contrast of 4.5 to 1. */
  const PAIRS = [
    ['ink', 'card'],
    ['ink', 'raised'],
    ['soft', 'card'],
    ['soft', 'raised'],
    ['soft', 'canvas'],
    ['accent', 'card'],
    ['accent', 'raised'],
    ['accent-ink', 'accent'],
    ['good', 'good-back'],
    ['bad', 'bad-back'],
    ['bad', 'card'],
    ['bad', 'raised'],
  ] as const;

  const CASES: [string, Style, (readonly [string, string])[]][] = [
    ['hosted pages', STYLE, [...PAIRS, ['soft', 'quiet-back'], ['warn', 'warn-back']]],
    ['the console', CONSOLE_STYLE, [...PAIRS, ['accent', 'accent-back']]],
  ];

  describe.each(CASES)('colours of %s', (_, { text }, pairs) => {
    // Day and night colours: first those that all pages share, then the page's own.
    const [day, night, ownDay, ownNight] = [...text.matchAll(/:root \{(.*?)\}/gs)]
      .filter(([, block]) => block!.includes('#'))
      .map(([, block]) => [...block!.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)].map(([, name, value]) => [name!, value!] as const));
    const light = new Map([...day!, ...ownDay!]);
    const dark = new Map([...light, ...night!, ...ownNight!]);

    it('redefines by day no colour that all pages set for the night', () =>
      expect(night!.filter(([name]) => ownDay!.some(([own]) => own === name))).toEqual([]));

    it.each(pairs)('%s on %s can be read, by day and by night', (words, ground) => {
      for (const scheme of [light, dark]) expect(contrast(scheme.get(words)!, scheme.get(ground)!)).toBeGreaterThanOrEqual(4.5);
    });
  });
});

/** WCAG 2.2, contrast ratio of two sRGB colours. */
function contrast(a: string, b: string): number {
  const [darker, lighter] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

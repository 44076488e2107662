import { describe, expect, it } from '@jest/globals';
import { isReadableInLatin, latinInAscii } from '../../../src/platform/text/ascii.js';

describe('Latin letters in ASCII', () => {
  it.each([
    ['Łódź Straße Øresund', 'Lodz Strasse Oresund'],
    ['Æsir Þór Ðegel Œuvre', 'AEsir THor Degel OEuvre'],
    ['Đặng Văn Ngữ', 'Dang Van Ngu'],
    ['Iğdır Şişli Əliyev', 'Igdir Sisli Eliyev'],
    ['Sørén Ħamrun ŋ ŉ', 'Soren Hamrun n ʼn'],
    ['STRAẞE Ǿ ﬁn Ｋｏｐｉ', 'STRASSE O fin Kopi'],
    ['Kopi Kita', 'Kopi Kita'],
  ])('writes %s as %s', (text, ascii) => expect(latinInAscii(text)).toBe(ascii));

  it('leaves other scripts as they are', () => {
    for (const text of ['好运来', '맛있는집', 'ガラス', 'ร้านกาแฟ', 'Ёлка', 'Καφές', 'मिठाई']) expect(latinInAscii(text)).toBe(text);
  });

  it('loses no letter of European, African and Vietnamese names', () => {
    const lost: string[] = [];
    for (const [from, to] of [
      [0xaa, 0x180],
      [0x1e00, 0x1eff],
    ] as const) {
      for (let code = from; code < to; code += 1) {
        const letter = String.fromCodePoint(code);
        if (/\p{L}/u.test(letter) && /\p{Script=Latin}/u.test(letter) && !/[A-Za-z]/.test(latinInAscii(letter))) lost.push(letter);
      }
    }
    // The delta of medieval manuscripts, which the rules leave out, too.
    expect(lost).toEqual(['ẟ']);
  });

  it.each([
    ['Łódź', true],
    ['Haoyunlai 好运来', true],
    ['7', true],
    ['好运来', false],
    ['好运来 88', false],
    ['Ёлка', false],
    ['🎉', false],
  ])('reports whether a reader of Latin can read %s: %s', (name, is) => expect(isReadableInLatin(name)).toBe(is));
});

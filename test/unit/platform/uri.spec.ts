import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isHttpUri } from '../../../src/platform/text/uri.js';

const LONG_LABEL = 'a'.repeat(63);
const LONGEST_NAME = `${LONG_LABEL}.${LONG_LABEL}.${LONG_LABEL}.${'a'.repeat(61)}`;

describe('isHttpUri', () => {
  it.each([
    'https://shop.example.com',
    'https://shop.example.com/',
    'https://shop.example.com./hooks',
    'https://Shop.Example.com:8443/a/../b?c=%C3%A4&d[0]=1'.replace('[0]', '%5B0%5D'),
    'https://my_shop.example.com/hooks?a=b/?c#top',
    'https://xn--80ak6aa92e.com/',
    'http://localhost:3000/hooks',
    'https://8.8.8.8/hooks',
    'https://[2606:4700::1111]:443/hooks',
    'https://7-eleven.example.com/',
    'https://3scale.example/',
    `https://${LONGEST_NAME}/`,
    `https://${LONGEST_NAME}.:443/`,
  ])('accepts %s', (text) => expect([isHttpUri(text), URL.canParse(text)]).toEqual([true, true]));

  it.each([
    '',
    'shop.example.com',
    '//shop.example.com/',
    'https:shop.example.com/hooks',
    'https:/shop.example.com/hooks',
    'https:///shop.example.com/hooks',
    'https:\\\\shop.example.com\\hooks',
    'https://shop.example.com\\hooks',
    ' https://shop.example.com/',
    'https://shop.example.com/ ',
    'https://shop.example.com/a b',
    'https://shop.example.com/"x"',
    'https://shop.example.com/<x>',
    'https://shop.example.com/{id}',
    'https://shop.example.com/%zz',
    'https://shop.example.com/\ttab',
    'https://shop.exämple.com/',
    'https://shop.example.com/ä',
    'https://user:secret@shop.example.com/',
    'https://a..b/',
    'https://.example.com/',
    'https://shop.example.com../',
    'https://./',
    'https://',
    `https://a${LONG_LABEL}.example.com/`,
    `https://a${LONGEST_NAME}/`,
    'https://2130706433/',
    'https://127.1/',
    'https://0x7f.0.0.1/',
    'https://010.0.0.1/',
    'https://256.1.1.1/',
    'https://shop.example.123/',
    'https://shop.example.com:0/',
    'https://shop.example.com:65536/',
    'https://shop.example.com:/',
    'https://[::1/',
    'https://[::g]/',
    'ftp://shop.example.com/',
    'javascript:alert(1)',
  ])('rejects %j', (text) => expect(isHttpUri(text)).toBe(false));

  it('accepts only a host and port that a URL parser reads alike', () => {
    const part = fc.constantFrom(
      'https://',
      'http://',
      'shop',
      '.',
      '..',
      '-',
      '_',
      '1',
      '0x1',
      ':443',
      ':',
      '/',
      '//',
      '\\',
      '@',
      '?',
      '#',
      '%41',
      '%',
      ' ',
      '"',
      'A',
      '[',
      ']',
      '::1',
      'é',
    );
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
        const text = `https://shop${parts.join('')}`;
        if (!isHttpUri(text)) return;
        accepted += 1;
        const { hostname, port, username } = new URL(text);
        const [, host, given = '443'] = /^https:\/\/([^:/?#]+)(?::(\d+))?/.exec(text)!;
        expect([hostname, username, port === '' ? '443' : port]).toEqual([host!.toLowerCase(), '', given]);
      }),
      { seed: 5, numRuns: 3_000 },
    );
    expect(accepted).toBeGreaterThan(300);
  });
});

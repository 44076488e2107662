import { describe, expect, it } from '@jest/globals';
import { markupDefects } from '../support/markup.js';

describe('the check of markup in responses', () => {
  it('accepts a nested page with void elements, comments and SVG', () => {
    const page =
      '<!doctype html><html><head><style>a > b</style></head><body><!-- <p> --><input value="a>b" /><svg><path d="" /></svg><br></body></html>';
    expect(markupDefects(page)).toEqual([]);
  });

  it.each([
    [
      'an element that is not closed',
      '<html><body><p></body></html>',
      ['</body> in  html body p', '</html> in  html body p', '<html> is not closed'],
    ],
    ['a row outside its table', '<html><body><tr><td></td></tr></body></html>', ['<tr> in  html body']],
    ['content behind the end', '<html><body></body></html><p></p><body></body>', ['<body> in ']],
  ])('finds %s', (_, page, defects) => {
    expect(markupDefects(page)).toEqual(expect.arrayContaining(defects));
  });
});

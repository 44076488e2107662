/**
 * Latin letters without a decomposition, by their ASCII replacement.
 * Source: Unicode CLDR, common/transforms/Latin-ASCII.xml, the letters of Latin-1, Latin Extended-A, -B and Additional. The schwa, which that source
 * lacks, is added because names contain it.
 */
const LETTERS = {
  A: 'Ⱥ',
  AE: 'Æ',
  ae: 'æ',
  B: 'ƁƂɃ',
  b: 'ƀƃ',
  C: 'ƇȻ',
  c: 'ƈȼ',
  D: 'ÐĐƉƊƋ',
  d: 'ðđƌȡ',
  db: 'ȸ',
  E: 'ƐɆƏ',
  e: 'ɇə',
  F: 'Ƒ',
  f: 'ƒ',
  G: 'ƓǤ',
  g: 'ǥ',
  H: 'Ħ',
  h: 'ħ',
  hv: 'ƕ',
  I: 'ƖƗ',
  i: 'ı',
  J: 'Ɉ',
  j: 'ȷɉ',
  K: 'Ƙ',
  k: 'ƙ',
  L: 'ŁȽ',
  l: 'łƚȴ',
  LL: 'Ỻ',
  ll: 'ỻ',
  N: 'ŊƝ',
  n: 'ŋƞȵ',
  O: 'Ø',
  o: 'ø',
  OE: 'Œ',
  oe: 'œ',
  OI: 'Ƣ',
  oi: 'ƣ',
  P: 'Ƥ',
  p: 'ƥ',
  q: 'ĸ',
  qp: 'ȹ',
  R: 'Ɍ',
  r: 'ɍ',
  s: 'ȿẜẝ',
  SS: 'ẞ',
  ss: 'ß',
  T: 'ŦƬƮȾ',
  t: 'ŧƫƭȶ',
  TH: 'Þ',
  th: 'þ',
  U: 'Ʉ',
  V: 'ƲỼ',
  v: 'ỽ',
  Y: 'ƳɎỾ',
  y: 'ƴɏỿ',
  Z: 'ƵȤ',
  z: 'ƶȥɀ',
};

const ASCII_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(LETTERS).flatMap(([ascii, letters]) => [...letters].map((letter) => [letter, ascii])),
);
const IN_TABLE = new RegExp(`[${[...ASCII_OF.keys()].join('')}]`, 'gu');
/** Fast path: most text is ASCII. */
const ASCII = /^[\0-\x7f]*$/;

/** Writes the Latin letters of a text in ASCII: removes accents, and replaces letters such as `Ł`, `ß` and `Ø`. Other scripts are unchanged. */
export function latinInAscii(text: string): string {
  if (ASCII.test(text)) return text;
  return text
    .normalize('NFKD')
    .replaceAll(/(\p{Script=Latin})\p{Mn}+/gu, '$1')
    .replaceAll(IN_TABLE, (letter) => ASCII_OF.get(letter)!)
    .normalize('NFC');
}

/** Returns whether a name can be read in Latin letters. A name of digits can, unless it also has letters of another script. */
export function isReadableInLatin(name: string): boolean {
  const ascii = latinInAscii(name);
  return /[A-Za-z]/.test(ascii) || (/[0-9]/.test(ascii) && !/\p{L}/u.test(ascii));
}

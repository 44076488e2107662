import fc from 'fast-check';

/**
 * A unit of `fc.string`: any character, a half of a pair aside. fast-check's own, 'binary', makes a table of a million of them,
 * which takes a second and stays.
 */
export const ANY_CHARACTER = fc
  .oneof(fc.nat(0x7f), fc.nat(0xffff), fc.nat(0x10_ffff))
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

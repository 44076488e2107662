import type { NameMatch } from '../../../ledger/events/transfer.events.js';
import { latinInAscii } from '../../../platform/text/ascii.js';

/** Legal forms, forms of address and degrees, which are often omitted. */
const TITLES: ReadonlySet<string> = new Set(
  (
    'PT CV UD PD FA TBK PERSERO YAYASAN KOPERASI ' +
    'BAPAK BPK PAK IBU BU SDR SDRI SAUDARA SAUDARI TUAN TN NYONYA NY NONA NN MR MRS MS MISS ' +
    'H HJ HAJI KH DR DRA DRS DRG IR PROF SE SH SKOM ST SPD SSOS MM MBA MSI MSC MT MKOM PHD'
  ).split(' '),
);

/**
 * Returns words in capital letters and digits without accents, Latin ones in ASCII: banks write Søren as SOREN. An abbreviation with
 * dots and without spaces (S.H.) is one word.
 */
function wordsOf(name: string): readonly string[] {
  const plain = latinInAscii(name)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/['’`]/gu, '')
    .replaceAll(/\b(?:\p{L}{1,3}\.)+(?:\p{L}{1,3}\b)?/gu, (degree) => `${degree.replaceAll('.', '')} `);
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const without = words.filter((word) => !TITLES.has(word));
  return without.length > 0 ? without : words;
}

/** Compares the merchant's name of the account with the bank's. Ignores case, accents, titles and punctuation. */
export function compareNames(given: string, held: string): Exclude<NameMatch, 'UNKNOWN'> {
  const [a, b] = [wordsOf(given), wordsOf(held)];
  if (a.length === 0 || b.length === 0) return 'DIFFERENT';
  if (a.join(' ') === b.join(' ')) return 'EXACT';
  return isWithin(a, b) || isWithin(b, a) ? 'CLOSE' : 'DIFFERENT';
}

function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  const left = [...whole];
  return part.every((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

const WORDS_SHOWN_MAX = 8;

/** Returns the first letter of each word: enough to recognise a known name, too little to learn an unknown one. */
export function maskedName(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  return words
    .slice(0, WORDS_SHOWN_MAX)
    .map((word) => `${[...word][0]!}***`)
    .join(' ');
}

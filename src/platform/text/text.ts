/** A text on one line: without control characters (C0, DEL, C1), and without halves of surrogate pairs, which are no characters. */
export const ONE_LINE = /^[^\p{Cc}\p{Cs}]*$/u;

/** Returns whether Postgres can hold the text: it cannot hold U+0000, nor half of a surrogate pair, which is no character. */
export const isStorable = (text: string): boolean => !text.includes('\0') && (text as WellFormed).isWellFormed();

/** ECMAScript 2024; all supported versions of Node.js have it. */
type WellFormed = string & { isWellFormed(): boolean };

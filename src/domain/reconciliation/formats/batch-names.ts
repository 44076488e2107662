/** A name of batches: `#` is a digit, `*` 1 to 32 letters and digits; every other character is itself. */
const TEMPLATE = /^[0-9A-Za-z#*._/ -]+$/;
/** As long as a reference. */
const LENGTH_MAX = 64;
const LITERALS_MIN = 2;
/** A further part of the same word. */
const WORD = '[0-9A-Za-z]';

/** Returns the fault of a name of batches, or undefined. With these rules no text takes long to search. */
export function batchNameFault(template: string): string | undefined {
  if (!TEMPLATE.test(template) || template.trim() !== template)
    return 'it has characters other than letters, digits, # * . _ / - and spaces between them';
  if (template.length > LENGTH_MAX) return `it has more than ${LENGTH_MAX} characters`;
  if (/\*(?![._/ -]|$)/.test(template)) return '* is followed by a letter, a digit, # or *';
  if (template.replaceAll(/[^0-9A-Za-z]/g, '').length < LITERALS_MIN)
    return `it has fewer than ${LITERALS_MIN} letters or digits beside the placeholders, so it matches any number`;
  return undefined;
}

/** The names of batches in a source's settings, to be found in texts. */
export class BatchNames {
  private readonly whole: readonly RegExp[];
  private readonly words: readonly RegExp[];

  constructor(templates: readonly string[]) {
    const sources = templates.map(sourceOf);
    this.whole = sources.map((source) => new RegExp(`^${source}$`));
    this.words = sources.map((source) => new RegExp(`(?<!${WORD}-?)${source}(?!-?${WORD})`, 'g'));
  }

  get areNone(): boolean {
    return this.whole.length === 0;
  }

  fits(text: string): boolean {
    return this.whole.some((pattern) => pattern.test(text));
  }

  /** Returns whole words of the text that are such names. */
  within(text: string): string[] {
    return this.words.flatMap((pattern) => [...text.matchAll(pattern)].map(([match]) => match));
  }
}

const sourceOf = (template: string): string =>
  template.replaceAll(/[^0-9A-Za-z]/g, (character) => (character === '#' ? '[0-9]' : character === '*' ? `${WORD}{1,32}` : `\\${character}`));

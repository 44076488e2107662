/** Maximum of shared words, and of shared lists. Further ones are rarely shared, and are kept as they are. */
const WORDS_MAX = 10_000;

/** Holds words that thousands of merchants share only once. */
export class StringInterner {
  readonly #words = new Map<string, string>();
  readonly #lists = new Map<string, readonly string[]>();

  shared<Word extends string>(word: Word): Word {
    const known = this.#words.get(word) as Word | undefined;
    if (known !== undefined) return known;
    if (this.#words.size < WORDS_MAX) this.#words.set(word, word);
    return word;
  }

  sharedList(words: readonly string[]): readonly string[] {
    const name = words.join(' ');
    const known = this.#lists.get(name);
    if (known) return known;
    if (this.#lists.size < WORDS_MAX) this.#lists.set(name, words);
    return words;
  }
}

/** The word that was probably meant; undefined where none is within a third of its letters. */
export function nearest(text: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((word) => ({ word, distance: distanceOf(text.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= Math.max(1, Math.floor(word.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return best?.word;
}

/** Letters to change, add or leave out. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, place) => place);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (let at = 0; at < to.length; at++) next.push(Math.min(next[at]! + 1, row[at + 1]! + 1, row[at]! + (to[at] === letter ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}

/** Maximum batches in one credit. */
export const TOGETHER_MAX = 3;

/**
 * Finds sets of at most `most` amounts that add up to `sum`, at most `max` of each size. Sets of one size are ordered by their last place in the
 * list. The work grows with the square of the list: for pairs and triples, the missing amount is looked up.
 * @returns places in the list, `most` no more than TOGETHER_MAX
 */
export function addingUp(amounts: readonly number[], sum: number, { most, max }: { readonly most: number; readonly max: number }): number[][] {
  /** Places of each amount before the current one. */
  const before = new Map<number, number[]>();
  const found: number[][][] = [[], [], []];
  const add = (places: number[]): void => {
    const alike = found[places.length - 1]!;
    if (places.length <= most && alike.length < max) alike.push(places);
  };
  amounts.forEach((amount, last) => {
    const rest = sum - amount;
    if (rest === 0) add([last]);
    for (const first of before.get(rest) ?? []) add([first, last]);
    for (let middle = 1; most > 2 && middle < last; middle += 1)
      for (const first of before.get(rest - amounts[middle]!) ?? []) {
        if (first >= middle) break;
        add([first, middle, last]);
      }
    const places = before.get(amount);
    // Equal amounts can replace each other, so a few places are enough.
    if (places === undefined) before.set(amount, [last]);
    else if (places.length < max) places.push(last);
  });
  return found.flat();
}

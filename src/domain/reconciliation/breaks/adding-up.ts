/** So many batches may be in one credit. */
export const TOGETHER_MAX = 3;

/**
 * Sets of at most `most` amounts that come to `sum`. Of those with as many amounts the ones whose last stands first in the list come
 * first, and `max` are enough. The work grows with the square of the list: of pairs and triples the last one missing is looked up.
 * @returns places in the list, `most` no more than TOGETHER_MAX
 */
export function addingUp(amounts: readonly number[], sum: number, { most, max }: { readonly most: number; readonly max: number }): number[][] {
  /** Places of each amount in front of the one that is looked at. */
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
    // Equal ones are each other's stand-ins: a few of them say as much as all.
    if (places === undefined) before.set(amount, [last]);
    else if (places.length < max) places.push(last);
  });
  return found.flat();
}

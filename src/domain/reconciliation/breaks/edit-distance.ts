/** Texts that differ by more characters count as unrelated. */
export const DISTANCE_MAX = 2;

/** Returns by how many characters the nearest texts of two lists differ; null: by more than DISTANCE_MAX. */
export function nearestDistance(references: readonly string[], names: readonly string[]): number | null {
  const nearest = Math.min(...references.flatMap((reference) => names.map((name) => editDistance(reference, name, DISTANCE_MAX))), DISTANCE_MAX + 1);
  return nearest > DISTANCE_MAX ? null : nearest;
}

/** Returns the number of insertions, deletions and replacements of characters between two texts; `max` + 1 when there are more than `max`. */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let before = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let at = 1; at <= b.length; at += 1)
      current.push(Math.min(before[at]! + 1, current[at - 1]! + 1, before[at - 1]! + (a[row - 1] === b[at - 1] ? 0 : 1)));
    if (Math.min(...current) > max) return max + 1;
    before = current;
  }
  return Math.min(before[b.length]!, max + 1);
}

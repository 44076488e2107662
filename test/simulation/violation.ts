/** Something that must never be. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** @throws Violation */
export function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Violation(otherwise);
}

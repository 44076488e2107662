export interface LookOptions<Asked extends readonly unknown[], Found> {
  readonly look: (...asked: Asked) => Promise<Found>;
  readonly isNothing: (found: Found) => boolean;
  /** Progress of the searched data, as it was announced; null: not known. */
  readonly place: () => bigint | null;
  readonly elapsedMs: () => number;
}

/** A rebuild exchanges read models without moving them. */
const SPARED_MS = 1_000;

/**
 * Wraps a search that runs again and again, as often as new data could be found at once: after a search that found nothing, it does not run again
 * until there is new data, or a second has passed.
 */
export function sparedLook<Asked extends readonly unknown[], Found>(options: LookOptions<Asked, Found>): (...asked: Asked) => Promise<Found> {
  let last: { readonly asked: Asked; readonly place: bigint; readonly takenMs: number; readonly found: Found } | undefined;
  return async (...asked) => {
    const [place, takenMs] = [options.place(), options.elapsedMs()];
    const isSame = last?.place === place && last.asked.every((value, index) => value === asked[index]);
    if (last && isSame && takenMs - last.takenMs < SPARED_MS) return last.found;
    last = undefined;
    const found = await options.look(...asked);
    if (place !== null && options.isNothing(found)) last = { asked, place, takenMs, found };
    return found;
  };
}

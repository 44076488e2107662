/** A figure at a moment, in minutes since the start. */
export interface Point {
  readonly minute: number;
  readonly value: number;
}

/** Growth above both limits is a leak. Two limits, so that neither a long slow wave nor a single step counts as one. */
export interface TrendLimit {
  readonly perMinute: number;
  /** Growth over the judged time: the range within which figures of this kind move without a leak. */
  readonly growth: number;
}

export interface Trend {
  readonly perMinute: number;
  /** `perMinute` times the judged time. */
  readonly growth: number;
  readonly isLeak: boolean;
}

/** Minimum number of points for a trend. */
const POINTS_MIN = 8;

/**
 * Judges the second half of the points; the first half is the warm-up. Uses the slope of Theil and Sen, the median of the slopes between
 * all pairs, which outliers of up to a quarter of the points do not change. Only a rising figure can leak, and only when its second half is
 * above its first half: a figure that recovers from a low to its former level has not grown.
 * @param points in the order of time. @throws RangeError with too few points in the second half
 */
export function trendOf(points: readonly Point[], limit: TrendLimit): Trend {
  const middle = Math.floor(points.length / 2);
  const [before, half] = [points.slice(0, middle), points.slice(middle)];
  if (half.length < POINTS_MIN) throw new RangeError(`${half.length} points in the second half; a trend takes ${POINTS_MIN}`);
  const slopes = half.flatMap((from, index) =>
    half
      .slice(index + 1)
      .filter(({ minute }) => minute > from.minute)
      .map((to) => (to.value - from.value) / (to.minute - from.minute)),
  );
  const perMinute = quantile(slopes, 0.5);
  const growth = perMinute * (half.at(-1)!.minute - half[0]!.minute);
  const [was, is] = [before, half].map(levelOf) as [number, number];
  return { perMinute, growth, isLeak: perMinute > limit.perMinute && growth > limit.growth && is > was };
}

const levelOf = (points: readonly Point[]): number =>
  quantile(
    points.map(({ value }) => value),
    0.5,
  );

/**
 * Returns the lowest point of each of `count` parts of the time: the memory that stays in use after a garbage collection, independent of
 * the peaks between.
 * @param points in the order of time.
 */
export function floorsOf(points: readonly Point[], count: number): Point[] {
  const size = Math.max(1, Math.floor(points.length / count));
  return Array.from({ length: Math.floor(points.length / size) }, (_, part) =>
    points.slice(part * size, (part + 1) * size).reduce((least, point) => (point.value < least.value ? point : least)),
  );
}

/** @param q from 0 to 1. @returns NaN for an empty list */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

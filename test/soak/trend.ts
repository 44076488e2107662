/** A figure of some moment, in minutes since the first one. */
export interface Point {
  readonly minute: number;
  readonly value: number;
}

/** From where on growth is a leak: both must be passed, so that neither a long slow wave nor one step of noise is taken for one. */
export interface TrendLimit {
  readonly perMinute: number;
  /** Over what was judged; what figures of this kind move up and down by while nothing leaks. */
  readonly growth: number;
}

export interface Trend {
  readonly perMinute: number;
  /** What `perMinute` comes to over the time that was judged. */
  readonly growth: number;
  readonly isLeak: boolean;
}

/** Fewer say nothing. */
const POINTS_MIN = 8;

/**
 * Judges the second half; the first is warming up. The slope is Theil and Sen's: the median of the slopes between all pairs, which a
 * quarter of wild values does not move. Rising only: a figure that falls is none of a leak's; and what climbs out of a hollow, to where
 * the first half was already, has grown by nothing.
 * @param points in the order of time. @throws RangeError where there are too few to be judged
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
 * The least of each of `count` parts of the time: what is left when garbage has been collected. Memory that is in use shows there,
 * however high the waves are that lie on it.
 * @param points in the order of time.
 */
export function floorsOf(points: readonly Point[], count: number): Point[] {
  const size = Math.max(1, Math.floor(points.length / count));
  return Array.from({ length: Math.floor(points.length / size) }, (_, part) =>
    points.slice(part * size, (part + 1) * size).reduce((least, point) => (point.value < least.value ? point : least)),
  );
}

/** @param q from 0 to 1. NaN of nothing. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/**
 * A table, its schema or a column that is not there: a projection that has not been built yet, is being exchanged for a new build, or is
 * still that of an earlier version.
 */
export function isMissingTable(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === '42P01' || code === '3F000' || code === '42703';
}

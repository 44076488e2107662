/**
 * Returns true when a table, its schema or a column does not exist: the projection has not been built yet, is being exchanged for a new build, or is
 * still that of an earlier version.
 */
export function isMissingTable(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === '42P01' || code === '3F000' || code === '42703';
}

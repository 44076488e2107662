/** A table, or its schema, that is not there: a projection that has not been built yet, or is being exchanged for a new build. */
export function isMissingTable(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === '42P01' || code === '3F000';
}

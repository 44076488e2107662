let timeoutMs = 3_000;

/**
 * Longest time to connect to Postgres, or to wait for a free connection of a pool, ms. The service reports within 5 s that its database is
 * unavailable; a command has no client that waits, and must not fail because the machine is busy.
 */
export const connectTimeoutMs = (): number => timeoutMs;

/** Marks this process as that of a command, from now on. */
export const connectPatiently = (): void => void (timeoutMs = 15_000);

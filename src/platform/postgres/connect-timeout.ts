let timeoutMs = 3_000;

/**
 * Longest time to connect to Postgres, or to wait for a free connection of a pool, ms. The service says within 5 s that its database is
 * away; a command has no client that waits, and is not to fail because the machine is busy.
 */
export const connectTimeoutMs = (): number => timeoutMs;

/** From now on this process is a command's. */
export const connectPatiently = (): void => void (timeoutMs = 15_000);

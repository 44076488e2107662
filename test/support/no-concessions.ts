import type { Concessions } from '../../src/domain/charges/disputes/concessions.js';

/** The processor of these disputes keeps no journal. */
export const NO_CONCESSIONS: Concessions = { concede: (_dispute, record) => record() };

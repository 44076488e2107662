import type { Entitled } from '../../src/domain/approvals/proposal.decider.js';

/** Persons who may approve whatever it is. */
export const entitledFor = (...ids: readonly string[]): Entitled => ({ approver: new Set(ids), controller: new Set(ids) });

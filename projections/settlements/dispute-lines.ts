import type { ClientBase } from 'pg';
import { holdId, releaseId } from '../../src/ledger/ids/dispute-ids.js';
import type { SettlementLine } from '../../src/ledger/events/account.events.js';

/** A line of a settlement with its dispute, if it belongs to one. */
export type LineWithDispute = SettlementLine & { readonly dispute_id?: string };

/**
 * Adds the disputes of lines. The line of a hold or release has the id of the hold or release and the charge, so the dispute is found among the
 * charge's disputes. Each hold and release is a change of the dispute, so their numbers do not exceed its version.
 */
export async function withDisputes(db: Pick<ClientBase, 'query'>, lines: readonly SettlementLine[]): Promise<LineWithDispute[]> {
  const charges = new Set(lines.filter(({ kind }) => kind === 'dispute-hold' || kind === 'dispute-release').map(({ charge_id }) => charge_id!));
  if (charges.size === 0) return lines.map(withItsOwn);
  const { rows } = await db.query<{ id: string; version: number }>({
    name: 'disputes: of lines',
    text: 'select id, version from ledger.disputes where charge_id = any($1::uuid[])',
    values: [[...charges]],
  });
  const disputes = new Map<string, string>();
  for (const { id, version } of rows) {
    for (let number = 1; number <= version; number += 1) disputes.set(holdId(id, number), id).set(releaseId(id, number), id);
  }
  return lines.map((line) => {
    const dispute_id = disputes.get(line.record_id);
    return dispute_id === undefined ? withItsOwn(line) : { ...line, dispute_id };
  });
}

/** The record_id of a fee's line is the dispute's id. */
const withItsOwn = (line: SettlementLine): LineWithDispute => (line.kind === 'dispute-fee' ? { ...line, dispute_id: line.record_id } : line);

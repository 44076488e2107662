import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { findApprovalQueue, type QueueEntry } from '../../../../projections/approvals/queue.js';
import { roleFor } from '../../../domain/approvals/role-for.js';
import { FINANCE_POOL } from '../../../ledger/ports/injection-tokens.js';
import type { Mode } from '../../../ledger/mode.js';
import type { KnownOperator } from '../../../domain/operators/known-operators.js';

const PAGE_ENTRIES = 200;
/** Maximum number of entries that are read for one page. */
export const WAITING_MAX = 1_000;

/** Reads the entries that wait for approval: all of them, or those that an operator may decide. */
@Injectable()
export class WaitingApprovals {
  constructor(@Inject(FINANCE_POOL) private readonly pool: Pool) {}

  /** Returns the oldest `limit` entries; without an operator, those of anybody. Payouts are those of `mode`; proposals are the company's. */
  async for(operator: KnownOperator | undefined, mode: Mode, limit = WAITING_MAX): Promise<QueueEntry[]> {
    const found: QueueEntry[] = [];
    for await (const entry of this.#behind(undefined, operator, mode)) {
      found.push(entry);
      if (found.length === limit) break;
    }
    return found;
  }

  /** Returns the operator's next entry: the first after `after`, else the oldest. */
  async next(operator: KnownOperator | undefined, mode: Mode, after: string): Promise<QueueEntry | undefined> {
    for await (const entry of this.#behind(after, operator, mode)) return entry;
    return (await this.for(operator, mode, 2)).find((entry) => idOf(entry) !== after);
  }

  async *#behind(after: string | undefined, operator: KnownOperator | undefined, mode: Mode): AsyncIterable<QueueEntry> {
    let cursor = after;
    for (let looked = 0; looked < WAITING_MAX; looked += PAGE_ENTRIES) {
      const page = (await findApprovalQueue(this.pool, { mode, person_id: operator?.id, after: cursor, limit: PAGE_ENTRIES })) ?? [];
      yield* page.filter((entry) => operator === undefined || mayDecide(operator, entry));
      if (page.length < PAGE_ENTRIES) return;
      cursor = idOf(page.at(-1)!);
    }
  }
}

export const idOf = (entry: QueueEntry): string => (entry.kind === 'PAYOUT' ? entry.payout.id : entry.proposal.id);

/** Returns whether the operator has a role that decides. */
export const decides = (operator: KnownOperator | undefined): boolean =>
  operator?.roles.some((role) => role === 'approver' || role === 'controller') === true;

/** Checks the operator's roles. The queue leaves out entries that the operator has made or approved already. */
function mayDecide({ roles }: KnownOperator, entry: QueueEntry): boolean {
  if (entry.kind === 'PAYOUT') return roles.includes('approver');
  return roleFor(entry.proposal, entry.proposal.approvals, roles) !== undefined;
}

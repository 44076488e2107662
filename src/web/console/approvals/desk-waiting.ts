import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { findDeskQueue, type QueueEntry } from '../../../../projections/approvals/queue.js';
import { roleFor } from '../../../domain/approvals/role-for.js';
import { FINANCE_POOL } from '../../../ledger/injection-tokens.js';
import type { Mode } from '../../../ledger/mode.js';
import type { KnownOperator } from '../../../domain/operators/known-operators.js';

const PAGE_ENTRIES = 200;
/** More than these are not looked at for one page. */
export const WAITING_MAX = 1_000;

/** What waits for approval: of a person, what that person may decide about. */
@Injectable()
export class DeskWaiting {
  constructor(@Inject(FINANCE_POOL) private readonly pool: Pool) {}

  /** The oldest first, and WAITING_MAX at most. Without a person: all that waits. Payouts of `mode`; proposals are the house's. */
  async for(person: KnownOperator | undefined, mode: Mode, limit = WAITING_MAX): Promise<QueueEntry[]> {
    const found: QueueEntry[] = [];
    for await (const entry of this.#behind(undefined, person, mode)) {
      found.push(entry);
      if (found.length === limit) break;
    }
    return found;
  }

  /** What the person goes on with: what stands behind `after`, else the oldest. */
  async next(person: KnownOperator | undefined, mode: Mode, after: string): Promise<QueueEntry | undefined> {
    for await (const entry of this.#behind(after, person, mode)) return entry;
    return (await this.for(person, mode, 2)).find((entry) => idOf(entry) !== after);
  }

  async *#behind(after: string | undefined, person: KnownOperator | undefined, mode: Mode): AsyncIterable<QueueEntry> {
    let cursor = after;
    for (let looked = 0; looked < WAITING_MAX; looked += PAGE_ENTRIES) {
      const page = (await findDeskQueue(this.pool, { mode, person_id: person?.id, after: cursor, limit: PAGE_ENTRIES })) ?? [];
      yield* page.filter((entry) => person === undefined || mayDecide(person, entry));
      if (page.length < PAGE_ENTRIES) return;
      cursor = idOf(page.at(-1)!);
    }
  }
}

export const idOf = (entry: QueueEntry): string => (entry.kind === 'PAYOUT' ? entry.payout.id : entry.proposal.id);

/** Whether the person is asked for decisions at all. */
export const decides = (person: KnownOperator | undefined): boolean =>
  person?.roles.some((role) => role === 'approver' || role === 'controller') === true;

/** By the person's roles; who has made or approved it already is left out by the queue. */
function mayDecide({ roles }: KnownOperator, entry: QueueEntry): boolean {
  if (entry.kind === 'PAYOUT') return roles.includes('approver');
  return roleFor(entry.proposal, entry.proposal.approvals, roles) !== undefined;
}

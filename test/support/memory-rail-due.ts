import { FIRST_LOOK_MS, type DueRow, type RailCharge, type RailDue } from '../../src/domain/charges/remote/rail-due.js';
import { timestamp } from '../../src/ledger/time.js';

type Row = DueRow & { due: number; step: number; unanswered: number; attempts: number; reference?: string };

/** The due-list of a simulation; test/contract/rail-due.spec.ts holds it and the table to the same. */
export class MemoryRailDue implements RailDue {
  readonly rows = new Map<string, Row>();

  async begin(charge: RailCharge, now: number): Promise<boolean> {
    return this.#add(charge, '', now + FIRST_LOOK_MS, now, 1);
  }

  async attempt(charge: RailCharge, max: number, now: number): Promise<number | undefined> {
    if (await this.begin(charge, now)) return 1;
    const row = this.rows.get(`${charge.charge_id} `)!;
    if (row.attempts >= max) return undefined;
    return (row.attempts += 1);
  }

  async made(chargeId: string, reference: string): Promise<void> {
    const row = this.rows.get(`${chargeId} `);
    if (row) row.reference = reference;
  }

  async chargeOf(rail: string, reference: string): Promise<string | undefined> {
    const found = [...this.rows.values()].find((row) => row.rail === rail && (row.reference === reference || row.cancels === reference));
    return found?.charge_id;
  }

  async cancel(charge: RailCharge, reference: string, now: number): Promise<void> {
    this.#add(charge, reference, now, now, 0);
  }

  async lookBy(chargeId: string, dueMs: number): Promise<void> {
    const row = this.rows.get(`${chargeId} `);
    if (row) row.due = Math.min(row.due, dueMs);
  }

  async find(now: number, perRail: number): Promise<DueRow[]> {
    const due = [...this.rows.values()].filter((row) => row.due <= now).sort((a, b) => a.due - b.due);
    const turns = new Map<string, number>();
    const inTurn = due.map((row) => {
      const key = `${row.rail} ${row.merchant_id}`;
      const turn = turns.get(key) ?? 0;
      turns.set(key, turn + 1);
      return { row, turn };
    });
    const taken = new Map<string, number>();
    const ordered = inTurn.sort((a, b) => a.turn - b.turn || a.row.due - b.row.due);
    return ordered.flatMap(({ row }) => {
      const count = taken.get(row.rail) ?? 0;
      taken.set(row.rail, count + 1);
      return count < perRail ? [{ ...row }] : [];
    });
  }

  async next(row: DueRow, nextStep: number, dueMs: number): Promise<void> {
    const known = this.#same(row);
    if (known) Object.assign(known, { step: nextStep, due: dueMs, unanswered: 0 });
  }

  async again(row: DueRow, dueMs: number): Promise<void> {
    const known = this.#same(row);
    if (known) Object.assign(known, { unanswered: known.unanswered + 1, due: dueMs });
  }

  async done({ charge_id, cancels }: Pick<DueRow, 'charge_id' | 'cancels'>): Promise<void> {
    this.rows.delete(`${charge_id} ${cancels}`);
  }

  #add({ charge_id, merchant_id, rail }: RailCharge, cancels: string, due: number, now: number, attempts: number): boolean {
    const key = `${charge_id} ${cancels}`;
    if (this.rows.has(key)) return false;
    this.rows.set(key, { charge_id, merchant_id, rail, cancels, due, step: 0, unanswered: 0, attempts, begun_on: timestamp(now) });
    return true;
  }

  #same({ charge_id, cancels, step }: DueRow): Row | undefined {
    const known = this.rows.get(`${charge_id} ${cancels}`);
    return known?.step === step ? known : undefined;
  }
}

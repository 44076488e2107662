import type { ProviderResult } from '../../src/ledger/ports/provider-result.js';
import { DAY_MS, timestamp } from '../../src/ledger/time.js';
import { dayOf } from '../../src/domain/payouts/transfer/transfer-times.js';
import type { BankRoutes, RemoteBank, TransferAttempt, TransferStatus, TransferTerms } from '../../src/domain/payouts/transfer/remote-bank.js';

export const TERMS: TransferTerms = {
  settle_after: 900,
  quiet_hours: [],
  inquiry_window_days: 5,
  reference_window_days: 3,
  pay_again: true,
  on_name_difference: 'wait',
  whole_units_only: false,
};

/** The fate of a request to pay. Only for `arrives` and `refused` does the answer show the fate. */
export type Fate = 'arrives' | 'arrives, and the answer is lost' | 'arrives later' | 'is lost' | 'refused' | 'not now' | 'breaks';

export interface BankBehaviour {
  readonly clock: () => number;
  readonly terms?: TransferTerms;
  /** The references that it recognises until the end of the reference window. */
  readonly memory?: 'all' | 'success' | 'none';
  readonly fate?: () => Fate;
  /** Until a request that arrives later arrives, ms. */
  readonly delayMs?: () => number;
  /** Until a transfer is paid or fails, ms, and which. */
  readonly ends?: () => { readonly afterMs: number; readonly as: 'paid' | 'failed' | 'returned' };
  /** Whether it answers an inquiry. */
  readonly answers?: () => boolean;
  readonly holder?: () => ProviderResult<{ readonly name: string }>;
}

interface Transfer {
  readonly partner_reference: string;
  readonly at: number;
  readonly endsAt: number;
  readonly as: 'paid' | 'failed' | 'returned';
}

/**
 * A bank that keeps the true transfers: it executes late or not at all, loses answers, and forgets requests. Its answers to inquiries are
 * true, as far as it remembers.
 */
export class BankInMemory implements RemoteBank {
  readonly name = 'bank';
  readonly terms: TransferTerms;
  readonly #transfers: Transfer[] = [];
  readonly #externalIds = new Set<string>();
  #onTheirWay: { readonly attempt: TransferAttempt; readonly arrivesAt: number }[] = [];
  /** As they were sent. */
  readonly attempts: TransferAttempt[] = [];
  inquiries = 0;

  constructor(private readonly behaviour: BankBehaviour) {
    this.terms = behaviour.terms ?? TERMS;
  }

  /** How often money has left it by now. */
  get paid(): number {
    this.#catchUp();
    const now = this.behaviour.clock();
    return this.#transfers.filter(({ as, endsAt }) => as !== 'failed' && endsAt <= now).length;
  }

  /** True when no request can change its transfers any more. */
  get isFinal(): boolean {
    this.#catchUp();
    return this.#onTheirWay.length === 0 && this.#transfers.every(({ endsAt }) => endsAt <= this.behaviour.clock());
  }

  routes(isStopped = () => false): BankRoutes {
    const route = () => ({ bank: this, is_stopped: isStopped(), is_on_trial: false });
    const isThis = (rail: string) => rail === this.name;
    return { route, named: (rail) => (isThis(rail) ? this : undefined), begun: (rail) => (isThis(rail) ? route() : undefined) };
  }

  bankCode({ bank_code, bank_name }: { readonly bank_code: string | null; readonly bank_name: string }): string | undefined {
    return bank_code ?? (bank_name === 'BCA' ? '014' : undefined);
  }

  async inquireName({ bank_account_name }: { readonly bank_account_name: string }): Promise<ProviderResult<{ readonly name: string }>> {
    return this.behaviour.holder?.() ?? { is: 'accepted', value: { name: bank_account_name } };
  }

  async pay(attempt: TransferAttempt): Promise<ProviderResult<{ readonly reference: string | null }>> {
    this.#catchUp();
    this.attempts.push(attempt);
    const fate = this.behaviour.fate?.() ?? 'arrives';
    switch (fate) {
      case 'refused':
        return { is: 'rejected', code: '4031418', detail: 'inactive account' };
      case 'not now':
        return { is: 'retryable', code: '4031414' };
      case 'breaks':
        throw new Error('the adapter is broken');
      case 'is lost':
        return { is: 'unknown', code: 'time-out' };
      case 'arrives later':
        this.#onTheirWay.push({ attempt, arrivesAt: this.behaviour.clock() + (this.behaviour.delayMs?.() ?? 0) });
        return { is: 'unknown', code: 'time-out' };
      case 'arrives':
      case 'arrives, and the answer is lost':
        if (!this.#take(attempt, this.behaviour.clock())) return { is: 'unknown', code: '4091400' };
        return fate === 'arrives' ? { is: 'accepted', value: { reference: null } } : { is: 'unknown', code: 'time-out' };
    }
  }

  async status({ partner_reference }: TransferAttempt): Promise<ProviderResult<TransferStatus>> {
    this.#catchUp();
    this.inquiries += 1;
    if (this.behaviour.answers?.() === false) return { is: 'unknown', code: '5043600' };
    const now = this.behaviour.clock();
    const known = this.#remembered(now).filter((each) => each.partner_reference === partner_reference);
    const ended = known.filter(({ endsAt }) => endsAt <= now);
    const value =
      ended.find(({ as }) => as !== 'failed')?.as ?? (known.length > ended.length ? 'paying' : ended.length > 0 ? 'failed' : ('not-found' as const));
    return { is: 'accepted', value };
  }

  statement = async (): Promise<never> => Promise.reject(new Error('nobody asks for a statement here'));
  balance = async (): Promise<never> => Promise.reject(new Error('nobody asks for the balance here'));
  parse = (): undefined => undefined;
  check = async (): Promise<readonly []> => [];

  /** Requests arrive when their time has come, each as of then. */
  #catchUp(): void {
    const now = this.behaviour.clock();
    const due = this.#onTheirWay.filter(({ arrivesAt }) => arrivesAt <= now).sort((a, b) => a.arrivesAt - b.arrivesAt);
    this.#onTheirWay = this.#onTheirWay.filter(({ arrivesAt }) => arrivesAt > now);
    for (const { attempt, arrivesAt } of due) this.#take(attempt, arrivesAt);
  }

  /** False: it knows it already. */
  #take({ partner_reference, external_id }: TransferAttempt, now: number): boolean {
    const { memory = 'success', ends } = this.behaviour;
    const known = memory === 'none' ? [] : this.#remembered(now).filter((each) => each.partner_reference === partner_reference);
    const isDuplicate = known.some(({ as, endsAt }) => memory === 'all' || (as === 'paid' && endsAt <= now));
    const externalId = `${dayOf(timestamp(now))} ${external_id}`;
    if (isDuplicate || this.#externalIds.has(externalId)) return false;
    this.#externalIds.add(externalId);
    const { afterMs, as } = ends?.() ?? { afterMs: 0, as: 'paid' };
    this.#transfers.push({ partner_reference, at: now, endsAt: now + afterMs, as });
    return true;
  }

  #remembered(now: number): readonly Transfer[] {
    return this.#transfers.filter(({ at, endsAt }) => endsAt > now || now < at + this.terms.reference_window_days * DAY_MS);
  }
}

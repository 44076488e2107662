import { houseStream, type HouseAdjustmentKind } from '../../src/ledger/events/adjustment.events.js';
import { breakStream, type BreakEvent, type DifferenceAccount } from '../../src/ledger/events/break.events.js';
import { dayStream } from '../../src/ledger/events/day-close.events.js';
import type { ChargeCreated } from '../../src/ledger/events/charge.events.js';
import {
  MATCHER,
  type LineKind,
  type SourceSettings,
  type StatementAccepted,
  type StatementLine,
} from '../../src/ledger/events/reconciliation.events.js';
import { simulatedTransferReference } from '../../src/ledger/ids/id-codes.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { Log } from './histories.js';
import { BANK, PROCESSOR } from './recon.js';

const BY = { person_id: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', key_id: 'key_1' };
const DAY = 86_400_000;
const DIGEST = '0'.repeat(64);

export interface Remitted {
  readonly reference: string | readonly string[];
  /** Gross. */
  readonly amount: number;
  /** Default: the day of its file. */
  readonly day?: string;
  readonly fee?: number;
  readonly tax?: number;
  readonly kind?: LineKind;
  readonly currency?: string;
  /** Default: the batch of the file. */
  readonly batch?: string;
}

export interface Booked {
  /** Replaces the key of its statement and place. */
  readonly key?: string;
  readonly reference?: string | readonly string[];
  readonly amount: number;
  readonly kind?: 'TRANSFER' | 'CHARGE';
  readonly currency?: string;
}

interface FileOptions {
  /** Day of its lines and balances; default: that of the log. */
  readonly day?: string;
  readonly source?: string;
  readonly replaces?: string | null;
}

/** Payments, payouts, remittances and statements as events, without files, processors and banks. */
export class Remittances {
  readonly log = new Log();
  readonly merchants = { live: this.log.id('live merchant'), test: this.log.id('test merchant') };
  /** Number of the matcher that files, runs and closes name. */
  matcher = MATCHER;
  #made = 0;
  #payouts = 0;
  /** The closing balance of each source's statements. */
  readonly #balances = new Map<string, number>();
  readonly #paidOut: { payout_id: string; merchant_id: string; currency: string; amount: number; fee_amount: number; net_amount: number }[] = [];

  constructor(settings: Partial<SourceSettings> = {}) {
    this.log.register(this.merchants.live, 'live');
    this.log.register(this.merchants.test, 'test');
    this.set('live-sim', settings);
  }

  set(source: string, settings: Partial<SourceSettings> = {}): void {
    const [mode, name] = source.split('-') as ['live' | 'test', string];
    const all = { ...(name === 'bca' ? BANK : PROCESSOR), currencies: ['IDR', 'MYR'], costs: {}, ...settings };
    const data = { merchant_id: null, source, mode, name, ...all, ...BY, reason: 'why', set_on: this.log.now };
    this.log.add({ type: 'ReconSourceSet', data }, `recon-${source}`);
  }

  days(count: number): void {
    this.log.clockMs += count * DAY;
  }

  /** A charge with the code C<n> that was paid as R<n>. */
  pay(
    amount: number,
    { mode = 'live', currency = 'IDR', channel = 'QR_QRIS' }: { mode?: 'live' | 'test'; currency?: string; channel?: string } = {},
  ): { id: string; n: number; event_id: string } {
    const n = this.#made++;
    const id = this.log.id(`charge ${n}`);
    const of = { charge_id: id, merchant_id: this.merchants[mode], currency, amount, fee_amount: 0, net_amount: amount, processor: 'SIMULATOR' };
    const created: Omit<ChargeCreated, keyof typeof of> = {
      ...{ code: `C${n}`, channel_code: channel, action_flow: 'EMBEDDED', reference_id: `${n}`, description: null, meta_data: {} },
      ...{ action: { type: 'PRESENT_TO_CUSTOMER', embedded_url: 'http://localhost', simulation_url: null }, fee: { type: 'FIXED', value: 0 } },
      ...{ charge_statement_id: id, settlement_cycle: 'T+2', expires_on: this.log.now, created_by: 'key', created_on: this.log.now },
    };
    this.log.add({ type: 'ChargeCreated', data: { ...of, ...created } }, `charge-${id}`);
    const paid = { paid_on: this.log.now, settlement_date: this.log.now, payment_reference: `R${n}`, late_after: null };
    const { id: event_id } = this.log.add({ type: 'ChargePaid', data: { ...of, ...paid } }, `charge-${id}`);
    return { id, n, event_id };
  }

  /** @returns id of its event */
  payAgain(n: number, amount: number, payment_reference: string): string {
    const id = this.log.id(`charge ${n}`);
    const of = { charge_id: id, merchant_id: this.merchants.live, currency: 'IDR', processor: 'SIMULATOR' };
    const data = { ...of, amount, payment_reference, reason: 'second-payment', received_on: this.log.now } as const;
    return this.log.add({ type: 'ChargePaymentUnmatched', data }, `charge-${id}`).id;
  }

  reverse(n: number, amount: number): void {
    const id = this.log.id(`charge ${n}`);
    const of = { charge_id: id, merchant_id: this.merchants.live, currency: 'IDR', processor: 'SIMULATOR' };
    const data = { ...of, amount, fee_amount: 0, net_amount: amount, reason: 'fraud', claimed_in: null, reversed_on: this.log.now };
    this.log.add({ type: 'ChargeReversed', data }, `charge-${id}`);
  }

  /** Books an operator's adjustment at the processor. @param about an item's event, or the ordinal up to which a source is opened, with the number of items */
  house(
    kind: HouseAdjustmentKind,
    amount: number,
    {
      item_id = null,
      position = null,
      items = null,
    }: { readonly item_id?: string | null; readonly position?: number | null; readonly items?: number | null },
  ): void {
    const now = this.log.now;
    const of = { merchant_id: null, mode: 'live', currency: 'IDR', proposal_id: this.log.id(`proposal ${this.log.events.length}`) } as const;
    const about = { item_id, charge_id: null, processor: 'SIMULATOR', source: position === null ? null : 'live-sim', position, items };
    const data = { ...of, kind, amount, ...about, relates_to: now.slice(0, 7), adjusted_on: now };
    this.log.add({ type: 'HouseAdjusted', data }, houseStream(of.mode, of.currency));
  }

  /** A person has the source's lines held against the books. */
  run(source = 'live-sim', day = this.log.now.slice(0, 10)): void {
    this.log.add(
      { type: 'ReconRan', data: { merchant_id: null, source, day, ...BY, reason: 'why', matcher: this.matcher, ran_on: this.log.now } },
      `recon-${source}`,
    );
  }

  /** Opens the close of the bank's next day, with the closing balance of its statements. */
  openDay(n: number, day: string, source = 'live-bca'): OrdinalEvent {
    const mode = source.split('-')[0] as 'live' | 'test';
    const closings = [{ currency: 'IDR', closing: this.#balances.get(source) ?? 0 }];
    const about = { lines_stream: dayStream(source, day), opened_on: this.log.now };
    const data = { merchant_id: null, source, mode, n, day, matcher: this.matcher, closings, ...BY, reason: 'why', ...about };
    return this.log.add({ type: 'DayCloseOpened', data }, `recon-${source}`);
  }

  acts(breakId: string): BreakActs {
    return new BreakActs(this.log, breakId);
  }

  /** Adds the n-th payout, already submitted to the bank by default. @returns the bank's reference of it */
  payout(
    net_amount: number,
    { mode = 'live', currency = 'IDR', submitted = true }: { mode?: 'live' | 'test'; currency?: string; submitted?: boolean } = {},
  ): string {
    const of = this.#payout(this.#payouts++, { net_amount, currency, merchant_id: this.merchants[mode] });
    const bank = { bank_account_name: 'Kopi', bank_account_number: '1', bank_name: 'BCA', reference_id: null, description: null, meta_data: {} };
    const approvals = { approvals_required: 0, approve_by: null } as const;
    const data = {
      ...of,
      fee: { type: 'FIXED', value: 0 },
      ...bank,
      fingerprint: 'f',
      ...approvals,
      created_by: 'key',
      created_on: this.log.now,
    } as const;
    this.log.add({ type: 'PayoutRequested', data }, `account-${of.merchant_id}-${currency}`);
    if (submitted) this.payoutGoes('PayoutSubmitted', this.#payouts - 1);
    return simulatedTransferReference(of.payout_id);
  }

  payoutGoes(type: 'PayoutSubmitted' | 'PayoutSucceeded' | 'PayoutFailed' | 'PayoutReturned', n: number): void {
    const of = this.#payout(n);
    const on = this.log.now;
    const account = `account-${of.merchant_id}-${of.currency}`;
    if (type === 'PayoutSubmitted') this.log.add({ type, data: { ...of, submitted_on: on } }, account);
    if (type === 'PayoutSucceeded') this.log.add({ type, data: { ...of, succeeded_on: on } }, account);
    if (type === 'PayoutFailed') this.log.add({ type, data: { ...of, reason: 'closed', failed_on: on } }, account);
    if (type === 'PayoutReturned') this.log.add({ type, data: { ...of, reason: 'closed', returned_on: on } }, `payout-${of.payout_id}`);
  }

  /** Adds an attempt of the n-th payout, with its reference at a bank over a network. */
  attempt(n: number, partner_reference: string): void {
    const { payout_id, merchant_id, currency } = this.#payout(n);
    const data = {
      payout_id,
      merchant_id,
      currency,
      attempt: 1,
      rail: 'snap',
      partner_reference,
      external_id: '1',
      bank_code: '014',
      day: '2026-01-31',
      at: this.log.now,
    };
    this.log.add({ type: 'PayoutAttempted', data }, `transfer-${payout_id}`);
  }

  #payout(n: number, of?: { net_amount: number; currency: string; merchant_id: string }) {
    if (of) this.#paidOut[n] = { payout_id: this.log.id(`payout ${n}`), amount: of.net_amount, fee_amount: 0, ...of };
    return this.#paidOut[n]!;
  }

  /**
   * A file of one batch, or of those that its lines name, which counts. The net of a batch is that of its lines, whose keys are the batch, a space
   * and their place in the file from 0. @returns its id
   */
  remit(
    lines: readonly Remitted[],
    {
      source = 'live-sim',
      replaces = null,
      batch = `B${this.log.events.length}`,
      day = this.log.now.slice(0, 10),
    }: FileOptions & { batch?: string } = {},
  ): string {
    const all = lines.map((line, n) => lineOf(day, line, n, line.batch ?? batch));
    const batches = [...new Set(all.map(({ group }) => group)), ...(all.length === 0 ? [batch] : [])].map((name) => {
      const own = all.filter(({ group }) => group === name);
      const amount = own.reduce((sum, line) => sum + line.amount, 0);
      const sums = { currency: own[0]?.currency ?? 'IDR', lines: own.length, amount, gross: 0, fee: 0, tax: 0 };
      return { batch: name, ...sums, booked_on: day, digest: DIGEST };
    });
    return this.#file(source, replaces, all, { statements: [], batches });
  }

  /** A bank's statement of the day that it is, which counts. @returns its id */
  book(lines: readonly Booked[], { source = 'live-bca', replaces = null, day = this.log.now.slice(0, 10) }: FileOptions = {}): string {
    const number = this.log.events.length;
    const all = lines.map(({ key, reference = [], amount, kind = 'TRANSFER', currency = 'IDR' }, n): StatementLine => {
      const figures = { gross: null, fee: null, tax: null, batch: null, references: [reference].flat() };
      return {
        ...{ at: n + 1, line_key: key ?? `S${number} ${n}`, entry_key: 'e', group: '1', booking_date: day, value_date: day, amount, currency, kind },
        ...figures,
      };
    });
    const opening = this.#balances.get(source) ?? 0;
    const closing = all.reduce((sum, { amount, currency }) => (currency === 'IDR' ? sum + amount : sum), opening);
    this.#balances.set(source, closing);
    const statement = { group: '1', number: `${number}`, currency: 'IDR', opening, closing, closes_on: day, lines: all.length, digest: DIGEST };
    return this.#file(source, replaces, all, { statements: [statement], batches: [] });
  }

  #file(source: string, replaces: string | null, all: readonly StatementLine[], groups: Pick<StatementAccepted, 'statements' | 'batches'>): string {
    const statement_id = this.log.id(`statement ${this.log.events.length}`);
    const of = { merchant_id: null, statement_id, source };
    const stream = `statement-${source}-${statement_id}`;
    const now = this.log.now;
    this.log.add(
      { type: 'StatementReceived', data: { ...of, sha256: DIGEST, size: 1, lines: all.length, settings: 1, ...BY, received_on: now } },
      stream,
    );
    for (let part = 0; part * 500 < all.length; part += 1)
      this.log.add({ type: 'StatementLines', data: { ...of, part, lines: all.slice(part * 500, part * 500 + 500), digest: DIGEST } }, stream);
    const days = all.map(({ booking_date }) => booking_date).sort();
    const booked = { booked_from: days[0] ?? null, booked_to: days.at(-1) ?? null };
    const parts = Math.ceil(all.length / 500);
    this.log.add({ type: 'StatementRead', data: { ...of, lines: all.length, parts, digest: DIGEST, sums: [], ...booked, read_on: now } }, stream);
    const accepted = { ...of, ...groups, dropped: { groups: 0, lines: 0 }, matcher: this.matcher, ...BY, accepted_on: now };
    if (replaces === null) this.log.add({ type: 'StatementAccepted', data: accepted }, `recon-${source}`);
    else this.log.add({ type: 'StatementReplaced', data: { ...accepted, replaced_id: replaces, reason: 'again' } }, `recon-${source}`);
    return statement_id;
  }
}

/** Decisions of persons about a break. */
export class BreakActs {
  constructor(
    private readonly log: Log,
    private readonly break_id: string,
  ) {}

  assign(owner: string | null): void {
    this.#add({ type: 'BreakAssigned', data: { ...this.#by(), owner, assigned_on: this.log.now } });
  }

  note(): void {
    this.#add({ type: 'BreakNoted', data: { ...this.#by(), noted_on: this.log.now } });
  }

  /** @param items ids of events */
  match(line_key: string, items: readonly string[], source = 'live-sim'): void {
    this.#add({
      type: 'BreakMatched',
      data: { ...this.#by(), source, line_key, items, batch: null, difference: null, proposal_id: null, matched_on: this.log.now },
    });
  }

  /** Matches as a proposal does: `amount` is the surplus of the line. @param of ids of events, or a batch of live-sim */
  matchDifference(
    line_key: string,
    of: readonly string[] | string,
    amount: number,
    { account = 'losses', source = 'live-bca' }: { readonly account?: DifferenceAccount; readonly source?: string } = {},
  ): void {
    const { break_id } = this;
    const proposal_id = this.log.id(`proposal ${this.log.events.length}`);
    const what = typeof of === 'string' ? { items: [], batch: { source: 'live-sim', batch: of } } : { items: of, batch: null };
    const by = { merchant_id: null, break_id, person_id: null, key_id: null, reason: 'why', proposal_id } as const;
    const difference = { account, currency: 'IDR', amount };
    this.#add({ type: 'BreakMatched', data: { ...by, source, line_key, ...what, difference, matched_on: this.log.now } });
  }

  unmatch(): void {
    this.#add({ type: 'BreakUnmatched', data: { ...this.#by(), unmatched_on: this.log.now } });
  }

  accept(until: string): void {
    const { break_id } = this;
    const proposal_id = this.log.id('proposal');
    this.#add({ type: 'BreakAccepted', data: { merchant_id: null, break_id, proposal_id, until, reason: 'why', accepted_on: this.log.now } });
  }

  #by() {
    return { merchant_id: null, break_id: this.break_id, ...BY, reason: 'why' };
  }

  #add(event: BreakEvent): void {
    this.log.add(event, breakStream(this.break_id));
  }
}

function lineOf(
  day: string,
  { reference, amount: gross, fee = 0, tax = 0, kind = 'PAYMENT', currency = 'IDR', day: booking_date = day }: Remitted,
  n: number,
  batch: string,
): StatementLine {
  const place = { at: n + 2, line_key: `${batch} ${n}`, entry_key: null, group: batch, booking_date, value_date: null };
  return { ...place, amount: gross - fee - tax, currency, kind, gross, fee, tax, batch, references: [reference].flat() };
}

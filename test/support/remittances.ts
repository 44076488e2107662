import type { ChargeCreated } from '../../src/ledger/events/charge.events.js';
import type { LineKind, SourceSettings, StatementLine } from '../../src/ledger/events/recon.events.js';
import { Log } from './histories.js';
import { PROCESSOR } from './recon.js';

const BY = { person_id: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', key_id: 'key_1' };
const DAY = 86_400_000;

export interface Remitted {
  readonly reference: string | readonly string[];
  readonly amount: number;
  readonly kind?: LineKind;
  readonly currency?: string;
}

/** Payments and remittances as facts, without files and processors. */
export class Remittances {
  readonly log = new Log();
  readonly merchants = { live: this.log.id('live merchant'), test: this.log.id('test merchant') };
  #made = 0;

  constructor(settings: Partial<SourceSettings> = {}) {
    this.log.register(this.merchants.live, 'live');
    this.log.register(this.merchants.test, 'test');
    this.set('live-sim', settings);
  }

  set(source: string, settings: Partial<SourceSettings> = {}): void {
    const [mode, name] = source.split('-') as ['live' | 'test', string];
    const all = { ...PROCESSOR, currencies: ['IDR', 'MYR'], ...settings };
    const data = { merchant_id: null, source, mode, name, ...all, ...BY, reason: 'why', set_on: this.log.now };
    this.log.add({ type: 'ReconSourceSet', data }, `recon-${source}`);
  }

  days(count: number): void {
    this.log.clockMs += count * DAY;
  }

  /** A charge with the code C<n> that was paid as R<n>. */
  pay(amount: number, { mode = 'live', currency = 'IDR' }: { mode?: 'live' | 'test'; currency?: string } = {}): { id: string; n: number } {
    const n = this.#made++;
    const id = this.log.id(`charge ${n}`);
    const of = { charge_id: id, merchant_id: this.merchants[mode], currency, amount, fee_amount: 0, net_amount: amount, processor: 'SIMULATOR' };
    const created: Omit<ChargeCreated, keyof typeof of> = {
      ...{ code: `C${n}`, channel_code: 'QR_QRIS', action_flow: 'EMBEDDED', reference_id: `${n}`, description: null, meta_data: {} },
      ...{ action: { type: 'PRESENT_TO_CUSTOMER', embedded_url: 'http://localhost', simulation_url: null }, fee: { type: 'FIXED', value: 0 } },
      ...{ charge_statement_id: id, settlement_cycle: 'T+2', expires_on: this.log.now, created_by: 'key', created_on: this.log.now },
    };
    this.log.add({ type: 'ChargeCreated', data: { ...of, ...created } }, `charge-${id}`);
    const paid = { paid_on: this.log.now, settlement_date: this.log.now, payment_reference: `R${n}`, late_after: null };
    this.log.add({ type: 'ChargePaid', data: { ...of, ...paid } }, `charge-${id}`);
    return { id, n };
  }

  payAgain(n: number, amount: number, payment_reference: string): void {
    const id = this.log.id(`charge ${n}`);
    const of = { charge_id: id, merchant_id: this.merchants.live, currency: 'IDR', processor: 'SIMULATOR' };
    const data = { ...of, amount, payment_reference, reason: 'second-payment', received_on: this.log.now } as const;
    this.log.add({ type: 'ChargePaymentUnmatched', data }, `charge-${id}`);
  }

  reverse(n: number, amount: number): void {
    const id = this.log.id(`charge ${n}`);
    const of = { charge_id: id, merchant_id: this.merchants.live, currency: 'IDR', processor: 'SIMULATOR' };
    const data = { ...of, amount, fee_amount: 0, net_amount: amount, reason: 'fraud', claimed_in: null, reversed_on: this.log.now };
    this.log.add({ type: 'ChargeReversed', data }, `charge-${id}`);
  }

  /** A file of one batch, which counts. @returns its id */
  remit(lines: readonly Remitted[], { source = 'live-sim', replaces = null as string | null, batch = `B${this.log.events.length}` } = {}): string {
    const statement_id = this.log.id(`statement ${this.log.events.length}`);
    const of = { merchant_id: null, statement_id, source };
    const stream = `statement-${source}-${statement_id}`;
    const now = this.log.now;
    const sha256 = '0'.repeat(64);
    this.log.add({ type: 'StatementReceived', data: { ...of, sha256, size: 1, lines: lines.length, settings: 1, ...BY, received_on: now } }, stream);
    const all = lines.map((line, n) => lineOf(line, n, batch, now.slice(0, 10)));
    for (let part = 0; part * 500 < all.length; part += 1)
      this.log.add({ type: 'StatementLines', data: { ...of, part, lines: all.slice(part * 500, part * 500 + 500), digest: sha256 } }, stream);
    const booked = { booked_from: now.slice(0, 10), booked_to: now.slice(0, 10) };
    const parts = Math.ceil(all.length / 500);
    this.log.add({ type: 'StatementRead', data: { ...of, lines: all.length, parts, digest: sha256, sums: [], ...booked, read_on: now } }, stream);
    const sums = { currency: 'IDR', lines: all.length, amount: 0, gross: 0, fee: 0, tax: 0 };
    const accepted = {
      ...{ ...of, statements: [], batches: [{ batch, ...sums, booked_on: now.slice(0, 10), digest: sha256 }] },
      ...{ dropped: { groups: 0, lines: 0 }, ...BY, accepted_on: now },
    };
    if (replaces === null) this.log.add({ type: 'StatementAccepted', data: accepted }, `recon-${source}`);
    else this.log.add({ type: 'StatementReplaced', data: { ...accepted, replaced_id: replaces, reason: 'again' } }, `recon-${source}`);
    return statement_id;
  }
}

function lineOf({ reference, amount, kind = 'PAYMENT', currency = 'IDR' }: Remitted, n: number, batch: string, day: string): StatementLine {
  return {
    ...{ at: n + 2, line_key: `${batch} ${n}`, entry_key: null, group: batch, booking_date: day, value_date: null, amount, currency, kind },
    ...{ gross: amount, fee: 0, tax: 0, batch, references: [reference].flat() },
  };
}

import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { ReceivedHeaders, Verified } from '../../domain/charges/remote/remote-processor.js';
import type { Finding, ProviderResult } from '../../ledger/ports/provider-result.js';
import { milliseconds, timestamp, type Timestamp } from '../../ledger/time.js';
import type {
  Beneficiary,
  RemoteBank,
  StatementPage,
  TransferAttempt,
  TransferStatus,
  TransferTerms,
} from '../../domain/payouts/transfer/remote-bank.js';
import { optionalText, readAs, rupiah, type SnapAnswer } from './answer.js';
import { indonesianBankCode } from './bank-codes.js';
import { checkSnap } from './check.js';
import { SnapClient, type SnapOptions } from './client.js';
import { SnapInbound } from './inbound.js';
import { paysOut } from './profiles.js';
import { periodOf, readStatement, statementBody } from './statement.js';
import { inquiryBody, isWithin, readHolder, readStatus, readTaken, refusedUnsent, statusBody, transferBody } from './transfer.js';

export interface SnapBankOptions extends SnapOptions {
  /** An operator has the provider's written confirmation that it recognises references. Default: false. */
  readonly pay_again?: boolean;
  /** Default: `wait`. */
  readonly on_name_difference?: TransferTerms['on_name_difference'];
}

/** Limit for the whole call, ms. */
const PAY_TOTAL_MS = 25_000;
const STATEMENT_TOTAL_MS = 60_000;
const STATEMENT_BYTES_MAX = 16 * 1024 * 1024;

const balances = z.union([
  z.object({ balancetype: optionalText, availablebalance: rupiah }).transform((one) => [one]),
  z.array(z.object({ balancetype: optionalText, availablebalance: rupiah })),
]);
const account = z.object({ accountinfos: balances });

/** A bank or a payment company that pays by SNAP. */
export class SnapBank implements RemoteBank {
  readonly name: string;
  readonly terms: TransferTerms;
  /** Verifies the bank's messages, and answers its requests for our access tokens. */
  readonly inbound: SnapInbound;
  readonly #client: SnapClient;
  readonly #options: SnapBankOptions;

  /** @throws RangeError when the profile is unknown or makes no payouts, Error when a key cannot be read */
  constructor(options: SnapBankOptions) {
    this.name = options.name;
    this.#options = options;
    this.#client = new SnapClient(options);
    const { profile } = this.#client;
    if (!paysOut(profile)) throw new RangeError(`${options.profile} supports no payouts over SNAP`);
    this.inbound = new SnapInbound(profile, options);
    const { settle_after, quiet_hours, inquiry_window_days, reference_window_days } = profile;
    this.terms = {
      settle_after,
      quiet_hours,
      inquiry_window_days,
      reference_window_days,
      pay_again: options.pay_again ?? false,
      on_name_difference: options.on_name_difference ?? 'wait',
      whole_units_only: true,
    };
  }

  bankCode(bank: { readonly bank_code: string | null; readonly bank_name: string }): string | undefined {
    return indonesianBankCode(bank, this.#client.profile.bank_code);
  }

  inquireName(to: Beneficiary, externalId: string): Promise<ProviderResult<{ readonly name: string; readonly reference?: string }>> {
    const { profile } = this.#client;
    return this.#client.call(
      {
        service: isWithin(profile, to) ? '15' : '16',
        endpoint: 'name',
        priority: 'act',
        body: inquiryBody(profile, to, externalId),
        externalId,
        renews: true,
        isInquiry: true,
      },
      (answer) => readHolder(answer, to),
    );
  }

  /** Sends at most one request: the next attempt, with another external id, renews a rejected token. */
  async pay(attempt: TransferAttempt): Promise<ProviderResult<{ readonly reference: string | null }>> {
    const unsent = refusedUnsent(attempt);
    if (unsent) return unsent;
    const { profile } = this.#client;
    return this.#client.call(
      {
        service: isWithin(profile, attempt) ? '17' : '18',
        endpoint: 'pay',
        priority: 'act',
        body: transferBody(profile, this.#options.credentials.source_account, attempt),
        externalId: attempt.external_id,
        renews: false,
        totalMs: PAY_TOTAL_MS,
        ids: idsOf(attempt),
      },
      (answer) => readTaken(answer, attempt),
    );
  }

  status(attempt: TransferAttempt, externalId: string): Promise<ProviderResult<TransferStatus>> {
    return this.#client.call(
      {
        service: '36',
        endpoint: 'status',
        priority: 'confirm',
        body: statusBody(this.#client.profile, attempt),
        externalId,
        renews: true,
        isInquiry: true,
        ids: idsOf(attempt),
      },
      (answer) => readStatus(answer, attempt),
    );
  }

  /** `page` is the `next` of the previous page. Lines that may not be booked yet, by the profile, are left to a later statement. */
  async statement(from: Timestamp, to: Timestamp, page?: string): Promise<ProviderResult<StatementPage>> {
    const { profile } = this.#client;
    const end = Math.min(milliseconds(to), this.#options.clock() - profile.statement.delay * 1_000);
    const period = periodOf(profile, milliseconds(from), end, page);
    if (!period) return { is: 'accepted', value: { lines: [], stated: {} } };
    const reference = (await this.#options.newExternalId(profile.reference_digits)).slice(-profile.reference_digits);
    return this.#client.call(
      {
        service: '14',
        endpoint: 'statement',
        priority: 'poll',
        body: statementBody(profile, this.#options.credentials.source_account, period, reference),
        renews: true,
        isInquiry: true,
        totalMs: STATEMENT_TOTAL_MS,
        bytesMax: STATEMENT_BYTES_MAX,
      },
      (answer) => readStatement(profile, answer, period, end),
    );
  }

  async balance(): Promise<ProviderResult<{ readonly amount: number; readonly currency: string }>> {
    const { reference_digits } = this.#client.profile;
    const partnerReferenceNo = (await this.#options.newExternalId(reference_digits)).slice(-reference_digits);
    const accountNo = this.#options.credentials.source_account;
    return this.#client.call(
      { service: '11', endpoint: 'balance', priority: 'poll', body: { partnerReferenceNo, accountNo }, renews: true, isInquiry: true },
      readBalance,
    );
  }

  parse(raw: Buffer, headers: ReceivedHeaders, path: string, now: number): Verified | undefined {
    return this.inbound.parse(raw, headers, path, now);
  }

  check(): Promise<readonly Finding[]> {
    const { base, mode } = this.#options;
    const lookUp = async (): Promise<string> => {
      const status = await this.#statusOfNone();
      return status.is === 'accepted' ? status.value : status.code;
    };
    return checkSnap({ client: this.#client, base, mode, balance: () => this.balance(), lookUp });
  }

  /** Queries a transfer that was never made. */
  async #statusOfNone(): Promise<ProviderResult<TransferStatus>> {
    const { newExternalId, clock } = this.#options;
    const { reference_digits, external_digits } = this.#client.profile;
    const external_id = (await newExternalId(external_digits)).slice(-external_digits);
    const partner_reference = Array.from({ length: reference_digits }, () => randomInt(10)).join('');
    const none = { payout_id: '', attempt: 1, net_amount: 0, currency: 'IDR', bank_code: '', bank_account_number: '', bank_account_name: '' };
    return this.status({ ...none, partner_reference, external_id, at: timestamp(clock()) }, external_id);
  }
}

const idsOf = ({ payout_id, partner_reference }: TransferAttempt): Record<string, string> => ({ payout_id, partner_reference });

/** Returns the cash balance among several; a bank with a single balance may omit the list. */
function readBalance(answer: SnapAnswer): ProviderResult<{ readonly amount: number; readonly currency: string }> {
  if (answer.http !== 200 || answer.caseCode !== '00') return { is: 'unknown', code: answer.code };
  return readAs(account, answer, ({ accountinfos }) => {
    const found = accountinfos.length === 1 ? accountinfos[0] : accountinfos.find(({ balancetype }) => balancetype?.toLowerCase() === 'cash');
    return found ? { is: 'accepted', value: { amount: found.availablebalance, currency: 'IDR' } } : { is: 'unknown', code: 'no-balance' };
  });
}

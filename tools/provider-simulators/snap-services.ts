import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { readFields } from '../../src/rails/snap/answer.js';
import { jakartaTime } from '../../src/rails/snap/jakarta.js';
import type { Service, SnapProfile } from '../../src/rails/snap/profiles.js';
import type { Draws } from './faults.js';
import type { BookLine, QrCode, SnapBook, Transfer } from './snap-book.js';
import {
  ACCOUNT,
  EXTERNAL_INQUIRY,
  GENERATE,
  INTERBANK,
  INTERNAL_INQUIRY,
  INTRABANK,
  QUERY,
  REFUND,
  rupiahOf,
  dated,
  shownCode,
  shownLine,
  shownStatus,
  shownTotal,
  STATEMENT,
  STATUS,
} from './snap-words.js';
import { DAY_MS } from '../../src/ledger/time.js';

/** HTTP status, case code and the other fields. */
export type Said = readonly [http: number, caseCode: string, fields?: object];

export interface SnapServicesOptions {
  /** Returns the name of an account's holder. */
  readonly holder: (account: string) => string;
  /** Deviation of a wrong amount, minor units. */
  readonly wrongBy: number;
}

/** Ending of the number of an account that no bank knows. */
const UNKNOWN_ACCOUNT = '0001';
/** Used when the profile has a time of the next day instead of a number of seconds. */
const SETTLES_WITHIN_MS = 12 * 3_600_000;
const SECOND_MS = 1_000;
/** Maximum lines per page of a statement, plus those of the same second. */
const PAGE_LINES = 50;

/** The bank's services. Called in order, and synchronous: the work is done before its answer can be lost. */
export class SnapServices {
  /** Time within which an accepted transfer may not be found yet. A late one arrives within twice this time. */
  readonly #settlesWithinMs: number;

  constructor(
    private readonly profile: SnapProfile,
    private readonly book: SnapBook,
    private readonly now: () => number,
    private readonly draws: Draws,
    private readonly options: SnapServicesOptions,
  ) {
    const { settle_after } = profile;
    this.#settlesWithinMs = typeof settle_after === 'number' ? settle_after * 1_000 : SETTLES_WITHIN_MS;
  }

  /** `externalId` is that of this request, which the book has taken. */
  serve(service: Service, body: Buffer, externalId: string): Said {
    const fields = readFields(body);
    switch (service) {
      case '11':
        return this.#as(ACCOUNT, fields, ({ accountno }) => done({ accountNo: accountno, name: 'HOUSE', accountInfos: this.#balances() }));
      case '14':
        return this.#as(STATEMENT, fields, ({ fromdatetime, todatetime }) => this.#statement(Date.parse(fromdatetime), Date.parse(todatetime)));
      case '15':
        return this.#as(INTERNAL_INQUIRY, fields, ({ beneficiaryaccountno: account, partnerreferenceno }) =>
          this.#holder(account, partnerreferenceno),
        );
      case '16':
        return this.#as(EXTERNAL_INQUIRY, fields, (read) =>
          this.#holder(read.beneficiaryaccountno, read.partnerreferenceno, read.beneficiarybankcode),
        );
      case '17':
        return this.#as(INTRABANK, fields, (read) => this.#transfer('17', read, null, externalId));
      case '18':
        return this.#as(INTERBANK, fields, (read) => this.#transfer('18', read, read.beneficiarybankcode, externalId));
      case '36':
        return this.#as(STATUS, fields, (read) => this.#status(read.originalpartnerreferenceno));
      case '47':
        return this.#as(GENERATE, fields, (read) => this.#generate(read.partnerreferenceno, read.amount, Date.parse(read.validityperiod)));
      case '51':
        return this.#as(QUERY, fields, (read) =>
          this.#code(read.originalpartnerreferenceno, (code) => done(shownCode(code, this.#said(code.amount)))),
        );
      case '77':
        return this.#as(QUERY, fields, (read) => this.#code(read.originalpartnerreferenceno, (code) => this.#cancel(code)));
      case '78':
        return this.#as(REFUND, fields, (read) => this.#code(read.originalpartnerreferenceno, (code) => this.#refund(code, read)));
      case '52':
        return [404, '00'];
    }
  }

  #as<Schema extends z.ZodType>(schema: Schema, fields: unknown, serve: (read: z.output<Schema>) => Said): Said {
    const { data, error } = schema.safeParse(fields);
    if (!error) return serve(data);
    return error.issues.some(({ code, message }) => code === 'invalid_type' && message.includes('undefined')) ? [400, '02'] : [400, '01'];
  }

  #holder(account: string, reference: string, bankCode?: string): Said {
    if (account.endsWith(UNKNOWN_ACCOUNT)) return [404, '11'];
    return done({
      referenceNo: newReference(),
      partnerReferenceNo: reference,
      beneficiaryAccountName: this.options.holder(account),
      beneficiaryAccountNo: account,
      ...(bankCode !== undefined && { beneficiaryBankCode: bankCode }),
    });
  }

  #transfer(service: '17' | '18', read: z.output<typeof INTRABANK>, bankCode: string | null, externalId: string): Said {
    const { partnerreferenceno: reference, amount, beneficiaryaccountno: account } = read;
    if (this.draws.happens('eod')) return [403, '06'];
    if (this.draws.happens('short-house') || this.book.balance < amount) return [403, '14'];
    if (account.endsWith(UNKNOWN_ACCOUNT)) return [404, '11'];
    const isForgotten = this.draws.happens('forget-reference');
    if (this.book.remembers(reference, this.draws.happens('forget-midnight')) && !isForgotten) {
      return this.draws.happens('dup-as-404-18') ? [404, '18'] : [409, '01'];
    }
    const isLate = this.draws.happens('late');
    const order = { partner_reference: reference, external_id: externalId, service, amount, bank_code: bankCode, account };
    const transfer = this.book.take(order, isLate ? 1 + this.draws.below(2 * this.#settlesWithinMs) : 0);
    if (isLate) return [504, '00'];
    return done({
      referenceNo: transfer.reference,
      partnerReferenceNo: reference,
      amount: rupiahOf(amount),
      beneficiaryAccountNo: account,
      ...(bankCode !== null && { beneficiaryBankCode: bankCode }),
      sourceAccountNo: read.sourceaccountno,
    });
  }

  #status(reference: string): Said {
    if (this.draws.happens('eod')) return [504, '00'];
    const transfer = this.book.statusOf(reference);
    if (!transfer || (this.#isEarly(transfer) && this.draws.happens('not-found-early'))) return [404, '01'];
    transfer.told = transfer.status;
    return done(shownStatus(transfer, this.#said(transfer.amount)));
  }

  #isEarly({ received }: Transfer): boolean {
    return this.now() - received < this.#settlesWithinMs;
  }

  #balances(): object[] {
    return [{ balanceType: 'Cash', amount: rupiahOf(this.book.balance), availableBalance: rupiahOf(this.book.balance) }];
  }

  /**
   * Complete and newest first for a profile without pages. For other profiles oldest first, and a page ends with a second, from which the next one is
   * requested. Balances and totals are those of the requested period, for every page of it.
   */
  #statement(from: number, to: number): Said {
    const { whole_days, rows } = this.profile.statement;
    const end = to + (whole_days ? DAY_MS : SECOND_MS);
    const lines = this.book.lines().filter(({ at }) => at >= from && at < end);
    const page = rows === null ? lines.slice(0, endOfPage(lines)) : lines.slice(-rows).reverse();
    const [opening, closing] = [from, end].map((at) => this.book.balanceAt(at));
    const [now, last] = [jakartaTime(this.now()), lines[page.length - 1]];
    return done({
      balance: [
        {
          amount: dated(this.book.balance, now),
          startingBalance: dated(opening!, jakartaTime(from)),
          endingBalance: dated(this.#said(closing!), jakartaTime(end - SECOND_MS)),
        },
      ],
      totalCreditEntries: shownTotal(lines.filter(({ amount }) => amount > 0)),
      totalDebitEntries: shownTotal(lines.filter(({ amount }) => amount < 0)),
      ...(rows === null && { hasMore: page.length < lines.length ? 'Y' : 'N', ...(last && { lastRecordDateTime: jakartaTime(last.at) }) }),
      detailData: page.map(shownLine),
    });
  }

  #generate(reference: string, amount: number, expires: number): Said {
    if (this.book.codes.has(reference)) return [409, '01'];
    if (Number.isNaN(expires)) return [400, '01'];
    this.book.codes.set(reference, {
      partner_reference: reference,
      amount,
      expires,
      is_cancelled: false,
      is_overdue: false,
      payment: null,
      refunds: [],
    });
    return done({ referenceNo: newReference(), partnerReferenceNo: reference, qrContent: `SNAP-SIMULATOR.${reference}.${amount}` });
  }

  #code(reference: string, serve: (code: QrCode) => Said): Said {
    const code = this.book.codes.get(reference);
    return code ? serve(code) : [404, '01'];
  }

  #cancel(code: QrCode): Said {
    if (code.payment) return [403, '15'];
    code.is_cancelled = true;
    return done({
      originalPartnerReferenceNo: code.partner_reference,
      cancelTime: jakartaTime(this.now()),
      transactionDate: jakartaTime(this.now()),
    });
  }

  #refund(code: QrCode, { partnerrefundno: number, refundamount: amount }: z.output<typeof REFUND>): Said {
    if (!code.payment) return [403, '15'];
    if (code.refunds.some(({ partner_refund_no }) => partner_refund_no === number)) return [409, '01'];
    if (code.refunds.reduce((sum, refund) => sum + refund.amount, amount) > code.payment.amount) return [404, '13'];
    if (this.draws.happens('short-house')) return [403, '14'];
    const refund = { partner_refund_no: number, reference: newReference(), amount, at: this.now() };
    code.refunds.push(refund);
    this.book.balance -= amount;
    return done({
      originalPartnerReferenceNo: code.partner_reference,
      originalReferenceNo: code.payment.reference,
      refundNo: refund.reference,
      partnerRefundNo: number,
      refundAmount: rupiahOf(amount),
      refundTime: jakartaTime(this.now()),
    });
  }

  /** Returns the stated amount, correct or wrong. */
  #said(amount: number): number {
    return this.draws.happens('wrong-amount') ? amount + this.options.wrongBy : amount;
  }
}

/** Pages have whole seconds; those of the first second, which the previous page had, do not count. */
function endOfPage(lines: readonly BookLine[]): number {
  const behind = (line: BookLine | undefined): number => {
    const next = line ? lines.findIndex(({ at }) => secondOf(at) > secondOf(line.at)) : -1;
    return next < 0 ? lines.length : next;
  };
  return behind(lines[behind(lines[0]) + PAGE_LINES - 1]);
}

const secondOf = (at: number): number => Math.floor(at / SECOND_MS);

const done = (fields: object): Said => [200, '00', fields];
const newReference = (): string => randomUUID().replaceAll('-', '');

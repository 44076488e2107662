import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { findPaidOut } from '../../../projections/balances/funding.js';
import { findPayoutsById } from '../../../projections/payouts/payouts.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../../ledger/ports/merchant-terms.js';
import { LedgerProblem } from '../../ledger/problems.js';
import { preferredType } from '../../platform/http/accept.js';
import type { HttpExchange } from '../../platform/http/edge/access.js';
import { OpenStreams } from '../../platform/http/edge/open-streams.js';
import { abandoned, Reads } from '../../platform/http/reads.js';
import { noSuchRecord } from '../../platform/http/record-id.js';
import { csvRow } from '../../platform/text/csv.js';
import { canonicalAdvice, remittanceAdvice, type RemittanceAdvice } from './remittance-advice.js';
import { remittancePage } from './remittance-page.js';
import { RemittanceSignatures, type RemittanceSignature } from './remittance-signatures.js';
import { SHEET_HEADERS } from './sheet.js';

const FORMS = ['application/json', 'text/csv', 'text/html'] as const;
type Form = (typeof FORMS)[number];

interface AdviceQuery {
  /** The payout's merchant; absent for readers of any merchant's. */
  readonly merchantId?: string;
  /** Media types, the preferred first; all by default. */
  readonly forms?: readonly [Form, ...Form[]];
}

@Injectable()
export class RemittanceAdvices {
  constructor(
    private readonly reads: Reads,
    private readonly streams: OpenStreams,
    private readonly signatures: RemittanceSignatures,
    @Inject(MERCHANT_TERMS) private readonly terms: MerchantTerms,
  ) {}

  /**
   * Sends the advice of a payout in the form that the request accepts.
   * @throws Problem not-found; state-conflict while the payout has not succeeded
   */
  async answer({ request, reply }: HttpExchange, id: string, { merchantId, forms = FORMS }: AdviceQuery = {}): Promise<Readable | ''> {
    const payout = await this.reads.read(request, (pool) => findPaidOut(pool, id, merchantId));
    if (!payout) {
      const [known] = await this.reads.read(request, (pool) => findPayoutsById(pool, [id]));
      if (!known || (merchantId !== undefined && known.merchant_id !== merchantId)) throw noSuchRecord();
      throw new LedgerProblem('state-conflict', `The payout is ${known.payout_status}. The advice is available once the payout has succeeded.`);
    }
    const advice = remittanceAdvice(payout, (work) => this.reads.read(request, work));
    const filename = `remittance-advice-${id}`;
    switch (preferredType(request, reply, forms)) {
      case 'application/json': {
        const signature = await this.signatures.of(id, abandoned(request));
        return this.streams.answer(request, reply, { contentType: 'application/json; charset=utf-8', pages: () => signedJson(advice, signature) });
      }
      case 'text/csv':
        return this.streams.answer(request, reply, {
          contentType: 'text/csv; charset=utf-8; header=present',
          filename: `${filename}.csv`,
          pages: () => remittanceCsv(advice),
        });
      case 'text/html': {
        const { merchant_id } = payout;
        const page = { ...advice, merchant_name: this.terms.merchantName(merchant_id) ?? '', timezone: this.terms.timezone(merchant_id) ?? 'UTC' };
        void reply.headers(SHEET_HEADERS);
        return this.streams.answer(request, reply, { contentType: 'text/html; charset=utf-8', pages: () => remittancePage(page) });
      }
    }
  }
}

/** The signature is last: when the document differs from the signed one, the response is cut off before it. */
async function* signedJson(advice: RemittanceAdvice, { digest, public_key, signature }: RemittanceSignature): AsyncGenerator<string> {
  const hash = createHash('sha256');
  yield '{"document":';
  for await (const piece of canonicalAdvice(advice)) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== digest) throw new Error(`the remittance advice of payout ${advice.payout.payout_id} differs from the signed one`);
  yield `,"digest":"${digest}","public_key":"${public_key}","signature":"${signature}"}`;
}

const OF_SETTLEMENT = ['settlement_id', 'settlement_number', 'settled_on', 'settlement_net_amount', 'used_before', 'used_here', 'left'] as const;
const OF_LINE = ['kind', 'record_id', 'charge_id', 'code', 'reference_id', 'gross_amount', 'fee_amount', 'net_amount'] as const;

/** Yields one row per line, with the figures of its settlement. */
async function* remittanceCsv({ settlements }: RemittanceAdvice): AsyncGenerator<string> {
  yield csvRow([...OF_SETTLEMENT, ...OF_LINE]);
  for await (const { lines, settlement_id, settlement_number, settled_on, net_amount, used_before, used_here, left } of settlements) {
    const settlement = [settlement_id, settlement_number, settled_on, net_amount, used_before, used_here, left];
    for await (const page of lines) yield page.map((line) => csvRow([...settlement, ...OF_LINE.map((column) => line[column])])).join('');
  }
}

import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Param, UseInterceptors } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { findPaidOut } from '../../../projections/balances/funding.js';
import { findPayout } from '../../../projections/payouts/payouts.js';
import { MERCHANT_TERMS, type MerchantTerms } from '../../ledger/ports/merchant-terms.js';
import { preferredType } from '../../platform/http/accept.js';
import { Caller, RequireScope, Exchange, type MerchantCaller, type HttpExchange } from '../../platform/http/edge/access.js';
import { OpenStreams } from '../../platform/http/edge/open-streams.js';
import { ApiAnswerForms, Operation } from '../../platform/http/openapi/openapi.js';
import { abandoned, Reads } from '../../platform/http/reads.js';
import { noSuchRecord, RecordId } from '../../platform/http/record-id.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { LedgerProblem } from '../../ledger/problems.js';
import type { Problem } from '../../platform/problem.js';
import { LedgerReads } from '../../platform/projector/read-your-writes.js';
import { canonicalAdvice, remittanceAdvice, type RemittanceAdvice } from './remittance-advice.js';
import { remittancePage } from './remittance-page.js';
import { RemittanceSignatures, type RemittanceSignature } from './remittance-signatures.js';
import { RemittanceAdviceDto } from './remittance.dto.js';
import { SHEET_HEADERS } from './sheet.js';
import { csvRow } from '../../platform/text/csv.js';

@ApiTags('Payouts')
@Controller('v1/payouts')
@RequireScope('payouts:read')
@UseInterceptors(LedgerReads)
export class RemittanceController {
  constructor(
    private readonly reads: Reads,
    private readonly streams: OpenStreams,
    private readonly signatures: RemittanceSignatures,
    @Inject(MERCHANT_TERMS) private readonly terms: MerchantTerms,
  ) {}

  @Get(':id/remittance-advice')
  @Operation(
    'getRemittanceAdvice',
    'Read the remittance advice of a payout',
    'The settlements that funded the payout, first in, first out in the order in which payouts succeeded, each with all of its lines. Available once the payout has succeeded; it never changes. JSON is signed; CSV and a printable page (`Accept: text/html`) contain the same data.',
  )
  @ApiAnswerForms({ json: RemittanceAdviceDto, csv: true, html: true })
  @Problems('not-found', 'state-conflict')
  async read(
    @Param('id', RecordId) id: string,
    @Caller() { merchant_id }: MerchantCaller,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<Readable | ''> {
    const payout = await this.reads.read(request, (pool) => findPaidOut(pool, id, merchant_id));
    if (!payout) throw await this.missing(request, id, merchant_id);
    const advice = remittanceAdvice(payout, (work) => this.reads.read(request, work));
    const filename = `remittance-advice-${id}`;
    switch (preferredType(request, reply, ['application/json', 'text/csv', 'text/html'])) {
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
        const page = { ...advice, merchant_name: this.terms.merchantName(merchant_id) ?? '', timezone: this.terms.timezone(merchant_id) ?? 'UTC' };
        void reply.headers(SHEET_HEADERS);
        return this.streams.answer(request, reply, { contentType: 'text/html; charset=utf-8', pages: () => remittancePage(page) });
      }
    }
  }

  private async missing(request: FastifyRequest, id: string, merchantId: string): Promise<Problem> {
    const payout = await this.reads.read(request, (pool) => findPayout(pool, merchantId, id));
    return payout
      ? new LedgerProblem('state-conflict', `The payout is ${payout.payout_status}. The advice is available once the payout has succeeded.`)
      : noSuchRecord();
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

import type { Readable } from 'node:stream';
import { Controller, Get, HttpCode, Inject, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { findDisputeEvidence, type DisputeEvidence } from '../../../../projections/disputes/evidence-reads.js';
import { READ_POOL } from '../../../ledger/ports/injection-tokens.js';
import { Caller, contextOf, Exchange, RequireScope, type HttpExchange, type MerchantCaller } from '../../../platform/http/edge/access.js';
import { OpenStreams } from '../../../platform/http/edge/open-streams.js';
import { LOCATION, Operation } from '../../../platform/http/openapi/openapi.js';
import { Problems } from '../../../ledger/dto/api-problems.js';
import { setLocation } from '../../../platform/http/location.js';
import { abandoned } from '../../../platform/http/reads.js';
import { mustExist, noSuchRecord, RecordId, unlessShownYet } from '../../../platform/http/record-id.js';
import { RESPONSE_HEADERS } from '../../../platform/http/edge/response-headers.js';
import { Streams } from '../../../platform/http/edge/route-policy.js';
import { TakesFile, Uploaded, type UploadedFile } from '../../../platform/http/uploads.js';
import { invalid } from '../../../platform/http/validation/validation.js';
import { LedgerReads, ReadYourWrites } from '../../../platform/projector/read-your-writes.js';
import { toEvidence } from './evidence-answer.js';
import { disagreement, EVIDENCE_MEDIA_TYPES, type EvidenceMediaType } from './evidence-content.js';
import { AddEvidenceQuery, EvidenceDto } from './evidence.dto.js';
import { AddEvidence } from './evidence.handlers.js';
import { EvidenceErased, EvidenceStore } from './evidence-store.js';

/** Maximum size of a file, in bytes. */
const FILE_BYTES_MAX = 5 * 1_048_576;

@ApiTags('Disputes')
@Controller('v1/disputes/:id/evidence')
export class EvidenceController {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    private readonly evidence: EvidenceStore,
    private readonly streams: OpenStreams,
    @Inject(READ_POOL) private readonly pool: Pool,
  ) {}

  @Post()
  @HttpCode(201)
  @UseInterceptors(LedgerReads)
  @RequireScope('disputes:write')
  @TakesFile({ mediaTypes: EVIDENCE_MEDIA_TYPES, maxBytes: FILE_BYTES_MAX })
  @Operation(
    'addDisputeEvidence',
    'Add a file as evidence',
    'The request body is the file itself: PDF, PNG, JPEG or UTF-8 text, at most 5 MiB, within 15 seconds. A dispute takes at most 10 files and 20 MiB in total, while you can still answer it. Sending the same bytes again returns the first file, with 200. Files and their names are encrypted and can be erased.',
  )
  @ApiCreatedResponse({ type: EvidenceDto, headers: LOCATION })
  @ApiOkResponse({ type: EvidenceDto, headers: LOCATION, description: 'The same bytes were added before.' })
  @Problems('not-found', 'state-conflict', 'evidence-limit-reached')
  async add(
    @Param('id', RecordId) id: string,
    @Query() { Name: name, Category: category }: AddEvidenceQuery,
    @Uploaded() { media_type, bytes }: UploadedFile,
    @Caller() caller: MerchantCaller,
    @Exchange() { request, reply, ids }: HttpExchange,
  ): Promise<EvidenceDto> {
    const detail = disagreement(bytes, media_type as EvidenceMediaType);
    if (detail !== undefined) throw invalid('body', [{ at: '', code: 'wrong-content', detail }]);
    const { charge_id } = await this.mustFind(caller.merchant_id, id).catch(unlessShownYet(reply, 'dispute'));
    const file = { name, category, media_type, bytes };
    const command = new AddEvidence({ dispute_id: id, charge_id }, file, contextOf(caller, ids), abandoned(request));
    const { added, position, replayed } = await this.commands.execute(command);
    await this.consistency.written(reply, position);
    if (replayed) reply.status(200);
    setLocation(reply, `/v1/disputes/${id}/evidence/${added.evidence_id}`);
    const names = await this.evidence.namesOf([id]);
    return toEvidence({ ...added, id: added.evidence_id, erased: false }, names);
  }

  @Get(':evidence_id')
  @UseInterceptors(LedgerReads)
  @Streams()
  @RequireScope('disputes:read')
  @Operation('getDisputeEvidence', 'Read a file', 'Returned as an attachment, byte for byte as it was sent.')
  @ApiOkResponse({
    headers: { 'Content-Disposition': { $ref: '#/components/headers/Content-Disposition' } },
    content: Object.fromEntries(EVIDENCE_MEDIA_TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
  })
  @Problems('not-found')
  async read(
    @Param('id', RecordId) id: string,
    @Param('evidence_id', RecordId) evidenceId: string,
    @Caller() { merchant_id }: MerchantCaller,
    @Exchange() { request, reply }: HttpExchange,
  ): Promise<Readable | ''> {
    const { evidence } = await this.mustFind(merchant_id, id);
    const found = evidence.find((each) => each.id === evidenceId && !each.erased);
    const filename = found && (await this.evidence.namesOf([id])).get(evidenceId);
    if (filename === undefined) throw noSuchRecord();
    const { size, media_type } = found!;
    // An uploaded file must not run, or be displayed, under this origin.
    reply.header('content-security-policy', `${RESPONSE_HEADERS['content-security-policy']}; sandbox`).header('content-length', size);
    const pages = (): AsyncIterable<Buffer> => this.evidence.open({ evidence_id: evidenceId, dispute_id: id, size });
    return this.streams.answer(request, reply, { contentType: media_type, filename, pages }).catch((error: unknown) => {
      reply.removeHeader('content-length').removeHeader('content-disposition');
      throw error instanceof EvidenceErased ? noSuchRecord() : error;
    });
  }

  private async mustFind(merchantId: string, id: string): Promise<DisputeEvidence> {
    return mustExist(await findDisputeEvidence(this.pool, merchantId, id));
  }
}

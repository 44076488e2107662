import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Pool } from 'pg';
import { FINANCE_POOL } from '../../ledger/ports/injection-tokens.js';
import { EVENT_STORE, type EventStore } from '../../platform/event-store/event-store.js';
import { FinanceOnly } from '../../platform/http/edge/access.js';
import { NotInThePast } from '../../platform/http/edge/route-policy.js';
import { Operation } from '../../platform/http/openapi/openapi.js';
import { Problems } from '../../ledger/dto/api-problems.js';
import { LedgerProblem } from '../../ledger/problems.js';
import { invalid } from '../../platform/http/validation/validation.js';
import { findHead } from '../../transparency-log/chain.js';
import { ChainConsistencyDto, ChainConsistencyQuery, ChainProofDto, ChainProofQuery } from './chain.dto.js';
import { ChainHeadDto } from '../../ledger/dto/sealed-figures.dto.js';
import { ChainKeys, type ChainHead } from '../../transparency-log/chain-keys.js';
import { proveConsistency, proveEvent } from '../../transparency-log/chain-proof.js';

@ApiTags('Audit')
@Controller('audit/chain')
@NotInThePast()
@FinanceOnly()
export class ChainController {
  constructor(
    @Inject(FINANCE_POOL) private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(ChainKeys) private readonly keys: ChainKeys,
  ) {}

  @Get('head')
  @Operation(
    'getChainHead',
    'Read the head of the chain',
    'Root of a Merkle tree (RFC 9162) over the stored bytes of all events in order, less than a second old, signed. Keep it: "chargebook audit verify --head" later checks whether the events sealed then are still present and unchanged.',
  )
  @ApiOkResponse({ type: ChainHeadDto })
  async head(): Promise<ChainHead> {
    const head = await findHead(this.pool);
    if (!head) throw new LedgerProblem('unavailable', 'No events are sealed yet.');
    return head;
  }

  @Get('consistency')
  @Operation(
    'proveConsistency',
    'Prove that the log is append-only',
    'Proof between two heads, given by their numbers of events: the earlier tree is the beginning of the later one, and no event under it was changed, removed or inserted. docs/audit.md describes how to verify it.',
  )
  @ApiOkResponse({ type: ChainConsistencyDto })
  @Problems('not-found')
  consistency(@Query() { First, Second }: ChainConsistencyQuery): Promise<ChainConsistencyDto> {
    if (Second !== undefined && First > Second) {
      throw invalid('query', [{ at: 'First', code: 'out-of-range', detail: 'Must not be greater than Second.' }]);
    }
    return proveConsistency(this.pool, { first: First, second: Second });
  }

  @Get('proof')
  @Operation(
    'proveEvent',
    'Prove an event',
    'Proof that the event is under the head; it can be verified without the database and the service. docs/audit.md describes how.',
  )
  @ApiOkResponse({ type: ChainProofDto })
  @Problems('not-found')
  proof(@Query() { EventId }: ChainProofQuery): Promise<ChainProofDto> {
    return proveEvent({ pool: this.pool, store: this.store, keys: this.keys }, EventId);
  }
}

import { Injectable } from '@nestjs/common';
import { LedgerReads } from '../../platform/projector/read-your-writes.js';

/** For reads of what banks and processors say. */
@Injectable()
export class ReconciliationReads extends LedgerReads {
  protected override readonly projection = 'recon';
}

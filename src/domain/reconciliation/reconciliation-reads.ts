import { Injectable } from '@nestjs/common';
import { LedgerReads } from '../../platform/projector/read-your-writes.js';

/** Reads of statements, and of their comparison with the books. */
@Injectable()
export class ReconciliationReads extends LedgerReads {
  protected override readonly projection = 'recon';
}

import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CLOCK, CONFIG, PUBLIC_ADDRESS, type PublicAddress } from '../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../ledger/time.js';
import { Public } from '../../platform/http/edge/access.js';
import { LedgerProblem } from '../../ledger/problems.js';
import type { Config } from '../config.js';
import { securityTxt } from './security-txt.js';

@ApiExcludeController()
@Public()
@Controller('.well-known')
export class SecurityTxtController {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Get('security.txt')
  @Header('content-type', 'text/plain; charset=utf-8')
  show(): string {
    const { securityContacts } = this.config;
    if (securityContacts.length === 0) throw new LedgerProblem('not-found', 'This installation has named no contact for its security.');
    return securityTxt(securityContacts, this.address.url, this.clock());
  }
}

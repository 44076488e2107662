import { Controller, Get, Inject, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { DAYS_DEFAULT, DAYS_MAX } from '../../ledger/dto/list-query.dto.js';
import { addDays, daysFromTo, daysIn } from '../../ledger/days.js';
import { COMMON_CLOCK } from '../../ledger/ports/injection-tokens.js';
import type { Clock } from '../../ledger/time.js';
import { mustExist } from '../../platform/http/record-id.js';
import { Caller, RequireScope, type MerchantCaller } from '../../platform/http/edge/access.js';
import { Operation } from '../../platform/http/openapi/openapi.js';
import { invalid } from '../../platform/http/validation/validation.js';
import { KnownMerchants } from '../merchants/known-merchants.js';
import { BankingCalendar } from './banking-calendar.js';
import { BankingDayDto, BankingDaysQuery } from './calendar.dto.js';
import { isBankingDayIn, isHoliday } from './holidays.js';

@ApiTags('Merchant')
@Controller('v1/merchants/me/calendar')
@RequireScope('merchant:read')
export class CalendarController {
  constructor(
    private readonly merchants: KnownMerchants,
    private readonly calendar: BankingCalendar,
    @Inject(COMMON_CLOCK) private readonly clock: Clock,
  ) {}

  @Get()
  @Operation(
    'listBankingDays',
    'List banking days',
    'Every day of a period, by the holidays in force. A settlement cycle T+n counts the banking days of the channel’s country.',
  )
  @ApiOkResponse({ type: [BankingDayDto] })
  async list(@Query() query: BankingDaysQuery, @Caller() { merchant_id }: MerchantCaller): Promise<BankingDayDto[]> {
    const { country: own, timezone } = mustExist(this.merchants.merchant(merchant_id));
    const country = query.Country ?? own;
    const from = query.From ?? daysIn(timezone)(this.clock());
    const { holidays } = await this.calendar.read();
    return daysFromTo(from, lastDay(from, query.To)).map((date) => ({
      ...{ date, country, banking_day: isBankingDayIn(holidays, country, date), holiday: isHoliday(holidays, country, date) },
    }));
  }
}

/** @throws Problem validation-failed for a period that is empty or too long */
function lastDay(from: string, to = addDays(from, DAYS_DEFAULT - 1)): string {
  const wrong = to < from ? 'Must not be before From.' : to > addDays(from, DAYS_MAX - 1) ? `Must be at most ${DAYS_MAX} days from From on.` : null;
  if (wrong === null) return to;
  throw invalid('query', [{ at: 'To', code: 'out-of-range', detail: wrong }]);
}

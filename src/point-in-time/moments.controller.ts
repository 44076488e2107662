import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiNoContentResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Problems } from '../ledger/dto/api-problems.js';
import { answerList, csvOf, pagesBy, type PagedList } from '../platform/http/answer-list.js';
import { Exchange, FinanceOnly, type HttpExchange } from '../platform/http/edge/access.js';
import { NotInThePast } from '../platform/http/edge/route-policy.js';
import { OpenStreams } from '../platform/http/edge/open-streams.js';
import { setLocation } from '../platform/http/location.js';
import { ApiAnswerForms, BodyExample, LOCATION, Operation } from '../platform/http/openapi/openapi.js';
import { mustExist, noSuchRecord } from '../platform/http/record-id.js';
import { invalid } from '../platform/http/validation/validation.js';
import { NoSuchMoment, type MomentName } from './last-event.js';
import { momentId, parseMomentId, partsOf } from './moment-id.js';
import { MomentOpener } from './moment-opener.js';
import { Moments, shownMoment, type Moment } from './moments.js';
import { ListMomentsQuery, MomentDto, MomentPageDto, OpenMomentBody } from './moments.dto.js';

const POSITION = {
  name: 'position',
  description: 'Log position of the moment; with a scenario followed by ~ and its name.',
  example: '48211',
} as const;

@ApiTags('Audit')
@Controller('audit/moments')
@NotInThePast()
@FinanceOnly()
export class MomentsController {
  constructor(
    private readonly moments: Moments,
    private readonly streams: OpenStreams,
    private readonly opener: MomentOpener,
  ) {}

  @Get()
  @Operation('listMoments', 'List open moments', 'By position and name; with those that could not be built.')
  @ApiAnswerForms({ json: MomentPageDto, ndjsonLine: MomentDto, csv: true })
  async list(@Query() query: ListMomentsQuery, @Exchange() { request, reply }: HttpExchange) {
    return answerList(this.streams, request, reply, momentsList(this.moments), query);
  }

  @Get(':position')
  @ApiParam(POSITION)
  @Operation('getMoment', 'Read an open moment', 'While it is being built, with its progress.')
  @ApiOkResponse({ type: MomentDto })
  @Problems('not-found')
  async read(@Param('position') position: string): Promise<Moment> {
    return shownMoment(mustExist(await this.moments.find(mustExist(parseMomentId(position)))));
  }

  @Post()
  @HttpCode(202)
  @Operation(
    'openMoment',
    'Open a past moment',
    'Builds the read models as of a past event, in a separate database. Once the state is READY, every GET address of this service also exists below /at/{position}, read-only: it answers as the service did when it had read exactly that number of events, with today’s keys. Name either `position`, `time` or `month`; if the moment is open already, the status is 200 and nothing is built. A moment is closed when it has not been used for some days.',
  )
  @BodyExample({ position: 48_211 })
  @ApiAcceptedResponse({ type: MomentDto, headers: LOCATION })
  @ApiOkResponse({ type: MomentDto, headers: LOCATION, description: 'The moment is open.' })
  @Problems('month-open', 'too-many-moments')
  async open(@Body() body: OpenMomentBody, @Exchange() { request, reply }: HttpExchange): Promise<Moment> {
    const moment = await this.opener.open(nameOf(body), request.keyId!).catch(asInvalid);
    setLocation(reply, `/audit/moments/${moment.position}`);
    if (moment.state === 'READY') reply.status(200);
    return moment;
  }

  @Delete(':position')
  @HttpCode(204)
  @ApiParam(POSITION)
  @Operation('closeMoment', 'Close an open moment', 'Drops its database. Responses that are being read from it end.')
  @ApiNoContentResponse()
  @Problems('not-found')
  async close(@Param('position') position: string): Promise<void> {
    if (!(await this.moments.close(mustExist(parseMomentId(position))))) throw noSuchRecord();
  }
}

const momentsList = (moments: Moments): PagedList<Moment> => ({
  name: 'moments',
  csv: csvOf<Moment>([
    ...(['position', 'time', 'state', 'events_done', 'events_total', 'size_bytes', 'opened_by', 'opened_on'] as const),
    ...(['used_on', 'closes_on', 'reason', 'name', 'scenario'] as const),
  ]),
  page: pagesBy(
    'moment',
    async (after) => (await moments.list()).filter((moment) => after === undefined || isBehind(moment, after)),
    (moment) => moment,
    ({ position, name }) => momentId(position, name),
  ),
});

/** The list is ordered by position and name. @param after id of a moment, which may have been closed since */
function isBehind({ position, name }: Moment, after: string): boolean {
  const other = partsOf(after);
  return position > other.position || (position === other.position && (name ?? '') > (other.name ?? ''));
}

/** @throws Problem validation-failed unless exactly one name is given */
function nameOf({ position, time, month, mode }: OpenMomentBody): MomentName {
  const names = Object.entries({ position, time, month }).filter(([, value]) => value !== undefined && value !== null);
  const [first, second] = names;
  if (!first) throw invalid('body', [{ at: '', code: 'required', detail: 'Name the moment by position, time or month.' }]);
  if (second)
    throw invalid('body', [{ at: `/${second[0]}`, code: 'conflicting', detail: `Name the moment by ${first[0]} or ${second[0]}, not by both.` }]);
  if (mode !== undefined && first[0] !== 'month') {
    throw invalid('body', [{ at: '/mode', code: 'conflicting', detail: 'The mode belongs to a month.' }]);
  }
  return position ? { position } : time ? { time } : { month: month!, mode };
}

function asInvalid(error: unknown): never {
  if (!(error instanceof NoSuchMoment)) throw error;
  throw invalid('body', [{ at: `/${error.member}`, code: error.code, detail: error.message }]);
}

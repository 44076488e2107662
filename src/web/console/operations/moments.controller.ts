import { Body, Controller, Get, HttpCode, Param, Post, Query, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { daysIn, endOfDay, isDay, momentIn } from '../../../ledger/days.js';
import { LedgerProblem } from '../../../ledger/problems.js';
import { timestamp } from '../../../ledger/time.js';
import { SignedIn, Exchange, type HttpExchange } from '../../../platform/http/edge/access.js';
import { NotInThePast, TakesForms } from '../../../platform/http/edge/route-policy.js';
import { mustExist, parsePosition } from '../../../platform/http/record-id.js';
import { NoSuchMoment, type MomentName } from '../../../point-in-time/last-event.js';
import { momentId, parseMomentId } from '../../../point-in-time/moment-id.js';
import { MomentOpener } from '../../../point-in-time/moment-opener.js';
import { Moments } from '../../../point-in-time/moments.js';
import type { Today } from '../shared/as-of.js';
import { ConsoleFilter } from '../shared/console.filter.js';
import { ConsolePages } from '../shared/console-pages.js';
import { MomentForm, MomentQuery } from '../shared/console.dto.js';
import { momentPage } from '../shared/links.js';
import { momentsPage, momentStatePage, momentTitle } from './moments-page.js';

/** Interval at which the page of a build loads itself again, seconds. */
const RELOAD_SECONDS = 1;

/** Past moments: the form that opens one, the progress of its build, and the open ones. */
@ApiExcludeController()
@SignedIn()
@NotInThePast()
@Controller('console/moments')
@UseFilters(ConsoleFilter)
export class ConsoleMomentsController {
  constructor(
    private readonly moments: Moments,
    private readonly opener: MomentOpener,
    private readonly pages: ConsolePages,
  ) {}

  @Get()
  show(@Exchange() { request, reply }: HttpExchange): Promise<string> {
    return this.#list(request, reply, { page: '' });
  }

  @Post()
  @HttpCode(303)
  @TakesForms()
  async open(@Body() form: MomentForm, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const page = form.Page ?? '';
    try {
      const { position } = await this.opener.open(nameOf(form, this.pages.today), request.keyId!);
      return goTo(reply, this.pages.links.to(momentPage(momentId(position, null)), { Page: page === '' ? undefined : page }));
    } catch (error) {
      if (!(error instanceof NoSuchMoment) && !isRefusal(error)) throw error;
      return this.#list(request, reply, { refused: inWords(error), fields: { day: form.Day ?? '', time: form.Time ?? '' }, page }, 400);
    }
  }

  /** Leads to the page as of the moment once that can be read. */
  @Get(':position')
  async moment(@Param('position') text: string, @Query() { Page }: MomentQuery, @Exchange() { request, reply }: HttpExchange): Promise<string> {
    const id = mustExist(parseMomentId(text));
    const page = Page ?? '';
    const moment = await this.moments.find(id);
    if (moment?.state === 'READY') return goTo(reply, this.pages.links.at(id, page));
    const isBuilt = moment?.state === 'BUILDING';
    return this.pages.send(
      request,
      reply,
      {
        title: momentTitle(id),
        section: 'moments',
        mode: null,
        content: momentStatePage(this.pages, { ...this.pages.today, id, moment, page }),
        ...(isBuilt && { reloadsAfter: RELOAD_SECONDS }),
      },
      isBuilt ? 200 : 404,
    );
  }

  @Post(':position/close')
  @HttpCode(303)
  @TakesForms()
  async close(@Param('position') text: string, @Exchange() { reply }: HttpExchange): Promise<string> {
    await this.moments.close(mustExist(parseMomentId(text)));
    return goTo(reply, this.pages.links.to('moments'));
  }

  async #list(request: FastifyRequest, reply: FastifyReply, form: Shown, status = 200): Promise<string> {
    const content = momentsPage(this.pages, { ...this.pages.today, moments: await this.moments.list(), ...form });
    return this.pages.send(request, reply, { title: 'Moments', section: 'moments', mode: null, content }, status);
  }
}

const inWords = (error: NoSuchMoment | LedgerProblem): string =>
  error instanceof NoSuchMoment ? `The ${error.member} ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}` : error.detail;

type Shown = Pick<Parameters<typeof momentsPage>[1], 'refused' | 'fields' | 'page'>;

/** Moments that exist and cannot be opened now. */
const isRefusal = (error: unknown): error is LedgerProblem =>
  error instanceof LedgerProblem && (error.code === 'month-open' || error.code === 'too-many-moments');

function goTo(reply: FastifyReply, address: string): string {
  void reply.code(303).header('location', address);
  return '';
}

/** A day without a time is its end; the present day is now. @throws NoSuchMoment */
function nameOf({ Position, Month, Mode, Day, Time }: MomentForm, { today, timeZone, now }: Today & { readonly now: number }): MomentName {
  if (Position !== undefined) return { position: parsePosition(Position) ?? 0 };
  if (Month !== undefined) return { month: Month, mode: Mode };
  if (Day === undefined || !isDay(Day)) throw new NoSuchMoment('time', 'unknown', 'Must be of a day that exists.');
  if (Time) return { time: timestamp(momentIn(timeZone, Day, Time)) };
  return { time: timestamp(Day === today ? now : endOfDay(Day, daysIn(timeZone)) - 1) };
}

import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WebHookDisabled } from '../../../ledger/events/merchant.events.js';
import { chargeStream } from '../../../ledger/events/charge.events.js';
import { HOUSE_OWNERS } from '../../../ledger/events/adjustment.events.js';
import type { Mode } from '../../../ledger/mode.js';
import { CONFIG, PUBLIC_ADDRESS, TODAYS_CLOCK, TODAYS_MERCHANTS, type PublicAddress, type Settings } from '../../../ledger/ports/injection-tokens.js';
import { daysIn } from '../../../ledger/days.js';
import { timestamp, type Clock } from '../../../ledger/time.js';
import { HTTP_OPTIONS, type HttpOptions, type PastOptions } from '../../../platform/http/http-options.js';
import { pathBelow } from '../../../platform/text/uri.js';
import { TransparencyLogWatch } from '../../../transparency-log/transparency-log-watch.js';
import { KnownMerchants, type OwnedRail } from '../../../domain/merchants/known-merchants.js';
import type { Payout } from '../../../../projections/payouts/payouts.js';
import type { PendingReason } from '../../../domain/payouts/pending-reason.js';
import { PendingReasons } from '../../../domain/payouts/pending-reasons.js';
import { foreign, html, plain, type Html } from '../../../platform/html/html.js';
import { code, idLink, time, userText } from './components.js';
import { sendPage } from '../../checkout/send-page.js';
import { Links, operatorAnchor, pathBelowConsole, proposalPage, proposePage } from './links.js';
import type { Today } from './as-of.js';
import { consolePage, type ConsolePageOptions } from './layout.js';
import { Sessions } from './sessions.js';

export interface SentPage extends Omit<ConsolePageOptions, 'links' | 'session'> {
  readonly merchantId?: string | null | undefined;
  readonly mode?: Mode | null;
}

/** Sends the console's pages, and builds the parts that they share. */
@Injectable()
export class ConsolePages {
  readonly #dayOf: (milliseconds: number) => string;

  constructor(
    private readonly sessions: Sessions,
    private readonly merchants: KnownMerchants,
    private readonly reasons: PendingReasons,
    private readonly transparencyLog: TransparencyLogWatch,
    @Inject(TODAYS_MERCHANTS) private readonly todays: KnownMerchants,
    @Inject(TODAYS_CLOCK) private readonly clock: Clock,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
    @Inject(CONFIG) private readonly settings: Pick<Settings, 'booksTimeZone'>,
    @Inject(HTTP_OPTIONS) private readonly http: Pick<HttpOptions, 'past'>,
  ) {
    this.#dayOf = daysIn(settings.booksTimeZone);
  }

  get links(): Links {
    return new Links(pathBelow(this.address.url, ''), this.http.past?.basePath);
  }

  /** The day of now in the zone of the books; `now`: milliseconds since the epoch. */
  get today(): Today & { readonly now: number } {
    const now = this.clock();
    return { now, today: this.#dayOf(now), timeZone: this.settings.booksTimeZone };
  }

  /** The past moment that the pages show; undefined for the present. Nothing can be changed there. */
  get moment(): PastOptions | undefined {
    return this.http.past;
  }

  /** Returns the mode of a page: its merchant's; else the one that the session was switched to; else live if there is a live merchant, else test. */
  modeOf(request: FastifyRequest, merchantId?: string | null): Mode {
    const ofMerchant = merchantId === undefined || merchantId === null ? undefined : this.merchants.merchant(merchantId)?.mode;
    return ofMerchant ?? this.sessions.modeOf(request) ?? (this.merchants.page(undefined, 1, 'live')!.length > 0 ? 'live' : 'test');
  }

  /** Returns the mode that a proposal is about: that of its content, or of the merchant in it; null for the company or a single record. */
  modeOfProposal({ mode, merchant_id }: Readonly<Record<string, unknown>>): Mode | null {
    if (mode === 'live' || mode === 'test') return mode;
    return (typeof merchant_id === 'string' ? this.merchants.merchant(merchant_id)?.mode : undefined) ?? null;
  }

  /**
   * Returns a page with the session of `request`; without a session, the page alone.
   * `merchantId`: the merchant of a page about one merchant. `mode`: that of the record; null for a page that shows both modes. Default: the
   * merchant's, else that of the session, which filters the page.
   */
  send(request: FastifyRequest, reply: FastifyReply, { merchantId, mode, ...page }: SentPage, status = 200): string {
    const key = request.keyId === null ? undefined : this.todays.keyById(request.keyId);
    const session = key && {
      keyName: key.name,
      mode: mode === null ? undefined : (mode ?? this.modeOf(request, merchantId)),
      isFilteredByMode: mode === undefined && (merchantId ?? null) === null,
      madeOn: timestamp(this.clock()),
      head: this.#head(),
      path: request.method === 'GET' ? pathBelowConsole(request.url) : '',
      ...this.today,
      moment: this.moment,
    };
    return sendPage(reply, consolePage({ ...page, links: this.links, session }), status);
  }

  #head(): { readonly events: number; readonly hash: string } | undefined {
    const { moment } = this;
    if (!moment) return this.transparencyLog.head();
    const hash = moment.root();
    return hash === undefined ? undefined : { events: moment.position, hash };
  }

  /** The merchant's name with a link to its page; for the company's own entries, `The house`. */
  merchant(id: string, title = id): Html {
    if (HOUSE.includes(id)) return html`Platform`;
    const name = plain(this.merchants.merchantName(id) ?? '');
    return html`<a class="name" href="${this.links.merchant(id)}" title="${[name, title].filter(Boolean).join(', ')}">${this.merchantName(id)}</a>`;
  }

  /** A link to a charge by its code; by its id while its row is not projected yet. */
  charge(id: string, chargeCode: string | undefined): Html {
    const address = this.links.history(chargeStream(id));
    return chargeCode === undefined ? idLink(id, address) : html`<a href="${address}" title="${id}">${code(chargeCode)}</a>`;
  }

  /** The merchant's name without markup; the id of an unknown merchant. */
  plainMerchantName(id: string): string {
    return plain(this.merchants.merchantName(id) ?? '') || id;
  }

  merchantName(id: string): Html | string {
    const name = this.merchants.merchantName(id);
    return name === undefined || name === '' ? id : foreign(name);
  }

  /** An operator's name with a link to the page of people. */
  operator(id: string, title = id): Html {
    const operator = this.merchants.operators.operator(id);
    return operator ? html`<a href="${this.links.to('people')}#${operatorAnchor(id)}" title="${title}">${userText(operator.name)}</a>` : code(id);
  }

  /** The name of an actor: the operator or merchant of a key, the name of a finance key, a proposal, or the service. The attribute has the id. */
  actor(actor: string): Html {
    const proposal = PROPOSAL.exec(actor)?.[1];
    if (proposal !== undefined) return html`<a href="${this.links.to(proposalPage(proposal))}" title="${proposal}">a proposal</a>`;
    const operatorId = this.merchants.operators.ownerOf(actor);
    if (operatorId !== undefined) return this.operator(operatorId, actor);
    const key = this.merchants.keyById(actor);
    if (!key) return code(actor);
    const title = `${plain(key.name)}, ${actor}`;
    return key.merchant_id === null ? html`<span title="${title}">${userText(key.name)}</span>` : this.merchant(key.merchant_id, title);
  }

  /**
   * Links to forms of proposals about a record; false for a session that may not propose.
   * @param of id of the record; undefined: the form is about no record
   */
  proposals({ keyId }: FastifyRequest, of: string | undefined, forms: readonly (readonly [form: string, words: string])[]): Html | false {
    if (this.moment || this.todays.operators.byKey(keyId)?.roles.includes('preparer') !== true) return false;
    return html`<p class="actions">
      ${forms.map(([form, words]) => html`<a href="${this.links.to(proposePage(form), { Of: of })}">${words}</a> `)}
    </p>`;
  }

  /** Reason and time of disabling the merchant's endpoint; null while it is enabled. */
  disabled(merchantId: string): Pick<WebHookDisabled, 'reason' | 'disabled_on'> | null {
    return this.merchants.merchant(merchantId)?.web_hook?.disabled ?? null;
  }

  /** The merchants' own routes. */
  ownRails(): readonly OwnedRail[] {
    return this.merchants.ownRails();
  }

  /** Why the payout has not ended; null without a reason. */
  pendingReason(payout: Payout): PendingReason | null {
    return this.reasons.of(payout);
  }

  /** A link to the whole list as a file, filtered by `query`. */
  csvLink(list: string, query: Readonly<Record<string, string | undefined>> = {}): Html {
    return html`<a href="${this.links.to(`${list}.csv`, query)}" download>CSV</a>`;
  }

  /** A moment with the local time of the merchant. */
  time(moment: string | null, merchantId: string): Html | string {
    return time(moment, this.merchants.timezone(merchantId));
  }

  /** Options for the merchants of a mode; undefined for more than CHOICE_MAX. */
  merchantOptions(mode: Mode): (readonly [string, string])[] | undefined {
    const first = this.merchants.page(undefined, CHOICE_MAX + 1, mode)!;
    return first.length > CHOICE_MAX ? undefined : [['', 'All merchants'], ...first.map(({ id, name }) => [id, plain(name)] as const)];
  }
}

/** Actor of the effects of a proposal. */
const PROPOSAL = /^proposal ([0-9a-f-]{36})$/;
const CHOICE_MAX = 50;
const HOUSE: readonly string[] = Object.values(HOUSE_OWNERS);

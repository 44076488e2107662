import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WebHookDisabled } from '../../ledger/events/merchant.events.js';
import { chargeStream } from '../../ledger/events/charge.events.js';
import { HOUSE_OWNERS } from '../../ledger/events/adjustment.events.js';
import type { Mode } from '../../ledger/mode.js';
import { KnownMerchants, type OwnedRail } from '../../domain/merchants/known-merchants.js';
import type { Payout } from '../../../projections/payouts/payouts.js';
import type { PendingReason } from '../../domain/payouts/pending-reason.js';
import { PendingReasons } from '../../domain/payouts/pending-reasons.js';
import { foreign, html, plain, type Html } from '../../platform/html/html.js';
import { code, idLink, time, userText } from './components.js';
import { sendPage } from '../checkout/send-page.js';
import { Links, personAnchor, proposalPage } from './links.js';
import { consolePage, type ConsolePageOptions } from './layout.js';
import { Sessions } from './sessions.js';

/** What every page of the console takes from around it. */
@Injectable()
export class ConsolePages {
  constructor(
    private readonly sessions: Sessions,
    private readonly merchants: KnownMerchants,
    private readonly reasons: PendingReasons,
  ) {}

  get links(): Links {
    return new Links(this.sessions.root);
  }

  /** The mode that a page shows: of the merchant that it is about; else the one that the session was switched to; else live, as soon as anybody is. */
  modeOf(request: FastifyRequest, merchantId?: string | null): Mode {
    const ofMerchant = merchantId === undefined || merchantId === null ? undefined : this.merchants.merchant(merchantId)?.mode;
    return ofMerchant ?? this.sessions.modeOf(request) ?? (this.merchants.page(undefined, 1, 'live')!.length > 0 ? 'live' : 'test');
  }

  /**
   * Answers with a page of the session of `request`; without one, with the page alone.
   * `merchantId`: whom the page is about, if it is about one merchant.
   */
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    { merchantId, ...page }: Omit<ConsolePageOptions, 'links' | 'session'> & { readonly merchantId?: string | null | undefined },
    status = 200,
  ): string {
    const key = request.keyId === null ? undefined : this.merchants.keyById(request.keyId);
    const session = key && { keyName: key.name, mode: this.modeOf(request, merchantId) };
    return sendPage(reply, consolePage({ ...page, links: this.links, session }), status);
  }

  /** The merchant by name, on the way to its page; or the house, of what it books itself. */
  merchant(id: string, title = id): Html {
    if (HOUSE.includes(id)) return html`Platform`;
    const name = plain(this.merchants.merchantName(id) ?? '');
    return html`<a class="name" href="${this.links.merchant(id)}" title="${[name, title].filter(Boolean).join(', ')}">${this.merchantName(id)}</a>`;
  }

  /** On the way to a charge, by its code; by its id where the row with the code is not there yet. */
  charge(id: string, chargeCode: string | undefined): Html {
    const address = this.links.history(chargeStream(id));
    return chargeCode === undefined ? idLink(id, address) : html`<a href="${address}" title="${id}">${code(chargeCode)}</a>`;
  }

  /** For places without markup; the id where nobody is known by it. */
  plainMerchantName(id: string): string {
    return plain(this.merchants.merchantName(id) ?? '') || id;
  }

  merchantName(id: string): Html | string {
    const name = this.merchants.merchantName(id);
    return name === undefined || name === '' ? id : foreign(name);
  }

  /** A person of the house by name, on the way to the people. */
  person(id: string, title = id): Html {
    const person = this.merchants.operators.operator(id);
    return person ? html`<a href="${this.links.to('people')}#${personAnchor(id)}" title="${title}">${userText(person.name)}</a>` : code(id);
  }

  /** Who did something: the person or merchant whose key it was, a key of finance by its name, a proposal, the service. The id is in the attribute. */
  actor(actor: string): Html {
    const proposal = PROPOSAL.exec(actor)?.[1];
    if (proposal !== undefined) return html`<a href="${this.links.to(proposalPage(proposal))}" title="${proposal}">a proposal</a>`;
    const personId = this.merchants.operators.ownerOf(actor);
    if (personId !== undefined) return this.person(personId, actor);
    const key = this.merchants.keyById(actor);
    if (!key) return code(actor);
    const title = `${plain(key.name)}, ${actor}`;
    return key.merchant_id === null ? html`<span title="${title}">${userText(key.name)}</span>` : this.merchant(key.merchant_id, title);
  }

  /** Why and when the merchant's endpoint was disabled; null while it is sent to. */
  disabled(merchantId: string): Pick<WebHookDisabled, 'reason' | 'disabled_on'> | null {
    return this.merchants.merchant(merchantId)?.web_hook?.disabled ?? null;
  }

  /** Routes that merchants have of their own. */
  ownRails(): readonly OwnedRail[] {
    return this.merchants.ownRails();
  }

  /** Why it has not ended; null where there is nothing to say of it. */
  pendingReason(payout: Payout): PendingReason | null {
    return this.reasons.of(payout);
  }

  /** All of a list as a file: what `query` filters it by. */
  csvLink(list: string, query: Readonly<Record<string, string | undefined>> = {}): Html {
    return html`<a href="${this.links.to(`${list}.csv`, query)}" download>CSV</a>`;
  }

  /** A moment, with the clock of the merchant whose record it concerns. */
  time(moment: string | null, merchantId: string): Html | string {
    return time(moment, this.merchants.timezone(merchantId));
  }

  /** `<option>`s of the merchants of a mode, as long as there are few enough to choose from. */
  merchantOptions(mode: Mode): (readonly [string, string])[] | undefined {
    const first = this.merchants.page(undefined, CHOICE_MAX + 1, mode)!;
    return first.length > CHOICE_MAX ? undefined : [['', 'All merchants'], ...first.map(({ id, name }) => [id, plain(name)] as const)];
  }
}

/** Effects of proposals name them so. */
const PROPOSAL = /^proposal ([0-9a-f-]{36})$/;
const CHOICE_MAX = 50;
const HOUSE: readonly string[] = Object.values(HOUSE_OWNERS);

import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KnownMerchants } from '../merchants/known-merchants.js';
import { foreign, html, plain, type Html } from '../html/html.js';
import { sendPage } from '../checkout/send-page.js';
import { Links } from './links.js';
import { consolePage, type ConsolePageOptions } from './layout.js';
import { Sessions } from './sessions.js';

/** What every page of the console takes from around it. */
@Injectable()
export class ConsolePages {
  constructor(
    private readonly sessions: Sessions,
    private readonly merchants: KnownMerchants,
  ) {}

  get links(): Links {
    return new Links(this.sessions.root);
  }

  /** Answers with a page of the session of `request`; without one, with the page alone. */
  send(request: FastifyRequest, reply: FastifyReply, page: Omit<ConsolePageOptions, 'links' | 'keyName'>, status = 200): string {
    const keyName = request.keyId === null ? undefined : this.merchants.keyById(request.keyId)?.name;
    return sendPage(reply, consolePage({ ...page, links: this.links, keyName }), status);
  }

  /** The merchant by name, on the way to its page. */
  merchant(id: string): Html {
    const name = this.merchants.merchantName(id);
    return html`<a href="${this.links.merchant(id)}" title="${id}">${name === undefined || name === '' ? id : foreign(name)}</a>`;
  }

  /** `<option>`s of the merchants, as long as there are few enough to choose from. */
  merchantOptions(): (readonly [string, string])[] | undefined {
    const first = this.merchants.page(undefined, CHOICE_MAX + 1)!;
    return first.length > CHOICE_MAX ? undefined : [['', 'All merchants'], ...first.map(({ id, name }) => [id, plain(name)] as const)];
  }
}

const CHOICE_MAX = 50;

import { MOMENT_ID, type MomentId } from '../../../point-in-time/moment-id.js';

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const DESK_PAGE = new RegExp(
  `^(?:desk(?:/(?:payouts|proposals)/${ID}|/propose(?:/[a-z-]{1,40})?)?|recon/(?:breaks|files)/${ID}|recon/sources/[a-z0-9-]{1,45}|suspense/${ID}|months|moments/${MOMENT_ID})$`,
);

/**
 * Returns the path below the console of a page to which the sign-in may return, because people act on it or are led to it; undefined for any other
 * path.
 */
export function approvalsPage(path: unknown): string | undefined {
  return typeof path === 'string' && DESK_PAGE.test(path) ? path : undefined;
}

/** Returns path and query of a request to the console, below the console's own path. */
export const pathBelowConsole = (url: string): string => /^\/console\/?(.*)$/s.exec(url)?.[1] ?? '';

/** Returns the page on which people act that a request reads or acts on: forms are posted to the page's path, or one level below it. */
export function approvalsPageOf({ url }: { readonly url: string }): string | undefined {
  const path = pathBelowConsole(url).replace(/\?.*$/s, '');
  return approvalsPage(path) ?? approvalsPage(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
}

export const breakPage = (id: string): string => `recon/breaks/${id}`;
export const filePage = (id: string): string => `recon/files/${id}`;
export const sourcePage = (id: string): string => `recon/sources/${encodeURIComponent(id)}`;
export const suspensePage = (id: string): string => `suspense/${id}`;
export const monthPage = (month: string): string => `months/${month}`;
export const dayPage = (id: string): string => `recon/days/${id}`;
export const payoutPage = (id: string): string => `desk/payouts/${id}`;
/** Anchor of an operator's row on the page of people. */
export const operatorAnchor = (id: string): string => `person-${id}`;
export const proposePage = (form: string): string => `desk/propose/${form}`;
/** Path of the page of a past moment, which leads to a page as of then. @param page path and query below the console */
export const momentAddress = (id: MomentId, page: string): string => addressOf('/console', momentPage(id), { Page: page === '' ? undefined : page });
export const momentPage = (id: MomentId): string => `moments/${id}`;
/** The page of a scenario's answer, in the moment in which the scenario applies. */
export const WHAT_IF_PAGE = 'what-if';
export const proposalPage = (id: string): string => `desk/proposals/${id}`;

/** Path below the console of the first page of a section. */
export const sectionPage = (name: string): string => (name === 'overview' ? '' : name);

type LinkQuery = Readonly<Record<string, string | number | undefined>>;

/** Addresses within the console. */
export class Links {
  /**
   * @param service path of the service, for links from any page
   * @param moment path below it of the past moment whose pages these are; empty: of the present
   */
  constructor(
    readonly service: string,
    private readonly moment = '',
  ) {}

  to(path: string, query: LinkQuery = {}): string {
    return addressOf(`${this.service}${this.moment}/console`, path, query);
  }

  /** The page of the present. Everything that a person changes is changed there. */
  now(path: string, query: LinkQuery = {}): string {
    return addressOf(`${this.service}/console`, path, query);
  }

  /** The page as of a past moment that is open. */
  at(id: MomentId, path: string): string {
    return addressOf(`${this.service}/at/${id}/console`, path, {});
  }

  /** The first page of a section. */
  section(name: string): string {
    return this.to(sectionPage(name));
  }

  merchant(id: string): string {
    return this.to(`merchants/${encodeURIComponent(id)}`);
  }

  /** The explanation of a merchant's balance; with `Bucket`, the list of its records. */
  explanation(merchantId: string, currency: string, query: { readonly Bucket?: string; readonly After?: string | undefined } = {}): string {
    return this.to(`merchants/${encodeURIComponent(merchantId)}/balances/${currency}`, query);
  }

  /** The forecast of a merchant's balance; with `Detail`, the lines of a day. */
  forecast(merchantId: string, currency: string, query: { readonly Days?: number; readonly Detail?: string; readonly After?: string } = {}): string {
    return this.to(`merchants/${encodeURIComponent(merchantId)}/balances/${currency}/forecast`, query);
  }

  settlement(id: string): string {
    return this.to(`settlements/${encodeURIComponent(id)}`);
  }

  dispute(id: string): string {
    return this.to(`disputes/${encodeURIComponent(id)}`);
  }

  refund(id: string): string {
    return this.to(`refunds/${encodeURIComponent(id)}`);
  }

  /** History of the stream's record. */
  history(stream: string, query: Readonly<Record<string, string | number | undefined>> = {}): string {
    return this.to(`history/${encodeURIComponent(stream)}`, query);
  }

  /** `position`: the event's position in the log (1, 2, 3 …), or its id. */
  event(position: number | string): string {
    return this.to(`events/${encodeURIComponent(position)}`);
  }
}

function addressOf(root: string, path: string, query: LinkQuery): string {
  const given = Object.entries(query).filter((entry): entry is [string, string | number] => entry[1] !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const below = path === '' || path.startsWith('?') ? path : `/${path}`;
  return `${root}${below}${text === '' ? '' : `?${text}`}`;
}

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const DESK_PAGE = new RegExp(
  `^(?:desk(?:/(?:payouts|proposals)/${ID}|/propose(?:/[a-z-]{1,40})?)?|recon/(?:breaks|files)/${ID}|recon/sources/[a-z0-9-]{1,45}|suspense/${ID}|months)$`,
);

/** Returns the path below the console of a page on which people act, to which the sign-in may return; undefined for any other path. */
export function approvalsPage(path: unknown): string | undefined {
  return typeof path === 'string' && DESK_PAGE.test(path) ? path : undefined;
}

/** Returns the page on which people act that a request reads or acts on: forms are posted to the page's path, or one level below it. */
export function approvalsPageOf({ url }: { readonly url: string }): string | undefined {
  const path = /\/console\/([^?]*)/.exec(url)?.[1] ?? '';
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
export const proposalPage = (id: string): string => `desk/proposals/${id}`;

/** Addresses within the console. `root` is the console's path. */
export class Links {
  constructor(readonly root: string) {}

  /** Path of the service, for links from any page. */
  get service(): string {
    return this.root.slice(0, -'/console'.length);
  }

  to(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): string {
    const given = Object.entries(query).filter((entry): entry is [string, string | number] => entry[1] !== undefined);
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return `${this.root}${path === '' ? '' : `/${path}`}${text === '' ? '' : `?${text}`}`;
  }

  /** The first page of a section. */
  section(name: string): string {
    return this.to(name === 'overview' ? '' : name);
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

import type { FastifyReply } from 'fastify';
import type { PageQuery } from './pages.dto.js';

/** The page that a request asks for, as lists of read models take it. */
export const toPage = ({ PageNumber, PageSize, IsDescending }: PageQuery & { readonly IsDescending: boolean }) => ({
  page_number: PageNumber,
  page_size: PageSize,
  is_descending: IsDescending,
});

/** Number of pages; 0 for an empty list. */
export function pageCount(total: number, pageSize: number): number {
  return Math.ceil(total / pageSize);
}

/** Writes the headers of a page of `all`, and returns its items. */
export function takePage<Item>(reply: FastifyReply, page: Pick<PageQuery, 'PageNumber' | 'PageSize'>, all: readonly Item[]): Item[] {
  writePageHeaders(reply, page, all.length);
  const from = (page.PageNumber - 1) * page.PageSize;
  return all.slice(from, from + page.PageSize);
}

/**
 * Writes `X-Total-Count` and `Link` (first, prev, next, last; RFC 8288) for a list that is answered as a bare array. The links are absolute and keep
 * every other parameter of the request.
 */
export function writePageHeaders(reply: FastifyReply, page: Pick<PageQuery, 'PageNumber' | 'PageSize'>, total: number): void {
  const { request } = reply;
  const { basePath } = request.server;
  const publicUrl = request.server.publicUrl();
  const url = new URL(request.url, publicUrl);
  const last = Math.max(1, pageCount(total, page.PageSize));
  const others = [...url.searchParams].filter(([name]) => !['pagenumber', 'pagesize'].includes(name.toLowerCase()));
  const link = (rel: string, number: number): string => {
    const query = new URLSearchParams([...others, ['PageNumber', String(number)], ['PageSize', String(page.PageSize)]]);
    return `<${publicUrl}${basePath}${url.pathname}?${query.toString()}>; rel="${rel}"`;
  };
  const links = [link('first', 1)];
  if (page.PageNumber > 1) links.push(link('prev', Math.min(page.PageNumber - 1, last)));
  if (page.PageNumber < last) links.push(link('next', page.PageNumber + 1));
  links.push(link('last', last));
  void reply.header('x-total-count', String(total)).header('link', links.join(', '));
}

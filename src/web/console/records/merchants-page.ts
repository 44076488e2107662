import type { AuditMerchantDto } from '../../finance-api/audit-merchants.dto.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { ListPage } from '../../../platform/http/answer-list.js';
import type { ConsolePages } from '../shared/console-pages.js';
import { code, pager, table, time } from '../shared/components.js';

export function merchantsPage(pages: ConsolePages, { items, next_after }: ListPage<AuditMerchantDto, string>, isFurther: boolean): Html {
  const { links } = pages;
  return html`${table(
    'Merchants in the order of their registration',
    [
      { title: 'Name' },
      { title: 'Mode' },
      { title: 'Country' },
      { title: 'Currency' },
      { title: 'Time zone' },
      { title: 'Registered (UTC)' },
      { title: 'Id', isSpare: true },
    ],
    items.map(({ id, mode, country, default_currency, timezone, created_on }) => [
      pages.merchant(id),
      mode,
      country,
      default_currency,
      timezone,
      time(created_on),
      code(id),
    ]),
    'There is no merchant yet.',
  )}
  ${pager(
    { first: isFurther ? links.to('merchants') : undefined, next: next_after === null ? undefined : links.to('merchants', { After: next_after }) },
    { first: 'From the start', next: 'Further merchants' },
  )}`;
}

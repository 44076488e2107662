import type { InterfaceDescription } from '../platform/http/openapi/interface-description.js';
import { WEBHOOKS } from '../domain/webhooks/webhooks.openapi.js';
import { PROBLEMS } from '../ledger/problems.js';
import { GLOSSARY } from './glossary.js';
import { VERSION } from './version.js';

const MERCHANTS = `
Charges, payouts, customers and balances of a merchant, on a ledger of events.

**Money** is an integer in minor units: 10000 stands for 100.00. **Times** are RFC 3339 with an offset. **Enumerations** and
currency codes are accepted in any case and answered in upper case. Unknown fields and parameters are refused, and paths end without
a slash: with one they are 404.

**Repeat safely.** Creating a record takes an \`Idempotency-Key\`. The same key with the same body answers the first response
again, whenever it is sent; with another body it is refused.

**Refusals** are \`application/problem+json\`; their \`type\` is the address of a page that explains them.
`.trim();

const FINANCE = `
The books of all merchants, for finance: events, journal, trial balance, settlements, and proofs that history was not changed; and who
reads them.

Lists take \`After\` and \`Limit\` and answer \`next_after\`; with \`Accept: application/x-ndjson\` all of it is streamed, an item a line,
and flat lists are CSV with \`Accept: text/csv\`.
`.trim();

const PROCESSORS = `
Notifications from payment processors and banks. Each is signed, and the signature is the credential. A repeated notification changes nothing and
receives the same response as the first.
`.trim();

/** The OpenAPI documents of the service, one for each kind of reader. */
export const INTERFACE: InterfaceDescription = {
  version: VERSION,
  glossary: GLOSSARY,
  problems: PROBLEMS,
  documents: [
    {
      file: 'openapi.json',
      title: 'Chargebook: merchant payments',
      description: MERCHANTS,
      key: 'merchant-key',
      under: '/',
      tags: {
        Charges: 'Payments by customers, from the attempt to the settlement.',
        Customers: 'People and companies that pay. Their details are encrypted, and erased on deletion.',
        Refunds: 'Payments returned to customers, in full or in part.',
        Disputes: 'Payments that customers dispute at their bank, and the evidence against it.',
        Payouts: 'Transfers of the available balance to a bank account.',
        Balances: 'Available, pending and reserved amounts by currency, their explanation, and statements.',
        Settlements: 'Batches of charges whose money becomes available together.',
        Merchant: 'The calling merchant, its fees and its channels.',
        Webhooks: 'Notifications of events at your endpoint, and a list of the same events.',
        Previews: 'The outcome of a request before it is made; nothing is recorded.',
        Simulation: 'Payments of test merchants.',
      },
      webhooks: WEBHOOKS,
    },
    {
      file: 'openapi/audit.json',
      title: 'Chargebook: finance',
      description: FINANCE,
      key: 'finance-key',
      under: '/audit',
      tags: { Audit: 'The books of all merchants, with a key of finance or of an operator.' },
    },
    {
      file: 'openapi/processors.json',
      title: 'Chargebook: processors and banks',
      description: PROCESSORS,
      under: '/processors',
      tags: { Processors: 'Signed notifications.' },
    },
  ],
};

import { getSchemaPath } from '@nestjs/swagger';
import type { Type } from '@nestjs/common';
import { ID } from '../../platform/http/answer-fields.js';
import { BalanceDto } from '../balances/balances.dto.js';
import { ChargeDetailDto } from '../charges/charges.dto.js';
import { CustomerDto } from '../customers/customers.dto.js';
import { DisputeDto } from '../charges/disputes/disputes.dto.js';
import { EVENT_KINDS, type EventKind } from '../../ledger/outbox-messages.js';
import { RefundDto } from '../charges/refunds/refunds.dto.js';
import { PayoutDto } from '../payouts/payouts.dto.js';

/** What each kind tells. A kind without a sentence does not compile. */
const TOLD: Readonly<Record<EventKind, string>> = {
  'charge.created': 'A charge was created.',
  'charge.succeeded': 'A charge was paid; late payments of an expired or cancelled charge, too.',
  'charge.failed': 'The payment failed.',
  'charge.expired': 'Nobody paid in time. Money that arrives later still makes it succeed.',
  'charge.cancelled': 'You cancelled the charge.',
  'charge.settled': 'The money of a charge is available.',
  'charge.reversed': 'The payment was taken back, and its net amount with it.',
  'payout.created': 'A payout was requested; its amount is reserved.',
  'payout.processing': 'The bank has the payout.',
  'payout.succeeded': 'The bank has paid it out.',
  'payout.failed': 'The bank refused it; the amount is available again.',
  'payout.cancelled': 'You cancelled the payout, or it was not approved; the amount is available again.',
  'payout.reversed': 'The bank account returned the money; net amount and fee are available again.',
  'customer.created': 'A customer was created.',
  'customer.updated': 'A customer was changed.',
  'customer.deleted': 'A customer was deleted; `data` is `{id, deleted: true}`, also in earlier events that are sent late.',
  'balance.updated': 'A balance has changed; follows the event that moved it.',
  'refund.created': 'A refund was asked for; what you give for it is held.',
  'refund.processing': 'The processor has the refund.',
  'refund.succeeded': 'The customer has the money.',
  'refund.failed': 'The processor refused it, or sent it back after it had succeeded; what you gave is yours again.',
  'refund.cancelled': 'The refund was cancelled; what you gave is yours again.',
  'dispute.opened': 'A customer disputes a payment. Past an inquiry the money is held, as balance.updated says; answer until due_by.',
  'dispute.reopened': 'A dispute that you had won has come back at a later stage, and the money is held again.',
  'dispute.due_soon': 'A dispute waits for your answer, and due_by is near.',
  'dispute.under_review': 'You have challenged the dispute.',
  'dispute.won': 'The dispute is yours, and so is the money again.',
  'dispute.lost': 'The money is the customer’s: you accepted, did not answer in time, or the processor decided.',
};

type Subject = EventKind extends infer Kind ? (Kind extends `${infer About}.${string}` ? About : never) : never;

const ERASED = {
  type: 'object',
  required: ['id', 'deleted'],
  properties: {
    id: { type: 'string', format: 'uuid', description: 'Of the customer that was deleted.' },
    deleted: { type: 'boolean', enum: [true], description: 'Its details are gone.' },
  },
};

const ofClass = (type: Type) => ({ $ref: getSchemaPath(type) });

/** What `data` is. A customer’s is that of today. */
const DATA: Readonly<Record<Subject, object>> = {
  charge: ofClass(ChargeDetailDto),
  payout: ofClass(PayoutDto),
  refund: ofClass(RefundDto),
  dispute: ofClass(DisputeDto),
  customer: { anyOf: [ofClass(CustomerDto), ERASED] },
  balance: ofClass(BalanceDto),
};

const HEADERS: readonly (readonly [name: string, description: string, example: string])[] = [
  ['webhook-id', 'Id of the event, the same at every attempt.', ID],
  ['webhook-timestamp', 'Seconds since the epoch, of this attempt.', '1769847330'],
  [
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
];

const typeOf = (kind: string) => ({ type: 'string', enum: [kind], description: 'The kind.' });

/** Of every event, in its order. */
const HEAD = {
  id: { type: 'string', format: 'uuid', description: 'The same as the header webhook-id.' },
  timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
  merchant_id: { type: 'string', format: 'uuid' },
};
const SEQUENCE = {
  sequence: { type: 'integer', format: 'int64', description: '1, 2, 3 … over all kinds, without gaps.', example: 42 },
  previous_sequence: {
    type: ['integer', 'null'],
    format: 'int64',
    description: 'The event before it among the kinds that are sent; null: there is none.',
    example: 41,
  },
};

const objectOf = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties });

/** A test is about no event, and is not counted. */
const TEST = objectOf({ ...HEAD, type: typeOf('test'), data: { type: 'object', description: 'Empty.', example: {} } });

/** The `webhooks` of the merchants' OpenAPI document. */
export const WEBHOOKS: Readonly<Record<string, object>> = {
  ...Object.fromEntries(EVENT_KINDS.map((kind) => [kind, { post: operationOf(kind, TOLD[kind], eventOf(kind, kind.split('.')[0] as Subject)) }])),
  test: { post: operationOf('test', 'You asked for a test.', TEST) },
};

function eventOf(kind: EventKind, subject: Subject): object {
  return objectOf({ ...HEAD, ...SEQUENCE, type: typeOf(kind), data: DATA[subject] });
}

function operationOf(kind: string, description: string, schema: object): object {
  const name = kind.split(/[._]/).map((part) => part[0]!.toUpperCase() + part.slice(1));
  return {
    operationId: `on${name.join('')}`,
    summary: kind,
    description,
    tags: ['Webhooks'],
    security: [],
    parameters: HEADERS.map(([header, description, example]) => ({
      ...{ in: 'header', name: header, required: true, description, example },
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Taken. Anything else, a redirect too, is tried again on the schedule of retries.' },
      '410': { description: 'There is nobody here any more: the webhook is disabled.' },
    },
  };
}

import { getSchemaPath } from '@nestjs/swagger';
import type { Type } from '@nestjs/common';
import { ID } from '../../platform/http/answer-fields.js';
import { BalanceDto } from '../balances/balances.dto.js';
import { ChargeDetailDto } from '../charges/charges.dto.js';
import { CustomerDto } from '../customers/customers.dto.js';
import { DisputeDto } from '../charges/disputes/disputes.dto.js';
import { EVENT_KINDS, type EventKind } from '../../ledger/published/outbox-messages.js';
import { RefundDto } from '../charges/refunds/refunds.dto.js';
import { PayoutDto } from '../payouts/payouts.dto.js';

/** Description of each kind. A kind without one does not compile. */
const TOLD: Readonly<Record<EventKind, string>> = {
  'charge.created': 'A charge was created.',
  'charge.succeeded': 'A charge was paid. Also sent for a late payment of an expired or cancelled charge.',
  'charge.failed': 'The payment failed.',
  'charge.expired': 'The charge was not paid in time. Money that arrives later still makes it succeed.',
  'charge.cancelled': 'You cancelled the charge.',
  'charge.settled': 'The money of a charge is available.',
  'charge.reversed': 'The payment was reversed, and its net amount deducted.',
  'payout.created': 'A payout was requested; its amount is reserved.',
  'payout.processing': 'The bank has the payout.',
  'payout.succeeded': 'The bank has paid the payout.',
  'payout.failed': 'The bank refused the payout; the amount is available again.',
  'payout.cancelled': 'You cancelled the payout, or it was not approved; the amount is available again.',
  'payout.reversed': 'The bank account returned the money; net amount and fee are available again.',
  'customer.created': 'A customer was created.',
  'customer.updated': 'A customer was changed.',
  'customer.deleted': 'A customer was deleted; `data` is `{id, deleted: true}`, also in earlier events that are sent late.',
  'balance.updated': 'A balance has changed. Follows the event that changed it.',
  'refund.created': 'A refund was requested; its net amount is held.',
  'refund.processing': 'The processor has the refund.',
  'refund.succeeded': 'The customer has the money.',
  'refund.failed': 'The processor refused the refund, or returned it after it had succeeded; the net amount is credited to you again.',
  'refund.cancelled': 'The refund was cancelled; the net amount is credited to you again.',
  'dispute.opened': 'A customer disputes a payment. After an inquiry stage the money is held, as balance.updated shows. Answer until due_by.',
  'dispute.reopened': 'A dispute that you had won was reopened at a later stage, and the money is held again.',
  'dispute.due_soon': 'A dispute waits for your answer, and due_by is near.',
  'dispute.under_review': 'You have challenged the dispute.',
  'dispute.won': 'You have won the dispute, and the money is credited to you again.',
  'dispute.lost': 'The customer keeps the money: you accepted the dispute, did not answer in time, or the processor decided.',
};

type Subject = EventKind extends infer Kind ? (Kind extends `${infer About}.${string}` ? About : never) : never;

const ERASED = {
  type: 'object',
  required: ['id', 'deleted'],
  properties: {
    id: { type: 'string', format: 'uuid', description: 'Id of the deleted customer.' },
    deleted: { type: 'boolean', enum: [true], description: 'The details of the customer are erased.' },
  },
};

const ofClass = (type: Type) => ({ $ref: getSchemaPath(type) });

/** Schema of `data` by subject. A customer has its current data. */
const DATA: Readonly<Record<Subject, object>> = {
  charge: ofClass(ChargeDetailDto),
  payout: ofClass(PayoutDto),
  refund: ofClass(RefundDto),
  dispute: ofClass(DisputeDto),
  customer: { oneOf: [ofClass(CustomerDto), ERASED] },
  balance: ofClass(BalanceDto),
};

const HEADERS: readonly (readonly [name: string, description: string, example: string])[] = [
  ['webhook-id', 'Id of the event, the same at every attempt.', ID],
  ['webhook-timestamp', 'Time of this attempt, in seconds since the epoch.', '1769847330'],
  [
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
];

const typeOf = (kind: string) => ({ type: 'string', enum: [kind], description: 'The kind.' });

/** Fields of every event, in their order. */
const HEAD = {
  id: { type: 'string', format: 'uuid', description: 'Equal to the header webhook-id.' },
  timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
  merchant_id: { type: 'string', format: 'uuid' },
};
const SEQUENCE = {
  sequence: { type: 'integer', format: 'int64', description: '1, 2, 3 … over all kinds, without gaps.', example: 42 },
  previous_sequence: {
    type: ['integer', 'null'],
    format: 'int64',
    description: 'Sequence of the previous event among the kinds that are sent; null for the first.',
    example: 41,
  },
};

const objectOf = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties });

/** A test has no event and no sequence. */
const TEST = objectOf({ ...HEAD, type: typeOf('test'), data: { type: 'object', description: 'Always empty.', example: {} } });

/** The `webhooks` of the merchants' OpenAPI document. */
export const WEBHOOKS: Readonly<Record<string, object>> = {
  ...Object.fromEntries(EVENT_KINDS.map((kind) => [kind, { post: operationOf(kind, TOLD[kind], eventOf(kind, kind.split('.')[0] as Subject)) }])),
  test: { post: operationOf('test', 'You requested a test.', TEST) },
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
      '2XX': { description: 'Accepted. Any other status, including a redirect, is retried on the schedule of retries.' },
      '410': { description: 'The receiver is gone: the web-hook is disabled.' },
    },
  };
}

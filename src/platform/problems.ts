/**
 * Every refusal that a client can receive, by name. One exhaustive record has the status, the title and the text of the page under /problems of each;
 * a code without an entry does not compile.
 */

export type ProblemCode =
  | 'validation-failed'
  | 'malformed-json'
  | 'malformed-request'
  | 'idempotency-key-missing'
  | 'idempotency-key-malformed'
  | 'unauthenticated'
  | 'insufficient-scope'
  | 'insufficient-role'
  | 'own-proposal'
  | 'not-found'
  | 'method-not-allowed'
  | 'request-timeout'
  | 'state-conflict'
  | 'digest-mismatch'
  | 'precondition-failed'
  | 'body-too-large'
  | 'unsupported-media-type'
  | 'idempotency-key-reused'
  | 'insufficient-balance'
  | 'refund-not-available'
  | 'refund-exceeds-charge'
  | 'charge-disputed'
  | 'evidence-missing'
  | 'evidence-limit-reached'
  | 'amount-out-of-range'
  | 'channel-not-available'
  | 'currency-mismatch'
  | 'action-flow-not-supported'
  | 'record-full'
  | 'statement-refused'
  | 'rate-limited'
  | 'headers-too-large'
  | 'internal-error'
  | 'record-busy'
  | 'unavailable';

/** The fault of one field of a body (`pointer`, RFC 6901) or of one query parameter (`parameter`). */
export type FieldError = ({ readonly pointer: string } | { readonly parameter: string }) & {
  /** Stable, for programs: `required`, `unknown-field`, `out-of-range` … */
  readonly code: string;
  /** A text for people; may change. */
  readonly detail: string;
};

export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** Text of the page under /problems/<code>: the cause and the remedy. */
  readonly explanation: string;
  /** Sent with every answer of this kind, unless the thrower gives its own. */
  readonly headers?: Readonly<Record<string, string>>;
}

export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = {
  'validation-failed': {
    status: 400,
    title: 'The request is not valid',
    explanation:
      'One or more fields of the body or query parameters are missing, unknown or invalid. The member "errors" lists all of them: "pointer" identifies a field of the body, "parameter" a query parameter. Nothing was recorded, and the Idempotency-Key is still unused: correct the request and send it again.',
  },
  'malformed-json': {
    status: 400,
    title: 'The body is not valid JSON',
    explanation:
      'The body is not one JSON document in UTF-8: it has a syntax error, bytes that are not UTF-8, a duplicate name in an object, or too many nested levels. Nothing was recorded.',
  },
  'malformed-request': {
    status: 400,
    title: 'The request is not valid HTTP',
    explanation: 'The request is not a valid HTTP request: its request line, a header or its body framing is malformed. Nothing was recorded.',
  },
  'idempotency-key-missing': {
    status: 400,
    title: 'The Idempotency-Key header is missing',
    explanation:
      'Creating a record requires the header Idempotency-Key, so that a request that is sent twice creates only one record. Send a new random value, such as a UUID, for each record, and the same value when you repeat a request.',
  },
  'idempotency-key-malformed': {
    status: 400,
    title: 'The Idempotency-Key header is malformed',
    explanation:
      'The header Idempotency-Key must be sent once and contain 1 to 255 printable ASCII characters, bare or as a quoted structured-field string.',
  },
  unauthenticated: {
    status: 401,
    title: 'The request is not authenticated',
    explanation:
      'The request needs a valid key in the header "Authorization: Bearer …". The key is missing, mistyped, unknown, expired or revoked. ' +
      'A merchant’s keys begin with sk_test_ or sk_live_.',
    headers: { 'www-authenticate': 'Bearer realm="chargebook"' },
  },
  'insufficient-scope': {
    status: 403,
    title: 'The key lacks the permission',
    explanation:
      'The key is valid, but it does not have the scope that this operation needs, or it is the wrong kind of key: merchants’ keys work under /v1, keys of finance and of operators under /audit. The WWW-Authenticate header names the scope.',
  },
  'insufficient-role': {
    status: 403,
    title: 'The operator lacks the role',
    explanation:
      'This operation needs an operator’s key, which begins with ok_, and a role of that operator: a preparer proposes, an approver approves, and a controller approves changes of rules. Nothing was recorded.',
  },
  'own-proposal': {
    status: 403,
    title: 'The proposal is the operator’s own',
    explanation:
      'A proposal must be approved by another operator than the one who made it, whatever keys they use. Nothing was recorded. The operator who made the proposal can withdraw it.',
  },
  'not-found': {
    status: 404,
    title: 'There is no such record or path',
    explanation: 'Your key has no record at this address. A record of another merchant, an unknown id and a malformed id all return this problem.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed',
    explanation: 'The path exists, but not for this HTTP method. The Allow header lists the methods that it accepts.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    explanation: 'The headers or the body of the request did not arrive in time, and the connection was closed. Nothing was recorded.',
  },
  'state-conflict': {
    status: 409,
    title: 'The state of the record does not allow this',
    explanation:
      'The record has changed to a state that does not allow the operation; for example, a paid charge cannot be cancelled. Read the record again before you decide how to continue. Nothing was changed.',
  },
  'digest-mismatch': {
    status: 409,
    title: 'The digest does not match',
    explanation:
      'The digest in the request differs from the digest of the recorded data: the record has changed since it was shown. Read it again before you decide. Nothing was recorded.',
  },
  'precondition-failed': {
    status: 412,
    title: 'The record has changed',
    explanation:
      'The If-Match header names a version of the record that is no longer current. Read the record again, and repeat the change with the new ETag.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    explanation:
      'The maximum is 64 KiB for a request body, 5 MiB for a file of dispute evidence, and 256 MiB for a bank’s statement. Nothing was recorded.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The media type of the body is not supported',
    explanation:
      'Bodies are JSON in UTF-8: send "Content-Type: application/json". Evidence of a dispute is sent as a file of type application/pdf, image/png, image/jpeg or text/plain. Nothing was recorded.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The Idempotency-Key belongs to another request',
    explanation: 'This Idempotency-Key was used before with another body. A key belongs to one request permanently: use a new key for a new record.',
  },
  'insufficient-balance': {
    status: 422,
    title: 'The available balance is too low',
    explanation:
      'The payout is larger than the available balance in its currency; or the refund’s net amount is, and the charge is in a settlement or settled. Nothing was recorded, and the Idempotency-Key is still unused.',
  },
  'refund-not-available': {
    status: 422,
    title: 'The charge cannot be refunded',
    explanation:
      'The payment channel does not support refunds, or refunds only the whole charge, or its period for refunds has ended (see "refund" in GET /v1/merchants/me/channels); the charge has 100 refunds; or the payment provider does not support refunds. Nothing was recorded.',
  },
  'refund-exceeds-charge': {
    status: 422,
    title: 'The refund exceeds the rest of the charge',
    explanation:
      'The pending, processing and succeeded refunds of a charge cannot exceed its amount: "refundable_amount" of the charge is the rest. Nothing was recorded, and the Idempotency-Key is still unused.',
  },
  'charge-disputed': {
    status: 409,
    title: 'The charge has an open dispute',
    explanation:
      'The customer has disputed the charge with the payment processor, which decides about the money. The charge cannot be refunded while the dispute is open. Read the dispute, and try again when it has ended if anything is left of the charge. Nothing was recorded, and the Idempotency-Key is still unused.',
  },
  'evidence-missing': {
    status: 422,
    title: 'The dispute has no evidence',
    explanation: 'A challenge of a dispute needs evidence: add a file first, such as a receipt or a proof of delivery. Nothing was recorded.',
  },
  'evidence-limit-reached': {
    status: 422,
    title: 'The dispute has reached the limit of evidence',
    explanation:
      'A dispute takes at most 10 files and 20 MiB in total. The existing files remain and can be sent with a challenge. Nothing was recorded.',
  },
  'amount-out-of-range': {
    status: 422,
    title: 'The amount is out of range',
    explanation:
      'The amount is outside the bounds of the payment channel (see GET /v1/merchants/me/channels) or of its payment provider, is not a whole number of rupiah although money is live, or does not exceed the fee of the payout; or the payout less its fee is not a whole number of rupiah although its bank requires one. Amounts are in minor units: 10000 stands for 100.00.',
  },
  'channel-not-available': {
    status: 422,
    title: 'The payment channel is not available',
    explanation:
      'The payment channel exists but is not enabled for this merchant (GET /v1/merchants/me/channels lists the enabled ones), or no payment provider serves it for a live merchant. Nothing was recorded.',
  },
  'currency-mismatch': {
    status: 422,
    title: 'The currency does not match',
    explanation: 'The currency is not the currency of the payment channel, or the merchant has no balance in it.',
  },
  'action-flow-not-supported': {
    status: 422,
    title: 'The payment channel does not offer this flow',
    explanation: 'QR channels take the flows payload and embedded, all others redirection and embedded.',
  },
  'record-full': {
    status: 422,
    title: 'The record has reached the limit of changes',
    explanation:
      'A record keeps all of its changes permanently, and their number is limited: a customer can be updated 10,000 times, a merchant’s webhook set or deleted 10,000 times. The record remains readable; a customer can still be deleted. Nothing was recorded.',
  },
  'statement-refused': {
    status: 422,
    title: 'The statement is refused',
    explanation:
      'The file does not have the format of the source, contradicts itself, or contradicts earlier files. "reason" is one of: unreadable, wrong-account, sum (balances or totals differ from the lines), gap (it does not continue where the last statement ended), reissued and batch-changed (the same number or batch with other content), scale (amounts are a hundred times or a hundredth of the paid amounts), future, or precision (an amount has more decimals than its currency, zeros included). "line", "expected" and "found" locate the error. No part of the file is accepted.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    explanation:
      'The merchant has sent more requests than its rate limit allows, or has more slow lists open than the service processes for it at once; or, without a key, the address has. Wait for the number of seconds in the Retry-After header. The headers RateLimit-Policy and RateLimit, on every response to a key, contain the limit and the remaining requests.',
    headers: { 'retry-after': '1' },
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    explanation: 'The request line and the headers together are limited to 16 KiB.',
  },
  'internal-error': {
    status: 500,
    title: 'The service failed',
    explanation:
      'The request failed because of an error in the service. The error is logged under the request_id of this response; include it when you contact support. A creation can be repeated with the same Idempotency-Key.',
  },
  'record-busy': {
    status: 503,
    title: 'The record kept changing',
    explanation:
      'Other requests changed the same record for as long as this request could wait, or the record has a long history that was still being read. Nothing was recorded. Wait for the number of seconds in the Retry-After header and repeat the request.',
    headers: { 'retry-after': '1' },
  },
  unavailable: {
    status: 503,
    title: 'The service is unavailable',
    explanation:
      'The event store or the database cannot be reached, or the service is overloaded or shutting down. Wait for the number of seconds in the Retry-After header and repeat the request. Repeat a creation with the same Idempotency-Key; it never creates a second record.',
    headers: { 'retry-after': '1' },
  },
};

export interface ProblemOptions {
  readonly errors?: readonly FieldError[];
  /** Extends or overrides the headers of the problem's kind. Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Members that only this kind of problem has (RFC 9457, 3.2). */
  readonly members?: Readonly<Record<string, string | number | null>>;
}

/** A refusal that the client receives. `detail` is shown: no internal names, no personal data. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly members: ProblemOptions['members'];

  constructor(
    readonly code: ProblemCode,
    detail: string,
    options: ProblemOptions = {},
  ) {
    super(detail);
    this.errors = options.errors;
    this.headers = options.headers;
    this.members = options.members;
  }

  get detail(): string {
    return this.message;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

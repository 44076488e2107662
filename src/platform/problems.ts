/**
 * Every refusal that a client can see, by name. One exhaustive record gives each its status, title and the words of
 * its page under /problems; a code without an entry does not compile.
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

/** What is wrong with one field of a body (`pointer`, RFC 6901) or one query parameter (`parameter`). */
export type FieldError = ({ readonly pointer: string } | { readonly parameter: string }) & {
  /** Stable, for programs: `required`, `unknown-field`, `out-of-range` … */
  readonly code: string;
  /** For people; may change. */
  readonly detail: string;
};

export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** For the page under /problems/<code>: what happened, and what to do about it. */
  readonly explanation: string;
  /** Sent with every answer of this kind, unless the thrower gives its own. */
  readonly headers?: Readonly<Record<string, string>>;
}

export const PROBLEMS: Readonly<Record<ProblemCode, ProblemKind>> = {
  'validation-failed': {
    status: 400,
    title: 'The request is not valid',
    explanation:
      'One or more fields of the body, or query parameters, are missing, unknown or have a value that is not accepted. ' +
      'The member "errors" lists every one of them: "pointer" leads to a field of the body, "parameter" names a query parameter. ' +
      'Nothing was recorded and the Idempotency-Key is still free: correct the request and send it again.',
  },
  'malformed-json': {
    status: 400,
    title: 'The body is not JSON',
    explanation:
      'The body could not be read as one JSON document in UTF-8: a syntax error, bytes that are not UTF-8, the same name twice ' +
      'in one object, or nesting that is too deep. Nothing was recorded.',
  },
  'malformed-request': {
    status: 400,
    title: 'The request is not HTTP',
    explanation: 'The request could not be read as an HTTP request: its request line, a header or its body framing is broken. Nothing was recorded.',
  },
  'idempotency-key-missing': {
    status: 400,
    title: 'The Idempotency-Key header is missing',
    explanation:
      'Creating a record requires the header Idempotency-Key, so that a request that is sent twice creates one record only. ' +
      'Send a new random value (a UUID is a good choice) for each record, and the same value when you repeat a request.',
  },
  'idempotency-key-malformed': {
    status: 400,
    title: 'The Idempotency-Key header is malformed',
    explanation:
      'The header Idempotency-Key must be sent once and hold 1 to 255 printable ASCII characters, bare or as a quoted structured-field string.',
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
    title: 'The key may not do this',
    explanation:
      'The key is valid, but was not given the scope that this operation needs, or it is of the wrong kind: merchants’ keys work under /v1, those of finance and of operators under /audit. ' +
      'The WWW-Authenticate header names the scope.',
  },
  'insufficient-role': {
    status: 403,
    title: 'The person may not do this',
    explanation:
      'Acts take a key of a person of the house, which begins with ok_, and a role that the person was given: ' +
      'a preparer proposes, an approver approves, and a controller does so for what changes rules. Nothing was recorded.',
  },
  'own-proposal': {
    status: 403,
    title: 'It is the person’s own proposal',
    explanation:
      'What one person proposes another one approves, whatever keys they use. Nothing was recorded; who has made a proposal can withdraw it.',
  },
  'not-found': {
    status: 404,
    title: 'There is no such record or path',
    explanation:
      'Nothing of yours is at this address. A record of somebody else, an id that does not exist and an id that is malformed all answer the same.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed here',
    explanation: 'The path exists, but not for this HTTP method. The Allow header lists the methods that do.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    explanation: 'The headers or the body of the request did not arrive in time, and the connection was closed. Nothing was recorded.',
  },
  'state-conflict': {
    status: 409,
    title: 'The record’s state does not allow this',
    explanation:
      'The record has moved on (for example, a paid charge cannot be cancelled). Read it again before deciding what to do. Nothing was changed.',
  },
  'digest-mismatch': {
    status: 409,
    title: 'Something else was shown',
    explanation:
      'The digest is not that of what is recorded: what was read is not what would be approved. Read the record again before deciding. Nothing was recorded.',
  },
  'precondition-failed': {
    status: 412,
    title: 'The record has changed',
    explanation:
      'The If-Match header names a version of the record that is not the current one any more. Read it again, and repeat the change with the new ETag.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    explanation:
      'The body of a request may have 64 KiB at most, a file that is evidence of a dispute 5 MiB, a bank’s statement 256 MiB. Nothing was recorded.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The body’s media type is not supported',
    explanation:
      'Bodies are JSON in UTF-8: send "Content-Type: application/json". ' +
      'Evidence of a dispute is application/pdf, image/png, image/jpeg or text/plain, and sent as it is. Nothing was recorded.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The Idempotency-Key belongs to another request',
    explanation: 'This Idempotency-Key was used before with another body. A key belongs to one request for ever: use a new one for a new record.',
  },
  'insufficient-balance': {
    status: 422,
    title: 'The available balance is too low',
    explanation:
      'The payout, or the net amount of the refund of a charge that is being settled or is settled, is larger than what is available in its currency. ' +
      'Nothing was recorded and the Idempotency-Key is still free.',
  },
  'refund-not-available': {
    status: 422,
    title: 'The charge cannot be refunded',
    explanation:
      'The payment channel gives nothing back, or the whole charge only, or its time for refunds is over (see "refund" in GET /v1/merchants/me/channels); ' +
      'the charge has 100 refunds; or the payment provider gives nothing back. Nothing was recorded.',
  },
  'refund-exceeds-charge': {
    status: 422,
    title: 'The refund is larger than what is left of the charge',
    explanation:
      'Refunds of a charge that are pending, under way or have succeeded add up to its amount at most: "refundable_amount" of the charge says what is left. ' +
      'Nothing was recorded and the Idempotency-Key is still free.',
  },
  'charge-disputed': {
    status: 409,
    title: 'A dispute of the charge is open',
    explanation:
      'The customer has disputed the charge with the payment processor, which decides where the money goes: nothing else is given back meanwhile. ' +
      'Read the dispute, and try again when it has ended, if anything is left of the charge. Nothing was recorded and the Idempotency-Key is still free.',
  },
  'evidence-missing': {
    status: 422,
    title: 'The dispute has no evidence',
    explanation: 'A dispute is challenged with evidence: add a file to it first, such as a receipt or the proof of a delivery. Nothing was recorded.',
  },
  'evidence-limit-reached': {
    status: 422,
    title: 'The dispute has as much evidence as it may have',
    explanation: 'A dispute takes 10 files with 20 MiB together. What is there stays, and can be sent with a challenge. Nothing was recorded.',
  },
  'amount-out-of-range': {
    status: 422,
    title: 'The amount is out of range',
    explanation:
      'The amount is outside the bounds of the payment channel (see GET /v1/merchants/me/channels) or of its payment provider, is no whole number of rupiah ' +
      'where money is live, or does not exceed the fee of the payout; or what is left of a payout after its fee is no whole number of rupiah where its bank takes none. ' +
      'Amounts are in minor units: 10000 stands for 100.00.',
  },
  'channel-not-available': {
    status: 422,
    title: 'The payment channel is not available',
    explanation:
      'The payment channel exists but is not switched on for this merchant (GET /v1/merchants/me/channels lists those that are), ' +
      'or no payment provider serves it for a live merchant. Nothing was recorded.',
  },
  'currency-mismatch': {
    status: 422,
    title: 'The currency does not fit',
    explanation: 'The currency is not the one of the payment channel, or the merchant holds no balance in it.',
  },
  'action-flow-not-supported': {
    status: 422,
    title: 'The payment channel does not offer this flow',
    explanation: 'QR channels take the flows payload and embedded, all others redirection and embedded.',
  },
  'record-full': {
    status: 422,
    title: 'The record has been changed as often as it may be',
    explanation:
      'A record keeps every change for ever, and the number of changes has a bound: a customer can be updated 10,000 times, a merchant’s webhook set or deleted 10,000 times. ' +
      'The record stays as it is and can be read; a customer can still be deleted. Nothing was recorded.',
  },
  'statement-refused': {
    status: 422,
    title: 'The statement is refused',
    explanation:
      'The file is not what the source’s files are, contradicts itself, or does not fit to those before it. "reason" names which: unreadable, wrong-account, ' +
      'sum (balances or totals are not those of the lines), gap (it does not begin where the last one ended), reissued and batch-changed (the same number or batch with other content), ' +
      'scale (amounts are a hundredfold or a hundredth of what was paid), future or precision (an amount has more decimals than its currency, zeros included). "line", "expected" and "found" lead to the place. Nothing of it counts.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    explanation:
      'The merchant has sent more requests than its rate allows, or has more lists open that take long than are worked on for it; ' +
      'or, without a key, the address has. ' +
      'Wait for the number of seconds in the Retry-After header. ' +
      'The headers RateLimit-Policy and RateLimit, on every answer to a key, say what is allowed and what is left.',
    headers: { 'retry-after': '1' },
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    explanation: 'The request line and the headers together may have 16 KiB at most.',
  },
  'internal-error': {
    status: 500,
    title: 'Something went wrong on our side',
    explanation:
      'The request met a fault of the service. It is logged under the request_id of the answer; please quote it when you ask for help. A create may be repeated with the same Idempotency-Key.',
  },
  'record-busy': {
    status: 503,
    title: 'The record kept changing',
    explanation:
      'Others changed the same record for as long as this request could wait, or it has a long history that was still being read. Nothing was recorded. ' +
      'Wait for the number of seconds in the Retry-After header and repeat the request.',
    headers: { 'retry-after': '1' },
  },
  unavailable: {
    status: 503,
    title: 'The service cannot answer just now',
    explanation:
      'The event store or the database cannot be reached, or the service is overloaded or shutting down. Wait for the number of seconds in the Retry-After header and repeat the request; ' +
      'a create with the same Idempotency-Key, which never creates a second record.',
    headers: { 'retry-after': '1' },
  },
};

export interface ProblemOptions {
  readonly errors?: readonly FieldError[];
  /** Added to the headers of the problem's kind, or in their place. Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Members of this kind of problem alone (RFC 9457, 3.2). */
  readonly members?: Readonly<Record<string, string | number | null>>;
}

/** A refusal on its way to the client. `detail` is shown: no internal names, no personal data. */
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

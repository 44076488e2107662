/** The fault of one field of a body (`pointer`, RFC 6901) or of one query parameter (`parameter`). */
export type FieldError = ({ readonly pointer: string } | { readonly parameter: string }) & {
  /** Stable, for programs: `required`, `unknown-field`, `out-of-range` … */
  readonly code: string;
  /** A text for people; may change. */
  readonly detail: string;
};

/** A kind of refusal. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** Text of the page under /problems/<code>: the cause and the remedy. */
  readonly explanation: string;
  /** Sent with every answer of this kind, unless the thrower gives its own. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type ProblemKinds<Code extends string = string> = Readonly<Record<Code, ProblemKind>>;

export interface ProblemOptions {
  readonly errors?: readonly FieldError[];
  /** Extends or overrides the headers of the problem's kind. Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Members that only this kind of problem has (RFC 9457, 3.2). */
  readonly members?: Readonly<Record<string, string | number | null>>;
}

/** A refusal that the client receives. `detail` is shown: no internal names, no personal data. */
export abstract class Problem extends Error {
  override readonly name = 'Problem';
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly members: ProblemOptions['members'];

  /** @param code identifies the kind, for programs */
  protected constructor(
    readonly code: string,
    readonly kind: ProblemKind,
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
    return this.kind.status;
  }
}

const KINDS = {
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
  'not-in-the-past': {
    status: 404,
    title: 'This has no past',
    explanation:
      'The path exists, but not as of a past moment: deliveries of webhooks, the state of rails, proofs of the log and open moments do not follow from the events alone. Ask for it without "/at/<position>".',
  },
  'read-only-moment': {
    status: 405,
    title: 'The past is read-only',
    explanation: 'The addresses below "/at/<position>" accept GET and HEAD only. Nothing was recorded.',
    headers: { allow: 'GET, HEAD' },
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    explanation: 'The headers or the body of the request did not arrive in time, and the connection was closed. Nothing was recorded.',
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
} as const satisfies ProblemKinds;

export type HttpProblemCode = keyof typeof KINDS;

/** Refusals of the edge, which every service has. */
export const HTTP_PROBLEMS: ProblemKinds<HttpProblemCode> = KINDS;

/** A refusal of the edge. */
export class HttpProblem extends Problem {
  constructor(code: HttpProblemCode, detail: string, options?: ProblemOptions) {
    super(code, HTTP_PROBLEMS[code], detail, options);
  }
}

import { HTTP_PROBLEMS, type HttpProblemCode, Problem, type ProblemKinds, type ProblemOptions } from '../platform/problem.js';

const KINDS = {
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
  'state-conflict': {
    status: 409,
    title: 'The state of the record does not allow this',
    explanation:
      'The record has changed to a state that does not allow the operation; for example, a paid charge cannot be cancelled. Read the record again before you decide how to continue. Nothing was changed.',
  },
  'moment-not-open': {
    status: 404,
    title: 'The moment is not open',
    explanation:
      'The addresses below "/at/<position>" answer as of that event once its read models are built. Open the moment with POST /audit/moments, or with "chargebook at open". It is closed when it has not been used for some days.',
  },
  'too-many-moments': {
    status: 409,
    title: 'Too many moments are open',
    explanation:
      'Each open moment takes as much room on the disk as the read models, so their number is limited (POINT_IN_TIME_MAX). Close the one that "detail" names, which has not been used for longest, or another one: DELETE /audit/moments/{position}, or "chargebook at close".',
  },
  'month-open': {
    status: 409,
    title: 'The month is not closed',
    explanation: 'A moment was requested as of the close of a month that has not been closed. Name a time or a position instead.',
  },
  'digest-mismatch': {
    status: 409,
    title: 'The digest does not match',
    explanation:
      'The digest in the request differs from the digest of the recorded data: the record has changed since it was shown. Read it again before you decide. Nothing was recorded.',
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
} as const satisfies ProblemKinds;

export type ProblemCode = HttpProblemCode | keyof typeof KINDS;

/** Every refusal that a client can receive, with its status, its title and the text of its page under /problems. */
export const PROBLEMS: ProblemKinds<ProblemCode> = { ...HTTP_PROBLEMS, ...KINDS };

/** A refusal of the edge or of the ledger. */
export class LedgerProblem extends Problem {
  constructor(code: ProblemCode, detail: string, options?: ProblemOptions) {
    super(code, PROBLEMS[code], detail, options);
  }
}

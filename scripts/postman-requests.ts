/** How the collection sends an operation: ids from the responses of earlier requests, in the collection's variables, in place of examples. */
export interface Sending {
  /** Values of path parameters, without which those named `id` stay examples. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Members of the body in place of those of its example. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The file that the operation takes. */
  readonly file?: { readonly type: string; readonly text: string };
  /** The variable of the key, where it is not that of the operation's kind. */
  readonly key?: string;
  /** Variables by name, and where the response has their values: JavaScript, with the response as `body`. */
  readonly saves?: Readonly<Record<string, string>>;
  /** Sends the request again until this JavaScript holds. */
  readonly until?: string;
  /** Statuses besides success, because the record may be in another state. */
  readonly or?: readonly number[];
}

export interface Step extends Sending {
  readonly name: string;
  readonly operation: string;
}

const TOKEN = `body.action.simulation_url.split('/').pop()`;
const paid = { operation: 'simulateCharge', body: { outcome: 'SUCCEED' } } as const;
const disputed = (reference: string, amount: number) => ({ outcome: 'DISPUTE-OPEN', reason: 'Goods not received', reference, amount });
const SOURCE = '{{source}}';
const BREAK = { path: { id: '{{break}}' } } as const;

/** The records that the other requests need. */
export const FIRST: readonly Step[] = [
  { name: 'Read the merchant', operation: 'getMerchant', saves: { merchant: 'body.id' } },
  { name: 'Create a charge', operation: 'createCharge', body: { amount: 10_000_000 }, saves: { paidCharge: 'body.id', paidToken: TOKEN } },
  { name: 'Pay it', ...paid, path: { token: '{{paidToken}}' } },
  { name: 'Settle it', ...paid, path: { token: '{{paidToken}}' }, body: { outcome: 'SETTLE' } },
  { name: 'Pay out', operation: 'createPayout', saves: { paidPayout: 'body.id' } },
  { name: 'Create a charge to dispute', operation: 'createCharge', saves: { disputedCharge: 'body.id', disputedToken: TOKEN } },
  { name: 'Pay the charge to dispute', ...paid, path: { token: '{{disputedToken}}' } },
  {
    name: 'Open a dispute to challenge',
    ...{ operation: 'simulateCharge', path: { token: '{{disputedToken}}' }, body: disputed('DSP-1', 4_000) },
    saves: { dispute: 'body.dispute.id' },
  },
  {
    name: 'Open a dispute to accept',
    ...{ operation: 'simulateCharge', path: { token: '{{disputedToken}}' }, body: disputed('DSP-2', 3_000) },
    saves: { acceptedDispute: 'body.dispute.id' },
  },
  { name: 'Create a charge to simulate', operation: 'createCharge', saves: { openToken: TOKEN } },
  { name: 'Create a customer to erase', operation: 'createCustomer', saves: { erasedCustomer: 'body.id' } },
  {
    name: 'Wait until the payout is paid',
    ...{ operation: 'getPayout', path: { id: '{{paidPayout}}' }, until: `body.payout_status === 'SUCCEEDED'` },
  },
];

/** Proposals that are not approved. */
export const FIRST_OF_FINANCE: readonly Step[] = ['rejected', 'withdrawn'].map((end) => ({
  name: `Make a proposal that is ${end}`,
  ...{ operation: 'makeProposal', body: { content: feeOf(end === 'rejected' ? 'QR_QRIS' : 'WALLET_OVO') }, saves: { [`${end}Proposal`]: 'body.id' } },
}));

function feeOf(channel_code: string): object {
  return { merchant_id: '{{merchant}}', of: { kind: 'charge', channel_code }, fee: { type: 'PERCENTAGE', value: 0.63 } };
}

const of = (variable: string, more: Sending = {}): Sending => ({ path: { id: `{{${variable}}}` }, ...more });
/** 409: its record may be beyond the state. */
const unlessLate = { or: [409] };

/** Sendings by operation; all other operations are sent as their examples. */
export const SENDINGS: Readonly<Record<string, Sending>> = {
  createCharge: { saves: { charge: 'body.id' } },
  ...Object.fromEntries(['getCharge', 'cancelCharge', 'listChargeEvents'].map((name) => [name, of('charge')])),
  createCustomer: { saves: { customer: 'body.id' } },
  updateCustomer: { body: { id: '{{customer}}' } },
  deleteCustomer: { query: { Id: '{{erasedCustomer}}' } },
  ...Object.fromEntries(['getCustomer', 'deleteCustomerById', 'listCustomerEvents'].map((name) => [name, of('customer')])),
  previewRefund: of('paidCharge'),
  createRefund: of('paidCharge', { saves: { refund: 'body.id' } }),
  listChargeRefunds: of('paidCharge'),
  getRefund: of('refund'),
  cancelRefund: of('refund', unlessLate),
  getDispute: of('dispute'),
  challengeDispute: of('dispute'),
  acceptDispute: of('acceptedDispute'),
  addDisputeEvidence: of('dispute', {
    file: { type: 'text/plain', text: 'Delivered on 30 January, signed by Sari Dewi.' },
    saves: { evidence: 'body.id' },
  }),
  getDisputeEvidence: { path: { id: '{{dispute}}', evidence_id: '{{evidence}}' } },
  createPayout: { saves: { payout: 'body.id' } },
  ...Object.fromEntries(['getPayout', 'listPayoutEvents'].map((name) => [name, of('payout')])),
  cancelPayout: of('payout', unlessLate),
  getRemittanceAdvice: of('paidPayout'),
  getAuditRemittanceAdvice: of('paidPayout'),
  listSettlements: { saves: { settlement: 'body[0].id' } },
  getSettlement: of('settlement'),
  testWebhook: { saves: { delivery: 'body.id' } },
  redeliverWebhook: of('delivery', unlessLate),
  simulateCharge: { path: { token: '{{openToken}}' } },

  listAuditEvents: { saves: { event: 'body.items[0].id' } },
  findRecords: { query: { Amount: '1000000' } },
  explainMerchantBalance: { path: { merchant: '{{merchant}}' } },
  listMerchantTerms: { path: { merchant: '{{merchant}}' } },
  getAuditSettlement: of('settlement'),
  ...Object.fromEntries(['getAuditPayout', 'listAuditPayoutEvents', 'listAuditPayoutFunding'].map((name) => [name, of('payout')])),
  // A policy decides which payouts await an approval; its digest is in the response of the payout.
  approvePayout: of('payout', unlessLate),
  declinePayout: of('payout', unlessLate),
  listOperators: { saves: { operator: 'body.items[0].id' } },
  getOperator: of('operator'),
  makeProposal: { body: { content: feeOf('WALLET_DANA') }, saves: { proposal: 'body.id', digest: 'body.digest' } },
  getProposal: of('proposal'),
  approveProposal: of('proposal', { key: 'approverKey', body: { digest: '{{digest}}' } }),
  rejectProposal: of('rejectedProposal', { key: 'approverKey' }),
  withdrawProposal: of('withdrawnProposal'),
  proveConsistency: { query: { First: '1' } },
  proveEvent: { query: { EventId: '{{event}}' } },
  openMoment: { body: { position: 1 }, or: [202] },
  getMoment: { path: { position: '1' } },
  closeMoment: { path: { position: '1' } },
  // No month is closed yet.
  getPeriod: { or: [404] },
  listPeriodCorrections: { or: [404] },

  setReconSource: { saves: { source: 'body.id' } },
  getReconSource: { path: { id: SOURCE } },
  importReconStatement: {
    path: { id: SOURCE },
    file: {
      type: 'application/octet-stream',
      text: 'Settlement Date,Batch,Type,Reference,Gross,Fee,VAT,Net,Currency,Customer\n31/01/2026,STL-1,Payment,unknown-1,100.00,0.70,0.07,99.23,IDR,Sari\n',
    },
    saves: { statement: 'body.id' },
  },
  runReconSource: { path: { id: SOURCE } },
  getReconStatement: of('statement'),
  listReconLines: { saves: { line: 'body.items[0].id' } },
  getReconLine: of('line'),
  listReconBreaks: { saves: { break: 'body.items[0].id' } },
  getReconBreak: BREAK,
  assignReconBreak: { ...BREAK, body: { owner: '{{operator}}' } },
  noteReconBreak: BREAK,
  // The break has no item in the books, and no charge awaits its payment.
  matchReconBreak: { ...BREAK, or: [404, 409, 422] },
  unmatchReconBreak: { ...BREAK, or: [409] },
  takeReconBreakAsPaid: { ...BREAK, or: [404, 409, 422] },
  // Only a bank's days are closed.
  getReconDay: { or: [404] },
  closeReconDay: { path: { id: SOURCE }, or: [409] },
};

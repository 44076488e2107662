import { approvalsOfAdjustment } from '../../../domain/approvals/adjustment-kind.js';
import { fieldsOfAdjustment } from '../../../domain/approvals/proposal-contents.js';
import { PROPOSAL_KINDS, type ProposalContent, type ProposalKindName } from '../../../domain/approvals/proposal-kind.js';
import { ADJUSTMENT_KINDS, type AdjustmentKind } from '../../../ledger/events/adjustment.events.js';
import { fieldsOf, type FormField } from './proposal-form-fields.js';

/** A form for proposals of a kind. */
export interface ProposalForm {
  /** Name in the form's address. */
  readonly name: string;
  readonly kind: ProposalKindName;
  /** Title in plain words. */
  readonly title: string;
  /** Effect of the proposal. */
  readonly about: string;
  /** Required approvals in words. */
  readonly takes: string;
  /** Fixed values of the content. */
  readonly fixed: ProposalContent;
  readonly fields: readonly FormField[];
}

type FormOf = Pick<ProposalForm, 'name' | 'title' | 'about'> &
  Partial<Pick<ProposalForm, 'takes' | 'fixed'>> & {
    /** Paths of the form's fields; absent: all that are not fixed. */
    readonly only?: readonly string[];
    /** Fields that this form requires although its kind does not. */
    readonly required?: readonly string[];
  };

const BY_APPROVER = 'An approver approves it.';
const BY_CONTROLLER = 'A controller approves it.';

const ADJUSTMENTS: Readonly<Record<AdjustmentKind, readonly [title: string, about: string]>> = {
  UNMATCHED_TO_MERCHANT: [
    'Give an unmatched payment to its merchant',
    'The item in suspense becomes available to the merchant, less the fee of its charge.',
  ],
  TOP_UP: ['Book an item as the merchant’s own money', 'The item in suspense becomes available to the merchant, whole.'],
  FEE_CORRECTION: ['Correct a fee', 'A fee goes back to the merchant; or, with the direction “back”, is taken from it.'],
  CLAWBACK: ['Take money back from a merchant', 'Available money of the merchant covers a loss of the platform. It may become negative.'],
  COVER: ['Cover a merchant’s loss', 'The platform bears it: the money becomes available to the merchant.'],
  UNMATCHED_SENT_BACK: ['Send an unmatched payment back', 'The processor gives it back to the customer; a negative line is expected of it.'],
  COST: ['Book an item as a cost', 'A processor or a bank has charged it to the platform.'],
  LOSS: ['Book an item as a loss', 'The platform has lost it.'],
  GAIN: ['Book an item as a gain', 'It has had no owner for 180 days.'],
  WRITE_OFF: ['Write off an open item at a processor', 'No line is expected; one that arrives is a break.'],
  OPENING: ['Open the books of a source', 'Books the amount that a bank held, or a processor owed, once per source.'],
};

/** The approvals that a kind of adjustment requires without a policy, in words. */
function approvalsInWords(kind: AdjustmentKind): string {
  const { approvals_required, controllers_required } = approvalsOfAdjustment({ kind, currency: '', amount: 1 }, []);
  if (controllers_required > 0) return 'Two operators approve it, one of them a controller.';
  return approvals_required === 2 ? 'Two approvers approve it.' : 'An approver approves it; a large amount needs two, if the policy requires it.';
}

function adjustmentForm(kind: AdjustmentKind): FormOf {
  const [title, about] = ADJUSTMENTS[kind];
  const { required, optional } = fieldsOfAdjustment(kind);
  const only = [...required, ...optional, 'currency', 'amount', 'relates_to'];
  return {
    name: `adjustment-${kind.toLowerCase().replaceAll('_', '-')}`,
    title,
    about,
    takes: approvalsInWords(kind),
    fixed: { kind },
    only,
    required,
  };
}

/** Forms by kind. Every kind has at least one. */
const FORMS: Readonly<Record<ProposalKindName, readonly FormOf[]>> = {
  POLICY: (['live', 'test'] as const).map((mode) => ({
    name: `policy-${mode}`,
    title: `Approval policy of ${mode} money`,
    about: 'The complete new policy of the mode; the form starts with the current one.',
    takes: BY_CONTROLLER,
    fixed: { mode },
  })),
  ROLES: [
    {
      name: 'roles',
      title: 'Roles of an operator',
      about: 'All new roles of the operator: roles that are not selected are removed.',
      takes: BY_CONTROLLER,
    },
  ],
  FEE: [
    {
      ...{ name: 'fee-charge', title: 'A merchant’s fee of charges', about: 'Set per payment channel. Existing charges keep their fee.' },
      ...{ fixed: { of: { kind: 'charge' } }, only: ['merchant_id', 'of.channel_code', 'fee.type', 'fee.value'], required: ['of.channel_code'] },
    },
    {
      ...{ name: 'fee-payout', title: 'A merchant’s fee of payouts', about: 'Set per currency. Existing payouts keep their fee.' },
      ...{ fixed: { of: { kind: 'payout' } }, only: ['merchant_id', 'of.currency', 'fee.type', 'fee.value'], required: ['of.currency'] },
    },
    {
      ...{ name: 'fee-dispute', title: 'A merchant’s fee of disputes', about: 'Charged for each lost dispute, set per currency.' },
      ...{ fixed: { of: { kind: 'dispute' }, fee: { type: 'FIXED' } }, only: ['merchant_id', 'of.currency', 'fee.value'], required: ['of.currency'] },
    },
  ],
  CHANNEL: [{ name: 'channel', title: 'A merchant’s payment channel', about: 'Empty fields stay unchanged.' }],
  RAIL: [
    {
      name: 'rail',
      title: 'Route of a merchant’s money',
      about: 'Which rail the merchant’s charges or payouts take from then on; the page Rails names them.',
    },
  ],
  CALENDAR: [
    {
      name: 'calendar',
      title: 'Holidays of a country and year',
      about: 'All holidays of that year, by which payments become due from then on. Earlier due dates stay.',
    },
  ],
  ADJUSTMENT: ADJUSTMENT_KINDS.map(adjustmentForm),
  BREAK_ACCEPT: [
    { name: 'break-accept', title: 'Leave a break until a day', about: 'Until that day has ended at its source it does not count as open.' },
  ],
  MATCH_DIFFERENCE: [
    {
      ...{
        name: 'match-difference',
        title: 'Book the difference of a break',
        about: 'The line and the item are matched, and their difference is booked.',
      },
      takes: 'Approvers decide, as about an adjustment of that amount.',
    },
  ],
  FORGET_FILE: [
    {
      ...{
        name: 'forget-file',
        title: 'Erase the people named in a statement’s file',
        about: 'The key of names and texts is destroyed; amounts, references and proofs stay.',
      },
      takes: BY_CONTROLLER,
    },
  ],
  PAYOUT_RESOLVE: [
    {
      name: 'payout-resolve',
      title: 'Result of a held payout',
      about: 'The result found at the bank: it is paid, or its amount is available again.',
    },
  ],
  SET_ASIDE: [
    {
      ...{
        name: 'set-aside',
        title: 'Skip an event',
        about: 'A projection that is stopped at the event skips it, now and in every replay.',
      },
      takes: BY_CONTROLLER,
    },
  ],
  MONTH_CLOSE: [
    {
      name: 'month-close',
      title: 'Close a month',
      about: 'The figures of the month are recorded. Months are closed in order.',
      takes: BY_CONTROLLER,
    },
  ],
  ACCEPT_DIFFERENCES: [
    {
      ...{ name: 'accept-differences', title: 'Accept the differences of a new build' },
      about: 'A build of the projection with exactly these differences may replace the live one: “projections rebuild NAME --proposal ID”.',
      takes: BY_CONTROLLER,
    },
  ],
};

function withFields(kind: ProposalKindName, { only, required = [], takes = BY_APPROVER, fixed = {}, ...form }: FormOf): ProposalForm {
  const asked = fieldsOf(kind).filter(({ at }) => (only ? only.includes(at) : !(at in fixed)));
  const fields = asked.map((field) => ({ ...field, isRequired: field.isRequired || required.includes(field.at) }));
  return { ...form, kind, takes, fixed, fields };
}

/** Every form, in the order of the kinds. */
export const PROPOSAL_FORMS: readonly ProposalForm[] = PROPOSAL_KINDS.flatMap((kind) => FORMS[kind].map((form) => withFields(kind, form)));

export const proposalForm = (name: string): ProposalForm | undefined => PROPOSAL_FORMS.find((form) => form.name === name);

/** A proposal in words: the title of its form. @param kind also of a later build */
export const proposalName = (kind: string, content: ProposalContent): string => formFor(kind, content)?.title ?? kind;

/** Returns the form whose fixed values match the content. Each kind that this build knows has one. */
export function formFor(kind: string, content: ProposalContent): ProposalForm | undefined {
  const isOf = (part: unknown, fixed: unknown): boolean =>
    typeof fixed === 'object'
      ? Object.entries(fixed as object).every(([name, value]) => isOf((part as ProposalContent | undefined)?.[name], value))
      : part === fixed;
  return PROPOSAL_FORMS.find((form) => form.kind === kind && isOf(content, form.fixed));
}

import { isAccountKind, isSuspenseKind, type AdjustmentKind } from '../../ledger/events/adjustment.events.js';
import type { ApprovalPolicy } from '../../ledger/events/approval-policy.events.js';
import { OPERATOR_ROLES } from '../../ledger/events/operator.events.js';
import { ApprovalPolicyContent, toApprovalPolicy } from '../operators/approval-policy.dto.js';
import { railUseOf } from '../../ledger/channels.js';
import { faultsOfObject, invalid, readObject, unknownField, type DtoClass, type MemberFault } from '../../platform/http/validation/validation.js';
import type { FeeSetting, RailRoute } from './merchant-kinds.js';
import type { AdjustmentContent } from './adjustment-kind.js';
import {
  AdjustmentContentDto,
  CalendarContent,
  ChannelContent,
  FeeContent,
  RailContent,
  RolesContent,
  BreakAcceptContent,
  MatchDifferenceContent,
  ForgetFileContent,
  MonthCloseContent,
  PayoutResolveContent,
  SetAsideContent,
  AcceptDifferencesContent,
} from './proposal-contents.dto.js';
import { CURRENCIES } from '../../ledger/channels.js';
import type { ProposalContent, ProposalKindName } from './proposal-kind.js';

/** Reads the content of one kind. It is separate from the kind's behaviour, so that processes without HTTP load no DTO classes. */
interface Reading<Sent extends object, Content extends object> {
  readonly dto: DtoClass<Sent>;
  /** Returns further faults of content that its class accepts; their paths start at the content. */
  readonly faultsOf?: (sent: Sent) => MemberFault[];
  /** Returns the content to record: a plain object without the fields that were left out. */
  readonly toContent: (sent: Sent) => Content;
}

const POLICY: Reading<ApprovalPolicyContent, ApprovalPolicy> = { dto: ApprovalPolicyContent, toContent: toApprovalPolicy };

const ROLES: Reading<RolesContent, RolesContent> = {
  dto: RolesContent,
  toContent: ({ person_id, roles }) => ({ person_id, roles: OPERATOR_ROLES.filter((role) => roles.includes(role)) }),
};

const required = (at: string): MemberFault => ({ at, code: 'required', detail: 'This field is required.' });

/** A charge fee needs a channel, a payout or dispute fee a currency; no fee has both. */
function faultsOfFee({ of: { kind, channel_code, currency } }: FeeContent): MemberFault[] {
  const ofCharge = kind === 'charge';
  return [
    ...(ofCharge && channel_code === undefined ? [required('/of/channel_code')] : []),
    ...(ofCharge && currency !== undefined ? [unknownField('/of', 'currency')] : []),
    ...(!ofCharge && currency === undefined ? [required('/of/currency')] : []),
    ...(!ofCharge && channel_code !== undefined ? [unknownField('/of', 'channel_code')] : []),
  ];
}

const FEE: Reading<FeeContent, FeeSetting> = {
  dto: FeeContent,
  faultsOf: faultsOfFee,
  toContent({ merchant_id, of, fee: { type, value } }) {
    const fee = { type, value };
    if (of.kind === 'charge') return { merchant_id, of: { kind: of.kind, channel_code: of.channel_code!.toUpperCase() }, fee };
    return { merchant_id, of: { kind: of.kind, currency: of.currency! }, fee };
  },
};

const CHANNEL: Reading<ChannelContent, ChannelContent> = {
  dto: ChannelContent,
  toContent: ({ merchant_id, channel_code, enabled, min_amount, max_amount, settlement_cycle }) => ({
    ...{ merchant_id, channel_code: channel_code.toUpperCase() },
    ...(enabled !== undefined && { enabled }),
    ...(min_amount !== undefined && { min_amount }),
    ...(max_amount !== undefined && { max_amount }),
    ...(settlement_cycle !== undefined && { settlement_cycle: settlement_cycle.toUpperCase() }),
  }),
};

const RAIL: Reading<RailContent, RailRoute> = {
  dto: RailContent,
  toContent: ({ merchant_id, use, rail = null, merchant_name_id = null }) => ({ merchant_id, use: railUseOf(use) ?? use, rail, merchant_name_id }),
};

const CALENDAR: Reading<CalendarContent, CalendarContent> = {
  dto: CalendarContent,
  toContent: ({ country, year, days }) => ({ country, year, days: days.toSorted() }),
};

/** Fields of an adjustment that not every kind has. */
const ADJUSTMENT_FIELDS = ['merchant_id', 'mode', 'item_id', 'waive_fee', 'direction', 'source', 'position'] as const;
type AdjustmentField = (typeof ADJUSTMENT_FIELDS)[number];

/** Returns the fields of a kind beside the common ones. */
export function fieldsOfAdjustment(kind: AdjustmentKind): {
  readonly required: readonly AdjustmentField[];
  readonly optional: readonly AdjustmentField[];
} {
  return {
    required: [
      isAccountKind(kind) ? 'merchant_id' : 'mode',
      ...(isSuspenseKind(kind) || kind === 'WRITE_OFF' ? (['item_id'] as const) : []),
      ...(kind === 'OPENING' ? (['source'] as const) : []),
    ],
    optional: [
      ...(kind === 'UNMATCHED_TO_MERCHANT' ? (['waive_fee'] as const) : []),
      ...(kind === 'FEE_CORRECTION' ? (['direction'] as const) : []),
      ...(kind === 'OPENING' ? (['position'] as const) : []),
    ],
  };
}

/** Currencies that merchants and processors can have balances in. */
const noBalances: MemberFault = {
  at: '/currency',
  code: 'unknown-currency',
  detail: `Must be a currency of payment channels: ${CURRENCIES.join(', ')}.`,
};

/** Reports missing fields, fields that only other kinds have, and a currency without channels: approved, it would open a balance in it. */
function faultsOfAdjustment(sent: AdjustmentContentDto): MemberFault[] {
  const fields = fieldsOfAdjustment(sent.kind);
  const faults = ADJUSTMENT_FIELDS.flatMap((name) => {
    if (sent[name] === undefined) return fields.required.includes(name) ? [required(`/${name}`)] : [];
    return [...fields.required, ...fields.optional].includes(name) ? [] : [unknownField('', name)];
  });
  return CURRENCIES.includes(sent.currency) ? faults : [...faults, noBalances];
}

const ADJUSTMENT: Reading<AdjustmentContentDto, AdjustmentContent> = {
  dto: AdjustmentContentDto,
  faultsOf: faultsOfAdjustment,
  toContent({ kind, merchant_id, mode, currency, amount, item_id, waive_fee, direction, source, position, relates_to }) {
    const of = { currency, amount, ...(item_id !== undefined && { item_id }), ...(relates_to !== undefined && { relates_to }) };
    return isAccountKind(kind)
      ? { kind, merchant_id: merchant_id!, ...of, ...(waive_fee === true && { waive_fee }), ...(direction !== undefined && { direction }) }
      : { kind, mode: mode!, ...of, ...(source !== undefined && { source }), ...(position !== undefined && { position }) };
  },
};

const BREAK_ACCEPT: Reading<BreakAcceptContent, BreakAcceptContent> = {
  dto: BreakAcceptContent,
  toContent: ({ break_id, until }) => ({ break_id, until }),
};

const MATCH_DIFFERENCE: Reading<MatchDifferenceContent, MatchDifferenceContent> = {
  dto: MatchDifferenceContent,
  toContent: ({ break_id, account }) => ({ break_id, account }),
};

const FORGET_FILE: Reading<ForgetFileContent, ForgetFileContent> = { dto: ForgetFileContent, toContent: ({ statement_id }) => ({ statement_id }) };

const PAYOUT_RESOLVE: Reading<PayoutResolveContent, PayoutResolveContent> = {
  dto: PayoutResolveContent,
  toContent: ({ payout_id, outcome, final_statement }) => ({ payout_id, outcome, ...(final_statement === true && { final_statement }) }),
};

const SET_ASIDE: Reading<SetAsideContent, SetAsideContent> = {
  dto: SetAsideContent,
  toContent: ({ projection, event_id }) => ({ projection, event_id }),
};

const MONTH_CLOSE: Reading<MonthCloseContent, MonthCloseContent> = {
  dto: MonthCloseContent,
  toContent: ({ mode, month }) => ({ mode, month }),
};

const ACCEPT_DIFFERENCES: Reading<AcceptDifferencesContent, AcceptDifferencesContent> = {
  dto: AcceptDifferencesContent,
  toContent: ({ projection, digest }) => ({ projection, digest }),
};

const ALL = {
  POLICY,
  ROLES,
  FEE,
  CHANNEL,
  RAIL,
  CALENDAR,
  ADJUSTMENT,
  BREAK_ACCEPT,
  MATCH_DIFFERENCE,
  FORGET_FILE,
  PAYOUT_RESOLVE,
  SET_ASIDE,
  MONTH_CLOSE,
  ACCEPT_DIFFERENCES,
} satisfies Readonly<Record<ProposalKindName, object>>;
// Each reading receives only objects that its own class has read.
const READINGS = ALL as unknown as Readonly<Record<ProposalKindName, Reading<object, object>>>;

/** The DTO classes for the contents of all kinds. */
export const CONTENT_CLASSES: readonly DtoClass[] = Object.values(READINGS).map(({ dto }) => dto);

/** Returns the DTO class for the content of a kind. */
export const contentClassOf = (kind: ProposalKindName): DtoClass => READINGS[kind].dto;

/** Returns the faults in the content of a proposal; `at` starts at the body of the request. */
export function faultsOfContent(kind: ProposalKindName, content: unknown): MemberFault[] {
  return read(kind, content).faults.map((fault) => ({ ...fault, at: `/content${fault.at}` }));
}

/** Returns the content of a proposal to record. @throws Problem validation-failed, with pointers that start at the body of the request */
export function readContent(kind: ProposalKindName, content: unknown): ProposalContent {
  const faults = faultsOfContent(kind, content);
  if (faults.length > 0) throw invalid('body', faults);
  return READINGS[kind].toContent(read(kind, content).sent) as ProposalContent;
}

function read(kind: ProposalKindName, content: unknown): { readonly sent: object; readonly faults: readonly MemberFault[] } {
  const { dto, faultsOf } = READINGS[kind];
  const sent = readObject(content, dto) as object;
  const broken = faultsOfObject(sent);
  return { sent, faults: broken.length > 0 ? broken : (faultsOf?.(sent) ?? []) };
}

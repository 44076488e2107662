import type { Pool } from 'pg';
import { findJournal, type JournalLine, type JournalQuery } from '../../../projections/balances/journal-lines.js';
import type { AccountName, Bucket, Part } from '../../../projections/balances/explanation.js';
import { findLastBooked } from '../../../projections/balances/journal.js';
import { findAllDisputes, type AllDisputesQuery } from '../../../projections/disputes/dispute-reads.js';
import { findAllPayouts, type AllPayoutsQuery } from '../../../projections/payouts/payout-lists.js';
import type { Payout } from '../../../projections/payouts/payouts.js';
import type { MerchantsQuery } from '../../../projections/merchants/list-queries.js';
import type { StoredProposal } from '../../../projections/approvals/proposals.js';
import { findApprovalQueue, type QueueEntry } from '../../../projections/approvals/queue.js';
import { findAllRefunds, type AllRefundsQuery } from '../../../projections/refunds/refund-reads.js';
import { findAllSettlements, type Settlement } from '../../../projections/settlements/settlements.js';
import { partsPage } from '../../domain/balances/explain.js';
import { toDispute } from '../../domain/charges/disputes/dispute-answer.js';
import { keyState } from '../../domain/operators/known-keys.js';
import type { KnownMerchants, Merchant } from '../../domain/merchants/known-merchants.js';
import type { KnownOperator, KnownOperators } from '../../domain/operators/known-operators.js';
import type { PendingReason } from '../../domain/payouts/pending-reason.js';
import { exactNumber, noSuchCursor, pagesBy, pagesById, type PagedList } from '../../platform/http/answer-list.js';
import { CHANNELS, PAYOUT_FEES } from '../../ledger/channels.js';
import type { Mode } from '../../ledger/mode.js';
import type { PartQuery } from '../../platform/postgres/list-page.js';
import { DAY_MS, milliseconds } from '../../ledger/time.js';
import type { QueueItemDto } from './approvals/approvals.dto.js';
import type { AuditDisputeDto } from './audit-disputes.dto.js';
import type { AuditMerchantDto, MerchantTermDto } from './audit-merchants.dto.js';
import type { AuditOperatorDto } from './audit-operators.dto.js';
import type { AuditPayoutDto } from './audit-payouts.dto.js';
import type { AuditRefundDto } from './audit-refunds.dto.js';
import type { AuditSettlementDto } from './audit-settlements.dto.js';
import type { JournalLineDto } from './journal.dto.js';
import { disputesCsv, journalCsv, merchantsCsv, merchantTermsCsv, partsCsv, payoutsCsv, refundsCsv, settlementsCsv } from './audit-csv.js';

export function journalList(pool: Pool, query: Omit<JournalQuery, 'after' | 'limit' | 'until'>): PagedList<JournalLineDto> {
  return {
    name: 'journal',
    csv: journalCsv,
    end: () => findLastBooked(pool),
    page: pagesBy('line', (cursor, limit, until) => findJournal(pool, { ...query, after: lineOf(cursor), until, limit }), toLine, cursorOfLine),
  };
}

/** Lists the records of a bucket, each with its part of the bucket's amount. */
export function partsList(pool: Pool, bucket: Bucket, account: AccountName): PagedList<Part> {
  return { name: bucket.toLowerCase(), csv: partsCsv, page: (after, limit) => partsPage(pool, bucket, account, after, limit) };
}

export function settlementsList(pool: Pool, query: Omit<MerchantsQuery, keyof PartQuery>): PagedList<AuditSettlementDto> {
  return {
    name: 'settlements',
    csv: settlementsCsv,
    page: pagesById('settlement', (after, limit) => findAllSettlements(pool, { ...query, after, limit }), toSettlement),
  };
}

/** @param now milliseconds since the epoch, for the age of each */
export function refundsList(pool: Pool, query: Omit<AllRefundsQuery, 'after' | 'limit'>, now: number): PagedList<AuditRefundDto> {
  return {
    name: 'refunds',
    csv: refundsCsv,
    page: pagesById(
      'refund',
      (after, limit) => findAllRefunds(pool, { ...query, after, limit }),
      (refund) => ({ ...refund, age_days: daysSince(refund.created_on, now) }),
    ),
  };
}

/** Maximum payouts that are examined for one page when only some of them are wanted. */
const LOOKED_AT_MAX = 10_000;
const BATCH = 1_000;

type PayoutsQuery = Omit<AllPayoutsQuery, 'after' | 'limit' | 'isOpen'> & { readonly pending_reason?: PendingReason | undefined };

/** @param now milliseconds since the epoch, for the age of each */
export function payoutsList(
  pool: Pool,
  { pending_reason, ...query }: PayoutsQuery,
  reasonOf: (payout: Payout) => PendingReason | null,
  now: number,
): PagedList<AuditPayoutDto> {
  const isOpen = pending_reason !== undefined;
  return {
    name: 'payouts',
    csv: payoutsCsv,
    page: async (start, limit) => {
      const size = isOpen ? BATCH : limit + 1;
      const items: AuditPayoutDto[] = [];
      let after = start;
      for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX; lookedAt += size) {
        const found = await findAllPayouts(pool, { ...query, isOpen, after, limit: size });
        if (found === undefined) throw noSuchCursor('payout');
        for (const payout of found) {
          if (items.length === limit) return { items, next_after: after! };
          after = payout.id;
          const item = toAuditPayout(payout, reasonOf(payout), now);
          if (!isOpen || item.pending_reason === pending_reason) items.push(item);
        }
        if (found.length < size) return { items, next_after: null };
      }
      return { items, next_after: after! };
    },
  };
}

export function toAuditPayout(payout: Payout, pending_reason: PendingReason | null, now: number): AuditPayoutDto {
  const { id, merchant_id, amount, fee_amount, net_amount, currency, payout_status } = payout;
  const { rail, partner_reference, held_reason, held_on, bank_name, created_on, submitted_on, paid_on, updated_on } = payout;
  const money = { id, merchant_id, amount, fee_amount, net_amount, currency, payout_status, pending_reason };
  const age_days = daysSince(created_on, now);
  return { ...money, rail, partner_reference, held_reason, held_on, bank_name, created_on, submitted_on, paid_on, updated_on, age_days };
}

/** Lists payouts and proposals that wait for approval. @param now milliseconds since the epoch, for the age of each */
export function queueList(pool: Pool, mode: Mode | undefined, now: number): PagedList<QueueItemDto> {
  return {
    name: 'queue',
    page: pagesById(
      'payout or proposal',
      (after, limit) => findApprovalQueue(pool, { mode, after, limit }),
      (entry) => toQueueItem(entry, now),
    ),
  };
}

function toQueueItem(entry: QueueEntry, now: number): QueueItemDto {
  if (entry.kind === 'PROPOSAL') return toQueuedProposal(entry.proposal, now);
  const { payout } = entry;
  const { id, merchant_id, amount, currency, created_on, approvals_required: required, approvals_given: given, approve_by, approvals } = payout;
  const approved_by = approvals.map(({ person_id }) => person_id);
  const waits = { required, given, approve_by: approve_by!, approved_by };
  return { kind: 'PAYOUT', id, proposal_kind: null, merchant_id, amount, currency, created_on, ...waits, age_days: daysSince(created_on, now) };
}

function toQueuedProposal({ id, kind, made_on, approvals_required: required, approve_by, approvals }: StoredProposal, now: number): QueueItemDto {
  const approved_by = approvals.map(({ person_id }) => person_id);
  const waits = { created_on: made_on, required, given: approved_by.length, approve_by, approved_by, age_days: daysSince(made_on, now) };
  return { kind: 'PROPOSAL', id, proposal_kind: kind, merchant_id: null, amount: null, currency: null, ...waits };
}

/** @param now milliseconds since the epoch, for the age of each */
export function disputesList(pool: Pool, query: Omit<AllDisputesQuery, 'after' | 'limit'>, now: number): PagedList<AuditDisputeDto> {
  return {
    name: 'disputes',
    csv: disputesCsv,
    page: pagesById(
      'dispute',
      (after, limit) => findAllDisputes(pool, { ...query, after, limit }),
      (dispute) => ({ ...toDispute(dispute, NO_NAMES), age_days: daysSince(dispute.opened_on, now) }),
    ),
  };
}

/** Leaves out the names of evidence files: they belong to the merchant, and may be personal. */
const NO_NAMES: ReadonlyMap<string, string> = new Map();

export const daysSince = (moment: string, now: number): number => Math.max(0, Math.floor((now - milliseconds(moment)) / DAY_MS));

/** Terms of a merchant, in one page: channels in their order, then payouts and disputes by currency. */
export function merchantTermsList(known: KnownMerchants, merchantId: string): PagedList<MerchantTermDto> {
  const ofCurrency = { channel_code: null, enabled: true, min_amount: null, max_amount: null, settlement_cycle: null } as const;
  const channels = CHANNELS.flatMap(({ code }) => known.channelTerms(merchantId, code) ?? []);
  const currencies = Object.keys(PAYOUT_FEES);
  const items: MerchantTermDto[] = [
    ...channels.map(({ code, currency, enabled, fee, min_amount, max_amount, settlement_cycle }) => ({
      use: 'CHARGE' as const,
      channel_code: code,
      currency,
      enabled,
      fee_type: fee.type,
      fee_value: fee.value,
      min_amount,
      max_amount,
      settlement_cycle,
    })),
    ...currencies.flatMap((currency) => {
      const fee = known.payoutFee(merchantId, currency);
      return fee ? [{ use: 'PAYOUT' as const, ...ofCurrency, currency, fee_type: fee.type, fee_value: fee.value }] : [];
    }),
    ...currencies.map((currency) => ({
      ...{ use: 'DISPUTE' as const, ...ofCurrency, currency, fee_type: 'FIXED', fee_value: known.disputeFee(merchantId, currency) },
    })),
  ];
  return { name: 'merchant-terms', csv: merchantTermsCsv, page: () => Promise.resolve({ items, next_after: null }) };
}

export function merchantsList(merchants: KnownMerchants, mode?: Mode): PagedList<AuditMerchantDto> {
  return {
    name: 'merchants',
    csv: merchantsCsv,
    page: pagesById('merchant', async (after, limit) => merchants.page(after, limit, mode), toMerchant),
  };
}

/** @param now milliseconds since the epoch, for the state of each key */
export function operatorsList(operators: KnownOperators, now: number): PagedList<AuditOperatorDto> {
  return {
    name: 'operators',
    page: pagesById(
      'operator',
      async (after, limit) => operatorsBehind(operators.all(), after)?.slice(0, limit),
      (operator) => toOperator(operator, now),
    ),
  };
}

function operatorsBehind(all: readonly KnownOperator[], after: string | undefined): readonly KnownOperator[] | undefined {
  if (after === undefined) return all;
  const at = all.findIndex(({ id }) => id === after);
  return at === -1 ? undefined : all.slice(at + 1);
}

export const cursorOfLine = ({ position, line }: Pick<JournalLine, 'position' | 'line'>): string => `${position}-${line}`;

/** A position alone comes after all of its lines. */
export function lineOf(cursor: string | undefined): Pick<JournalLine, 'position' | 'line'> | undefined {
  if (cursor === undefined) return undefined;
  const [position = '', line] = cursor.split('-');
  return { position: Number(position), line: line === undefined ? Number.MAX_SAFE_INTEGER : Number(line) };
}

export function toLine(line: JournalLine): JournalLineDto {
  return {
    position: line.position,
    event_id: line.event_id,
    line: line.line,
    merchant_id: line.merchant_id,
    currency: line.currency,
    account: line.account,
    debit: exactNumber(line.debit),
    credit: exactNumber(line.credit),
    balance_before: exactNumber(line.balance_before),
    balance_after: exactNumber(line.balance_after),
    occurred_on: line.occurred_on,
    mode: line.mode,
    proposal_id: line.proposal_id,
    relates_to: line.relates_to,
    type: line.type,
    charge_id: line.charge_id,
    code: line.code,
    payout_id: line.payout_id,
    refund_id: line.refund_id,
    dispute_id: line.dispute_id,
    settlement_number: line.settlement_number,
    running_balance: line.running_balance === null ? null : exactNumber(line.running_balance),
  };
}

export function toSettlement(settlement: Settlement): AuditSettlementDto {
  const { id, merchant_id, currency, number, totals, opened_on, closed_on, settled_on } = settlement;
  const lines = totals.charges + totals.reversals + totals.returns + totals.refunds + totals.disputes;
  return { id, merchant_id, currency, number, lines, totals: { ...totals, net_amount: BigInt(totals.net_amount) }, opened_on, closed_on, settled_on };
}

/** Returns the data of a merchant that the books need; the e-mail address is left out. */
function toMerchant({ id, name, country, mode, default_currency, timezone, created_on, updated_on }: Merchant): AuditMerchantDto {
  return { id, name, country, mode: mode.toUpperCase(), default_currency, timezone, created_on, updated_on };
}

/** Returns the data of an operator that readers of the log need; the e-mail address is left out. */
export function toOperator({ id, name, roles, is_suspended, added_on, keys }: KnownOperator, now: number): AuditOperatorDto {
  return {
    ...{ id, name, roles: roles.map((role) => role.toUpperCase()), status: is_suspended ? 'SUSPENDED' : 'ACTIVE', added_on },
    keys: keys.map((key) => {
      const { key_id, issued_on, expires_on, revoked_on } = key;
      return { key_id, status: keyState(key, now).toUpperCase(), issued_on, expires_on, revoked_on };
    }),
  };
}

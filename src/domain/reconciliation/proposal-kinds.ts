import { findBreak } from '../../../projections/reconciliation/matches/match-reads.js';
import { findOpenBatch } from '../../../projections/reconciliation/matches/batch-reads.js';
import { findOpenItem, findOpenLine } from '../../../projections/reconciliation/matches/suggestion-reads.js';
import { findSource } from '../../../projections/reconciliation/sources.js';
import { findStatement } from '../../../projections/reconciliation/statement-reads.js';
import { daysIn } from '../../ledger/days.js';
import type { ApprovalTier } from '../../ledger/events/approval-policy.events.js';
import { breakStream } from '../../ledger/events/break.events.js';
import { statementStream } from '../../ledger/events/reconciliation.events.js';
import { milliseconds, type Clock } from '../../ledger/time.js';
import { StoreUnavailable } from '../../platform/event-store/event-store.js';
import type { DecisionReads } from '../../platform/projector/decision-reads.js';
import { reconBreak } from './breaks/break.decider.js';
import { differenceIn, type BreakSides, type SettledDifference } from './breaks/break-difference.js';
import { forgetStatements } from './statements/forget-files.js';
import { statementFile } from './statements/statement-file.decider.js';
import { approvalsByTier } from '../approvals/adjustment-kind.js';
import type { BreakAcceptContent, ForgetFileContent, MatchDifferenceContent } from '../approvals/proposal-contents.dto.js';
import { approvalsOfSettings, type ProposalKind } from '../approvals/proposal-kind.js';
import { refusedIn, targetOf } from '../approvals/proposal-target.js';
import { refuse } from '../../ledger/decider.js';

/** Whether the break exists, and the current day at its source, follow from the log, and are looked up for each decision. */
const breakAcceptKind = (reads: DecisionReads): ProposalKind<BreakAcceptContent> => ({
  approvalsOf: approvalsOfSettings(0),
  modeOf: () => null,
  targetOf: ({ break_id, until }, { proposal_id, reason }) =>
    targetOf({ stream: breakStream(break_id), refused: refusedIn(null) }, reconBreak, async (now) => {
      const found = await reads.find('recon', () => findBreak(reads.pool, break_id, milliseconds(now)));
      if (!found) return refuse('break-not-found', 'There is no such break.');
      if (found.status === 'RESOLVED') return refuse('break-resolved', 'The break is resolved.');
      const source = (await findSource(reads.pool, found.source))!;
      const today = daysIn(source.settings.time_zone)(milliseconds(now));
      return { kind: 'accept' as const, break_id, until, today, reason, proposal_id, now };
    }),
});

/** The recorded content of a difference: the sent content, and both sides at that time. */
export type DifferenceContent = MatchDifferenceContent & SettledDifference;

/**
 * A difference moves money, so it needs as many approvals as an adjustment of its amount. The sides are part of the content, so operators approve
 * them; when a side has changed before the proposal takes effect, it is refused.
 */
const matchDifferenceKind = (reads: DecisionReads, clock: Clock): ProposalKind<DifferenceContent> => ({
  // A proposal without sides is refused.
  approvalsOf: (difference, policy) => approvalsOfDifference(difference, policy?.adjustments ?? []),
  modeOf: ({ mode }) => mode ?? null,
  async completed(content) {
    const sides = await sidesOf(reads, content.break_id, clock());
    const found = sides && differenceIn(sides, content.account);
    return found === undefined || 'refusal' in found ? content : { ...content, ...found };
  },
  targetOf: (agreed, { proposal_id, reason }) => {
    const { break_id } = agreed;
    return targetOf({ stream: breakStream(break_id), refused: refusedIn(null) }, reconBreak, async (now, newest) => {
      await reads.requireApplied(['recon'], newest);
      const sides = await sidesOf(reads, break_id, milliseconds(now));
      if (!sides) return refuse('break-not-found', 'There is no such break.');
      return { kind: 'match-difference' as const, break_id, sides, agreed, reason, proposal_id, now };
    });
  },
});

export const approvalsOfDifference = ({ currency, amount }: Pick<DifferenceContent, 'currency' | 'amount'>, tiers: readonly ApprovalTier[]) => ({
  approvals_required: approvalsByTier(tiers, currency, Math.abs(amount), 1),
  controllers_required: 0,
});

/** Returns the sides of a break as of now. A match takes effect at a tick, which takes only sides that are open and differ by the agreed amount. */
async function sidesOf(reads: DecisionReads, breakId: string, now: number): Promise<BreakSides | undefined> {
  const { pool } = reads;
  const found = await reads.find('recon', () => findBreak(pool, breakId, now));
  if (!found) return undefined;
  const { kind, line, item, remittance } = found;
  const open = line && (await findOpenLine(pool, line.line_id));
  const books = item ? await findOpenItem(pool, item.event_id) : remittance && (await findOpenBatch(pool, remittance));
  return { kind, line: open ?? null, books: books ?? null };
}

/** The key is destroyed after the event, by the process that completes the proposal. */
const forgetFileKind = (reads: DecisionReads, clock: Clock): ProposalKind<ForgetFileContent> => ({
  approvalsOf: approvalsOfSettings(1),
  modeOf: () => null,
  async targetOf({ statement_id }, { proposal_id, reason }) {
    const found = await findStatement(reads.pool, statement_id);
    // Files are never removed, so the read model that shows this one is being rebuilt.
    if (!found) throw new StoreUnavailable('No such file is shown.');
    const { source, sha256 } = found;
    const target = {
      stream: statementStream(source, sha256),
      refused: refusedIn(null),
      after: () => forgetStatements(reads.pool, clock, [statement_id]),
    };
    return targetOf(target, statementFile, (now) => ({ kind: 'forget' as const, statement_id, source, reason, proposal_id, now }));
  },
  refusalOf: async ({ statement_id }) => {
    const found = await reads.find('recon', () => findStatement(reads.pool, statement_id));
    return found ? undefined : refuse('file-not-found', 'There is no such file.');
  },
});

/** The kinds that act on files and breaks. */
export const reconKinds = (reads: DecisionReads, clock: Clock) => ({
  BREAK_ACCEPT: breakAcceptKind(reads),
  MATCH_DIFFERENCE: matchDifferenceKind(reads, clock),
  FORGET_FILE: forgetFileKind(reads, clock),
});

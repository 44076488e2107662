import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { sealedLog } from '../../src/transparency-log/sealed-log.js';
import { ActOnProposal, MakeProposal, type ProposalAct } from '../../src/domain/approvals/act-on-proposal.js';
import type { ProposalContent, ProposalKindName } from '../../src/domain/approvals/proposal-kind.js';
import { upperKinds } from '../../src/app/proposal-kinds.js';
import { proposalServices } from '../../src/domain/approvals/proposal-services.js';
import { ActOnProposalHandler, MakeProposalHandler, type ProposalServices } from '../../src/domain/approvals/proposals.handlers.js';
import { digestOf } from '../../src/ledger/ids/canonical-json.js';
import { foldStream } from '../../src/ledger/streams/fold-stream.js';
import { proposalStream } from '../../src/ledger/events/proposal.events.js';
import { proposal } from '../../src/domain/approvals/proposal.decider.js';
import type { EventStore } from '../../src/platform/event-store/event-store.js';
import { idsOfAct } from './seeder.js';
import { SeedOperators, type SeedPeople, type SeedOperator } from './people.js';

export interface ApprovalsServices {
  readonly store: EventStore;
  readonly pool: Pool;
  readonly secret: Buffer;
  /** Time zone of the books, IANA name. */
  readonly timeZone: string;
}

/** An operator's proposal. */
export interface SeedProposal {
  readonly by: SeedOperator;
  readonly kind: ProposalKindName;
  readonly content: ProposalContent;
  readonly reason: string;
  /** Name of a file as its evidence. */
  readonly evidence?: string;
}

const HOUR = 3_600_000;

/** Proposals of a seed, made and decided by the service's own handlers, with the plan's times as clock. */
export class SeedApprovals {
  readonly operators: SeedOperators;
  private now = 0;
  private made = 0;
  private readonly makes: MakeProposalHandler;
  private readonly decisions: ActOnProposalHandler;

  /** @param clock replaces the plan's times, for proposals while the service runs */
  constructor(
    { store, pool, secret, timeZone }: ApprovalsServices,
    private readonly name: string,
    clock?: () => number,
  ) {
    const told = clock ?? ((): number => this.now);
    const operators = new SeedOperators(store, told);
    const onDelayed = (): void => undefined;
    const deps = { store, clock: told, operators };
    const upper = upperKinds(store, pool, told);
    const services = { ...deps, secret, onDelayed, ...proposalServices({ ...deps, pool, sealed: sealedLog(pool), timeZone, upper }) };
    // Merchants and policies as of the look-up of the operator, with which each handler begins.
    const following: ProposalServices = Object.defineProperty({ ...services, known: operators.known }, 'known', { get: () => operators.known });
    this.operators = operators;
    this.makes = new MakeProposalHandler(following);
    this.decisions = new ActOnProposalHandler(following);
  }

  /** @returns its id */
  async propose(at: number, { by, kind, content, reason, evidence }: SeedProposal): Promise<string> {
    this.now = at;
    const files = evidence === undefined ? [] : [{ name: evidence, sha256: createHash('sha256').update(evidence).digest('hex') }];
    const order = { kind, content, reason, evidence: files };
    this.made += 1;
    const { proposal_id } = await this.makes.execute(new MakeProposal(order, `${this.name}-${this.made}`, by.key_id, idsOfAct()));
    return proposal_id;
  }

  /** Approves a proposal with the content in its stream. */
  async approve(at: number, by: SeedOperator, proposalId: string, reason: string): Promise<void> {
    this.now = at;
    const { state } = await foldStream(this.operators.store, proposalStream(proposalId), proposal);
    await this.decide(by, { kind: 'approve', proposal_id: proposalId, digest: digestOf(state!.made.content), reason });
  }

  /** Rejects or withdraws a proposal; `by` is its maker, or could approve it. */
  async end(at: number, by: SeedOperator, kind: 'reject' | 'withdraw', proposalId: string, reason: string): Promise<void> {
    this.now = at;
    await this.decide(by, { kind, proposal_id: proposalId, reason });
  }

  private async decide(by: SeedOperator, act: ProposalAct): Promise<void> {
    await this.decisions.execute(new ActOnProposal(act, by.key_id, idsOfAct()));
  }
}

/** Merchants of the demo that proposals concern. */
export interface ProposedAbout {
  /** The first of three merchants in Indonesia. */
  readonly first: string;
  readonly second: string;
  readonly third: string;
}

/** Amounts in minor units of IDR above which a payout needs one approval, or two. */
export const TIERS = { one: 100_000_000, two: 1_000_000_000 } as const;
/** Open proposals may be approved for a week, because a demo is used for longer than a day. */
const EXPIRES_HOURS = 168;

/**
 * Sets a policy under which payouts and settings wait: one operator has proposed it, and a controller approved. @param at milliseconds since the epoch
 * @param watched a merchant each of whose payouts needs two approvals, so that one of any amount is there to be approved
 */
export async function setPolicy(approvals: SeedApprovals, { preparer, controller }: SeedPeople, at: number, watched: string): Promise<void> {
  const tiers = [
    { currency: 'IDR', above: TIERS.one, approvals: 1 },
    { currency: 'IDR', above: TIERS.two, approvals: 2 },
  ];
  const adjustments = [{ currency: 'IDR', above: 100_000_000, approvals: 2 }];
  const merchants = { [watched]: { payouts: [{ currency: 'IDR', above: 0, approvals: 2 }] } };
  const content = { mode: 'test', payouts: tiers, payouts_day: [], merchants, adjustments, settings: 1, expires_hours: EXPIRES_HOURS };
  const about = { kind: 'POLICY', content, reason: 'large payouts take another pair of eyes', evidence: 'minutes-of-the-board.pdf' } as const;
  const id = await approvals.propose(at, { by: preparer, ...about });
  await approvals.approve(at + HOUR, controller, id, 'as the board has decided');
}

/** Creates proposals in every state: decided before `now`, and waiting for either of the two people. */
export async function fillApprovals(
  approvals: SeedApprovals,
  { preparer, controller, newcomer }: SeedPeople,
  about: ProposedAbout,
  now: number,
): Promise<void> {
  const ago = (hours: number): number => now - hours * HOUR;
  const lately = now - HOUR / 3;
  const { first, second, third } = about;
  const role = { person_id: newcomer.person_id, roles: ['approver'] };
  const joins = await approvals.propose(ago(54), { by: preparer, kind: 'ROLES', content: role, reason: 'approves payouts while others are away' });
  await approvals.approve(ago(53), controller, joins, 'has been through the training');
  const dropped = { merchant_id: third, channel_code: 'WALLET_OVO', enabled: false };
  const rejected = await approvals.propose(ago(49), { by: preparer, kind: 'CHANNEL', content: dropped, reason: 'hardly anybody pays by it' });
  await approvals.end(ago(48), controller, 'reject', rejected, 'the merchant wants to keep it');
  const fee = (merchant_id: string, value: number) => ({
    merchant_id,
    of: { kind: 'charge', channel_code: 'QR_QRIS' },
    fee: { type: 'PERCENTAGE', value },
  });
  const wrong = await approvals.propose(ago(31), { by: preparer, kind: 'FEE', content: fee(second, 6.5), reason: 'renewed contract' });
  await approvals.end(ago(30), preparer, 'withdraw', wrong, 'it is 0.65, not 6.5');
  const lower = { by: preparer, kind: 'FEE', content: fee(second, 0.65), reason: 'renewed contract', evidence: 'contract-batik-laras.pdf' } as const;
  await approvals.approve(lately, controller, await approvals.propose(ago(29), lower), 'as in the contract');
  const bounds = { merchant_id: third, channel_code: 'WALLET_DANA', max_amount: 500_000_000 };
  await approvals.propose(ago(26), { by: preparer, kind: 'CHANNEL', content: bounds, reason: 'larger orders since the new menu' });
  const corrected = { kind: 'FEE_CORRECTION', merchant_id: first, currency: 'IDR', amount: 1_250_000 };
  await approvals.propose(ago(5), { by: preparer, kind: 'ADJUSTMENT', content: corrected, reason: 'charged at the old fee for two days' });
  const clawed = { kind: 'CLAWBACK', merchant_id: second, currency: 'IDR', amount: 4_000_000 };
  const loss = await approvals.propose(ago(4), {
    by: controller,
    kind: 'ADJUSTMENT',
    content: clawed,
    reason: 'paid out twice by hand in the spring',
  });
  await approvals.approve(ago(3), newcomer, loss, 'found both transfers');
  const strict = { mode: 'live', payouts: [{ currency: 'IDR', above: 0, approvals: 1 }], adjustments: [], settings: 1, expires_hours: 72 };
  await approvals.propose(ago(1), { by: preparer, kind: 'POLICY', content: strict, reason: 'before the first merchant goes live' });
}

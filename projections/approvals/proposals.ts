import type { ClientBase, PoolClient } from 'pg';
import type { ProposalEvent, ProposalEvidence, ProposalMade, ProposalRole } from '../../src/ledger/events/proposal.events.js';
import type { Mode } from '../../src/ledger/mode.js';
import { handling, type LedgerReadModel, type LoggedEvent } from '../../src/ledger/read-model.js';
import type { Timestamp } from '../../src/ledger/time.js';
import { answered, type Stored } from '../../src/platform/postgres/answered.js';
import { Table, type RowOf } from '../../src/platform/postgres/binary/table.js';
import { Conditions } from '../../src/platform/postgres/conditions.js';
import { readBehind, type PartQuery } from '../../src/platform/postgres/list-page.js';
import { unreachable } from '../../src/ledger/unreachable.js';

/** PENDING: approvals are missing. APPROVED: it is about to take effect, or does so now. */
export const PROPOSAL_STATUSES = ['PENDING', 'APPROVED', 'EXECUTED', 'FAILED', 'REJECTED', 'WITHDRAWN', 'EXPIRED', 'VOIDED'] as const;
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

export interface GivenProposalApproval {
  readonly person_id: string;
  readonly key_id: string;
  readonly role: ProposalRole;
  readonly reason: string;
  readonly approved_on: Timestamp;
}

const table = new Table('proposals', {
  id: 'uuid not null primary key',
  /** Ordinal of its ProposalMade. */
  ordinal: 'bigint not null',
  kind: 'text collate "C" not null',
  content: 'json not null',
  digest: 'text collate "C" not null',
  proposal_status: 'text collate "C" not null',
  reason: 'text not null',
  evidence: 'json not null',
  proposed_by: 'uuid not null',
  key_id: 'text collate "C" not null',
  made_on: 'timestamptz not null',
  approvals_required: 'smallint not null',
  controllers_required: 'smallint not null',
  approve_by: 'timestamptz not null',
  /** In the order in which they were given. */
  approvals: 'json not null',
  /** The stream in which the proposal takes effect; null before that has begun. */
  target: 'text collate "C"',
  /** Reason of the target's refusal. */
  refusal: 'text collate "C"',
  detail: 'text',
  /** The operator who rejected or withdrew the proposal, or whose approval lost its validity. */
  ended_by: 'text collate "C"',
  end_reason: 'text',
  updated_on: 'timestamptz not null',
});

type Row = RowOf<(typeof table)['definitions'], { readonly proposal_status: ProposalStatus }>;

const isHandled = handling({ proposals: { except: ['ProposalRefused', 'EventSetAside', 'PeriodClosed', 'DifferencesAccepted'] } });

/** Proposals of operators, one row each. */
export const proposals: LedgerReadModel = {
  name: 'proposals',
  version: 1,
  ddl: (schema) => table.ddl(schema),
  indexes: (schema) => [
    `create unique index proposals_made on ${schema}.proposals (ordinal)`,
    `create index proposals_open on ${schema}.proposals (ordinal) where proposal_status in ('PENDING', 'APPROVED')`,
  ],
  async apply(tx, schema, batch) {
    const { made, changed } = fold(batch);
    if (made.size > 0) await table.add(tx, schema, [...made.values()]);
    if (changed.size > 0) await update(tx, schema, changed);
  },
};

/** Changes of a proposal by the events after its first one. */
interface Change extends Partial<Pick<Row, 'target' | 'refusal' | 'detail' | 'ended_by' | 'end_reason'>> {
  readonly approved: readonly GivenProposalApproval[];
  readonly end: Exclude<ProposalStatus, 'PENDING' | 'APPROVED'> | null;
  readonly updated_on: Timestamp;
}

interface Folded {
  readonly made: ReadonlyMap<string, Row>;
  /** Changes of proposals that an earlier batch made. */
  readonly changed: ReadonlyMap<string, Change>;
}

function fold(batch: readonly LoggedEvent[]): Folded {
  const made = new Map<string, Row>();
  const changed = new Map<string, Change>();
  for (const event of batch) {
    if (!isHandled(event)) continue;
    if (event.type === 'ProposalMade') {
      made.set(event.data.proposal_id, rowOf(event.data, event.ordinal));
      continue;
    }
    const { proposal_id: id } = event.data;
    const change = changeOf(event);
    const row = made.get(id);
    if (row) made.set(id, withChange(row, approvalsOf(row), change));
    else changed.set(id, joined(changed.get(id), change));
  }
  return { made, changed };
}

function rowOf(data: ProposalMade, ordinal: number): Row {
  const { proposal_id: id, kind, content, digest, reason, evidence, person_id: proposed_by, key_id, made_on } = data;
  const { approvals_required, controllers_required, approve_by } = data;
  return {
    id,
    ordinal,
    kind,
    content: JSON.stringify(content),
    digest,
    proposal_status: 'PENDING',
    reason,
    evidence: JSON.stringify(evidence),
    proposed_by,
    key_id,
    made_on,
    approvals_required,
    controllers_required,
    approve_by,
    approvals: '[]',
    target: null,
    refusal: null,
    detail: null,
    ended_by: null,
    end_reason: null,
    updated_on: made_on,
  };
}

const NOTHING = { approved: [], end: null } as const;

function changeOf({ type, data }: Exclude<ProposalEvent, { readonly type: 'ProposalMade' }>): Change {
  switch (type) {
    case 'ProposalApproved': {
      const { person_id, key_id, role, reason, approved_on } = data;
      return { ...NOTHING, approved: [{ person_id, key_id, role, reason, approved_on }], updated_on: approved_on };
    }
    case 'ProposalClaimed':
      return { ...NOTHING, target: data.target, updated_on: data.claimed_on };
    case 'ProposalRejected':
      return { ...NOTHING, end: 'REJECTED', ended_by: data.person_id, end_reason: data.reason, updated_on: data.rejected_on };
    case 'ProposalWithdrawn':
      return { ...NOTHING, end: 'WITHDRAWN', ended_by: data.person_id, end_reason: data.reason, updated_on: data.withdrawn_on };
    case 'ProposalExpired':
      return { ...NOTHING, end: 'EXPIRED', updated_on: data.expired_on };
    case 'ProposalVoided':
      return { ...NOTHING, end: 'VOIDED', ended_by: data.person_id, updated_on: data.voided_on };
    case 'ProposalExecuted':
      return { ...NOTHING, end: 'EXECUTED', updated_on: data.executed_on };
    case 'ProposalFailed':
      return { ...NOTHING, end: 'FAILED', refusal: data.refusal, detail: data.detail, updated_on: data.failed_on };
    default:
      return unreachable(type);
  }
}

const joined = (before: Change | undefined, change: Change): Change =>
  before ? { ...before, ...change, approved: [...before.approved, ...change.approved] } : change;

const approvalsOf = ({ approvals }: { readonly approvals: string }) => JSON.parse(approvals) as readonly GivenProposalApproval[];

/** @param given approvals before the change */
function withChange<Changed extends Pick<Row, 'proposal_status' | 'approvals_required'>>(
  row: Changed,
  given: readonly GivenProposalApproval[],
  { approved, end, ...columns }: Change,
) {
  const approvals = [...given, ...approved];
  const isApproved = approvals.length >= row.approvals_required;
  return { ...row, ...columns, approvals: JSON.stringify(approvals), proposal_status: end ?? (isApproved ? 'APPROVED' : row.proposal_status) };
}

const CHANGEABLE = ['proposal_status', 'approvals', 'target', 'refusal', 'detail', 'ended_by', 'end_reason', 'updated_on'] as const;
const changedColumns = table.parameters(['id', ...CHANGEABLE], 'n');
const UNCHANGED = { target: null, refusal: null, detail: null, ended_by: null, end_reason: null } as const;

async function update(tx: PoolClient, schema: string, changed: ReadonlyMap<string, Change>): Promise<void> {
  type Before = Pick<Row, 'id' | 'proposal_status' | 'approvals_required'> & { readonly approvals: readonly GivenProposalApproval[] };
  const { rows } = await tx.query<Before>({
    name: `${schema} proposals: before`,
    text: `select id, proposal_status, approvals_required, approvals from ${schema}.proposals where id = any($1::uuid[])`,
    values: [[...changed.keys()]],
  });
  if (rows.length !== changed.size) throw new Error(`${changed.size - rows.length} proposals of the batch have no ProposalMade`);
  const after = rows.map(({ approvals, ...row }) => ({ ...UNCHANGED, ...withChange(row, approvals, changed.get(row.id)!) }));
  const assignments = CHANGEABLE.map((column) => `${column} = ${column in UNCHANGED ? `coalesce(n.${column}, p.${column})` : `n.${column}`}`);
  await tx.query({
    name: `${schema} proposals: update`,
    text: `update ${schema}.proposals p set ${assignments.join(', ')} from ${changedColumns.rows} where p.id = n.id`,
    values: changedColumns.values(after),
  });
}

// --- reading ----------------------------------------------------------------------------------------------------------

type Db = Pick<ClientBase, 'query'>;

export interface StoredProposal extends Omit<Row, 'content' | 'evidence' | 'approvals'> {
  readonly content: Readonly<Record<string, unknown>>;
  readonly evidence: readonly ProposalEvidence[];
  readonly approvals: readonly GivenProposalApproval[];
}

const COLUMNS = table.names.join(', ');
const proposalOf = (row: Stored<StoredProposal>): StoredProposal => answered<StoredProposal, keyof StoredProposal>(table.names, row);

/** Returns those of `ids` (UUIDs) that exist. */
export async function findProposalsById(db: Db, ids: readonly string[]): Promise<StoredProposal[]> {
  const { rows } = await db.query<Stored<StoredProposal>>({
    name: 'proposals: by id',
    text: `select ${COLUMNS} from ledger.proposals where id = any($1::uuid[])`,
    values: [ids],
  });
  return rows.map(proposalOf);
}

export interface ProposalsQuery extends PartQuery {
  readonly proposal_status?: ProposalStatus | undefined;
  readonly kind?: string | undefined;
  /** Proposals about merchants or rules of this mode. A proposal without a mode belongs to both. */
  readonly mode?: Mode | undefined;
}

/** Selects the mode from the content, or from the merchant in the content; null without either. */
const MODE = `coalesce(content ->> 'mode', (select o.mode from ledger.owners o where o.merchant_id = (content ->> 'merchant_id')::uuid))`;

/** Returns the oldest first; undefined when there is no proposal `after`. */
export async function findProposals(db: Db, { proposal_status, kind, mode, after, limit }: ProposalsQuery): Promise<StoredProposal[] | undefined> {
  const conditions = new Conditions(limit).equal({ proposal_status, kind }).where(mode, (p) => `coalesce(${MODE}, ${p}) = ${p}`);
  const rows = await readBehind<Stored<StoredProposal>>(db, { table: 'ledger.proposals', columns: COLUMNS, conditions, after });
  return rows?.map(proposalOf);
}

/** Returns proposals that have all approvals and have not ended, the oldest first. */
export async function findApprovedProposals(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'proposals: approved',
    text: `select id from ledger.proposals where proposal_status = 'APPROVED' order by ordinal limit $1`,
    values: [limit],
  });
  return rows.map(({ id }) => id);
}

/** Returns proposals that did not get their approvals in time, the longest overdue first. */
export async function findUnapprovedProposals(db: Db, now: Timestamp, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'proposals: unapproved',
    text: `select id from ledger.proposals where proposal_status = 'PENDING' and approve_by <= $1 order by approve_by, id limit $2`,
    values: [now, limit],
  });
  return rows.map(({ id }) => id);
}

/** Filter of a list by open proposals about its records. */
export const PROPOSAL_FILTERS = ['pending', 'none'] as const;
export type ProposalFilter = (typeof PROPOSAL_FILTERS)[number];

/**
 * SQL for the record that a proposal is about: the id of a break, an item in suspense or a file, or `<mode> <month>`; null for any other. It is a
 * text: the content of a kind that only a newer build knows may name something else so.
 */
const RECORD = `coalesce(content ->> 'break_id', content ->> 'item_id', content ->> 'statement_id', (content ->> 'mode') || ' ' || (content ->> 'month'))`;
/** Few proposals are open at a time, and an index has them. */
const OPEN = `proposal_status in ('PENDING', 'APPROVED')`;

/** SQL for the condition on the column `id` of a list. */
export const passesProposalFilter = (filter: ProposalFilter): string =>
  `id::text ${filter === 'none' ? 'not in' : 'in'} (select ${RECORD} from ledger.proposals where ${OPEN} and ${RECORD} is not null)`;

/** Returns the oldest open proposal about each of `records`, by record. */
export async function findOpenProposals(db: Db, records: readonly string[]): Promise<ReadonlyMap<string, StoredProposal>> {
  if (records.length === 0) return new Map();
  const { rows } = await db.query<Stored<StoredProposal> & { readonly record: string }>({
    name: 'proposals: open, by record',
    text: `select distinct on (record) ${RECORD} as record, ${COLUMNS} from ledger.proposals where ${OPEN} and ${RECORD} = any($1::text[])
            order by record, ordinal`,
    values: [records],
  });
  return new Map(rows.map((row) => [row.record, proposalOf(row)]));
}

export const findOpenProposal = async (db: Db, record: string): Promise<StoredProposal | undefined> =>
  (await findOpenProposals(db, [record])).get(record);

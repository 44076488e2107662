import { createHmac } from 'node:crypto';
import { decideOnStream } from '../../ledger/streams/decide-on-stream.js';
import { asCreated, firstEventOf } from '../../ledger/streams/create-record.js';
import { daysIn } from '../../ledger/days.js';
import { deriveKey } from '../../ledger/crypto/encryption.js';
import { bankStream, sourceStream, type CsvProfile, type ReconRan, type SourceSettings } from '../../ledger/events/reconciliation.events.js';
import { foldStream } from '../../ledger/streams/fold-stream.js';
import { newEvent, type CommandContext } from '../../ledger/streams/new-event.js';
import { milliseconds, timestamp, type Clock, type Timestamp } from '../../ledger/time.js';
import type { ActingOperator } from '../operators/acting-operator.js';
import { StoreUnavailable, type EventRef, type EventStore, type Position } from '../../platform/event-store/event-store.js';
import { knowsTimeZone } from '../../platform/postgres/time-zones.js';
import { LedgerProblem } from '../../ledger/problems.js';
import { source, type SourceCommand, type SourceRefusal, type SourceIdentity, type SourceState } from './source.decider.js';

export interface ReconciliationDeps {
  readonly store: EventStore;
  readonly clock: Clock;
}

/** The operator who acts, and the request. */
export interface ReconciliationAct {
  readonly operator: Pick<ActingOperator, 'person_id' | 'key_id'>;
  readonly context: Omit<CommandContext, 'now'>;
}

export const PROBLEM_OF_REFUSAL = {
  'settings-wrong': 'validation-failed',
  'source-in-use': 'state-conflict',
  'source-missing': 'not-found',
  'nothing-to-replace': 'state-conflict',
  'statement-refused': 'statement-refused',
  'statement-closed': 'state-conflict',
  'number-taken': 'state-conflict',
  'not-a-bank': 'state-conflict',
  'statements-missing': 'state-conflict',
  'day-closed': 'state-conflict',
  'close-under-way': 'state-conflict',
  'day-out-of-order': 'state-conflict',
  'close-missing': 'state-conflict',
  'parts-missing': 'state-conflict',
} as const satisfies Record<SourceRefusal, string>;

export const identityOf = (mode: 'live' | 'test', name: string): SourceIdentity => ({ source: `${mode}-${name}`, mode, name });

/**
 * Returns the HMAC by which an account is compared with those in files, regardless of its spacing. Uses a separate key, because account numbers can
 * be guessed.
 */
export function accountHmac(secret: Buffer): (account: string) => string {
  const key = deriveKey(secret, 'chargebook recon accounts');
  return (account) =>
    createHmac('sha256', key)
      .update(account.replaceAll(/[\s.-]/g, '').toUpperCase())
      .digest('hex');
}

/** Settings as operators send them: with the account itself, which is stored as an HMAC. */
export interface GivenSettings extends Omit<SourceSettings, 'account_hmac' | 'profile' | 'processor'> {
  readonly account?: string;
  readonly profile?: CsvProfile;
  readonly processor?: string;
}

/** Returns the settings to record, as plain objects. */
export function settingsOf(given: GivenSettings, hmacOf: (account: string) => string): SourceSettings {
  const { kind, currencies, account, format, profile, time_zone, processor, due_days, costs, tax, by_amount, batch_names } = given;
  return {
    ...{ kind, currencies, format, time_zone, due_days, by_amount },
    account_hmac: account === undefined ? null : hmacOf(account),
    profile: profile ? (JSON.parse(JSON.stringify(profile)) as CsvProfile) : null,
    processor: processor ?? null,
    ...(tax !== undefined && { tax }),
    ...(batch_names !== undefined && { batch_names: [...batch_names] }),
    costs: Object.fromEntries(Object.entries(costs).map(([channel, { type, value }]) => [channel, { type, value }])),
  };
}

/** Requires a zone that Postgres has as well: it computes days of the source, too. @throws Problem validation-failed */
export async function requireTimeZone(db: Parameters<typeof knowsTimeZone>[0], { time_zone }: SourceSettings): Promise<void> {
  if (!(await knowsTimeZone(db, time_zone))) throw new LedgerProblem('validation-failed', `There is no time zone ${time_zone}.`);
}

/**
 * Sets all settings of a source. A bank's currencies are claimed first: if two sources claim one, the first has it for ever.
 * @throws Problem validation-failed, state-conflict; StoreUnavailable, OutcomeUnknown
 */
export async function setSource(
  { store, clock }: ReconciliationDeps,
  identity: SourceIdentity,
  settings: SourceSettings,
  reason: string,
  act: ReconciliationAct,
): Promise<{ readonly state: SourceState; readonly position: Position }> {
  const { person_id, key_id } = act.operator;
  const command = (now: Timestamp): SourceCommand => ({ kind: 'set', identity, settings, reason, person_id, key_id, now });
  const stream = sourceStream(identity.source);
  // Settings that are refused claim nothing.
  const { state } = await foldStream(store, stream, source);
  const expected = source.decide(state, command(timestamp(clock())));
  if ('refusal' in expected) throw new LedgerProblem(PROBLEM_OF_REFUSAL[expected.refusal], expected.detail);
  const claims: EventRef[] = [];
  if (settings.kind === 'BANK') for (const currency of settings.currencies) claims.push(await claim({ store, clock }, identity, currency, act));
  const outcome = await decideOnStream(store, clock, stream, source, command, { ...act.context, dependsOn: claims });
  if ('refusal' in outcome) throw new LedgerProblem(PROBLEM_OF_REFUSAL[outcome.refusal], outcome.detail);
  return { state: outcome.state, position: outcome.position };
}

/** Matches all open lines of the source with the books, as of the current day there. @throws Problem not-found */
export async function runSource(
  { store, clock }: ReconciliationDeps,
  id: string,
  reason: string,
  { operator, context }: ReconciliationAct,
): Promise<{ readonly ran: ReconRan; readonly position: Position }> {
  const stream = sourceStream(id);
  const settings = (await foldStream(store, stream, source)).state.settings.at(-1);
  if (!settings) throw new LedgerProblem('not-found', `There is no source ${id}.`);
  const dayAt = daysIn(settings.time_zone);
  const { person_id, key_id } = operator;
  const command = (now: Timestamp): SourceCommand => ({ kind: 'run', source: id, day: dayAt(milliseconds(now)), reason, person_id, key_id, now });
  const outcome = await decideOnStream(store, clock, stream, source, command, context);
  if ('refusal' in outcome) throw new LedgerProblem(PROBLEM_OF_REFUSAL[outcome.refusal], outcome.detail);
  const [ran] = outcome.events;
  if (ran?.type !== 'ReconRan') throw new Error(`a run of ${id} was not recorded`);
  return { ran: ran.data, position: outcome.position };
}

/** @throws Problem state-conflict when another source has the currency */
async function claim(
  { store, clock }: ReconciliationDeps,
  identity: SourceIdentity,
  currency: string,
  { operator, context }: ReconciliationAct,
): Promise<EventRef> {
  const now = timestamp(clock());
  const { source, mode } = identity;
  const stream = bankStream(mode, currency);
  const data = { merchant_id: null, source, mode, currency, person_id: operator.person_id, key_id: operator.key_id, claimed_on: now };
  const event = newEvent({ type: 'ReconBankClaimed', data }, { ...context, now });
  const appended = await store.append(stream, 'no-stream', [event]);
  if (appended.ok) return { stream, revision: appended.revision, id: event.id };
  const first = await firstEventOf(store, stream);
  if (!first) throw new StoreUnavailable(`${stream} exists, but could not be read`);
  const claimed = asCreated(first, 'ReconBankClaimed');
  if (claimed.data.source !== source)
    throw new LedgerProblem(
      'state-conflict',
      `Statements of the ${mode} bank account in ${currency} already come from the source ${claimed.data.source}.`,
    );
  return claimed.place;
}

import { randomBytes } from 'node:crypto';
import { timestamp, type Clock } from '../../src/ledger/time.js';
import { adaptersOf, type AdapterSurroundings, type GuardedCalls } from '../../src/rails/registry/rail-adapters.js';
import type { Credentials } from '../../src/rails/settings/rail-credentials.js';
import type { Rail } from '../../src/rails/settings/rails.decider.js';
import { snapProfile } from '../../src/rails/snap/profiles.js';
import { XENDIT_CHANNELS } from '../../src/rails/xendit/channels.js';
import { XenditProcessor } from '../../src/rails/xendit/xendit-processor.js';
import { driftOf, type Drift } from './drift.js';
import { Recorder, type Exchange } from './recorder.js';
import { recordCharges, recordTransfers, type Given } from './scenarios.js';
import { Scrub } from './scrub.js';

/** A stored exchange, in the form of the printed ones. */
export interface Fixture {
  readonly id: string;
  readonly provider: string;
  readonly source: string;
  /** Day. */
  readonly date: string;
  readonly printed: 'recorded';
  readonly kind: 'request and answer';
  readonly request: { readonly method: string; readonly path: string; readonly headers: Readonly<Record<string, string>>; readonly body?: unknown };
  readonly response: { readonly http: number; readonly body: unknown };
  /** The adapter's result for the answer. */
  readonly outcome: Exchange['outcome'];
}

export interface Recording {
  readonly fixtures: readonly Fixture[];
  readonly drift: readonly Drift[];
  /** Exchanges without a printed counterpart. */
  readonly unprinted: readonly string[];
}

export interface RecordOptions extends Given {
  readonly rail: Rail;
  readonly credentials: Credentials;
  /** Calls to the sandbox. */
  readonly calls: GuardedCalls;
  readonly around: AdapterSurroundings;
  readonly pause: (ms: number) => Promise<void>;
  /** Returns the printed exchange of this name; undefined: there is none. */
  readonly printed: (id: string) => { readonly http: number; readonly body: unknown } | undefined;
}

/** Runs the scenarios with a sandbox. @throws Error when the rail is no sandbox, or a key cannot be read */
export async function recordRail(options: RecordOptions): Promise<Recording> {
  const { rail, credentials, around, account, phone, pause } = options;
  if (rail.mode !== 'sandbox') throw new Error(`rail ${rail.name} is live: only sandboxes are recorded`);
  const recorder = new Recorder(options.calls);
  // Channels that are off until a recording exists must be on for the recording.
  const word = { until: null, evidence: 'a recording', allowed_by: 'a recording', allowed_on: timestamp(around.clock()) };
  const allowed = new Map(Object.keys(XENDIT_CHANNELS).map((code) => [`channel:${code}`, word]));
  const { processor, bank } = adaptersOf({ ...rail, allowed }, { current: credentials, previous: undefined }, recorder, around);
  const common = { recorder, account, phone, pause, clock: around.clock, newExternalId: () => around.newExternalId(rail.name) };
  if (bank) await recordTransfers(bank, { ...common, ownBank: rail.profile === null ? undefined : snapProfile(rail.profile)?.own_bank });
  if (processor instanceof XenditProcessor)
    await recordCharges(processor, { ...common, pay: (reference, amount) => processor.simulate(reference, amount) });
  else if (processor) await recordCharges(processor, common);
  return kept(recorder.exchanges, options, around.clock);
}

function kept(exchanges: readonly Exchange[], { rail, credentials, account, phone, printed }: RecordOptions, clock: Clock): Recording {
  const given = [account?.bank_account_name, account?.bank_account_number, phone].flatMap((text) => text ?? []);
  const scrub = new Scrub(randomBytes(32), [...Object.values(credentials).filter((value) => value !== undefined), ...given]);
  const provider = rail.profile ?? rail.kind;
  const date = new Date(clock()).toISOString().slice(0, 10);
  const bodies = exchanges.map(({ call, answer }) => ({
    request: call.body === undefined ? undefined : scrub.body(call.body),
    response: scrub.body(answer.body.toString()),
  }));
  const fixtures = exchanges.map(({ name, call, answer, outcome }, index): Fixture => {
    const { request, response } = bodies[index]!;
    // Addresses may contain texts that only a later body identified as personal.
    const sent = { method: call.method, path: scrub.text(call.path), headers: scrub.headers(call.headers) };
    return {
      id: `${rail.kind}-${name}`,
      provider,
      source: `the sandbox at ${new URL(rail.base_url).hostname}`,
      date,
      printed: 'recorded',
      kind: 'request and answer',
      request: request === undefined ? sent : { ...sent, body: request },
      response: { http: answer.status, body: response },
      outcome,
    };
  });
  // The last exchange of a name has the final state.
  const last = [...new Map(fixtures.map((fixture) => [fixture.id, fixture])).values()];
  const compared = last.map((fixture) => ({ fixture, as: printed(fixture.id) }));
  return {
    fixtures: last,
    drift: compared.flatMap(({ fixture, as }) => (as ? driftOf(fixture.id, as, fixture.response) : [])),
    unprinted: compared.filter(({ as }) => as === undefined).map(({ fixture }) => fixture.id),
  };
}

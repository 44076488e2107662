import { railUseOf } from '../../ledger/channels.js';
import { NOTHING_TO_DO, refuse, type Decider, type Decision, type Refused } from '../../ledger/decider.js';
import { milliseconds, type Timestamp } from '../../ledger/time.js';
import type { RailAllowed, RailCredentialsSet, RailEvent, RailSet } from '../../ledger/events/rail.events.js';
import { offerOf, wordsOf } from './rail-kinds.js';
import { SNAP_PROFILE_NAMES } from '../snap/profiles.js';
import { unreachable } from '../../ledger/unreachable.js';

/** Settings of a rail that an operator may set; omitted ones stay, or have the default. */
export type RailChange = Partial<Omit<RailSet, 'merchant_id' | 'rail' | 'set_by' | 'set_on'>>;
export type StoredCredentials = Pick<RailCredentialsSet, 'version' | 'fingerprints'>;
export type Allowance = Pick<RailAllowed, 'until' | 'evidence' | 'allowed_by' | 'allowed_on'>;

export interface Rail extends Omit<RailSet, 'merchant_id' | 'rail' | 'set_by' | 'set_on'> {
  readonly name: string;
  readonly credentials: StoredCredentials;
  /** Accepted for incoming messages until they are retired. */
  readonly previous_credentials: StoredCredentials | null;
  readonly paused: { readonly paused_by: string; readonly paused_on: Timestamp } | null;
  /** Allowances by name: `pay-again`, `channel:<code>`. */
  readonly allowed: ReadonlyMap<string, Allowance>;
}

export interface Rails {
  readonly byName: ReadonlyMap<string, Rail>;
  /** Rails by `routeKey`. */
  readonly routes: ReadonlyMap<string, string>;
}

interface Command {
  /** The operating system's user. */
  readonly by: string;
  readonly now: Timestamp;
}
interface OnRail extends Command {
  readonly rail: string;
}

export type RailsCommand =
  /** A new rail has credentials in its command, and no other rail has. */
  | ({ readonly kind: 'set'; readonly change: RailChange; readonly credentials: StoredCredentials | null } & OnRail)
  | ({ readonly kind: 'rotate'; readonly credentials: StoredCredentials } & OnRail)
  | ({ readonly kind: 'retire-old' | 'pause' | 'resume' } & OnRail)
  | ({ readonly kind: 'route'; readonly mode: 'live' | 'test'; readonly use: string; readonly rail: string | null } & Command)
  | ({ readonly kind: 'allow'; readonly what: string; readonly until: Timestamp | null; readonly evidence: string } & OnRail)
  | ({ readonly kind: 'withdraw'; readonly what: string; readonly evidence: string } & OnRail);

export type RailsRefusal =
  | 'rail-not-found'
  | 'rail-incomplete'
  | 'rail-is-another'
  | 'profile-unknown'
  | 'base-invalid'
  | 'private-not-allowed'
  | 'credentials-by-rotation'
  | 'rotation-under-way'
  | 'use-unknown'
  | 'use-not-offered'
  | 'rail-of-other-mode'
  | 'nothing-to-allow'
  | 'until-missing'
  | 'until-in-the-past';

type Decided = Decision<RailEvent, RailsRefusal>;

export const routeKey = (mode: 'live' | 'test', use: string): string => `${mode} ${use}`;

/** The mode of the merchants whose charges and payouts a rail serves. */
export const servedBy = ({ mode }: Pick<RailSet, 'mode'>): 'live' | 'test' => (mode === 'live' ? 'live' : 'test');

export const rails: Decider<Rails, RailsCommand, RailEvent, RailsRefusal> = {
  initial: { byName: new Map(), routes: new Map() },

  evolve(state, event): Rails {
    switch (event.type) {
      case 'RailSet':
        return withRail(state, event.data);
      case 'RailCredentialsSet': {
        const { rail: name, version, fingerprints } = event.data;
        return changed(state, name, (rail) => ({
          credentials: { version, fingerprints },
          previous_credentials: rail.credentials.version === NO_CREDENTIALS.version ? null : rail.credentials,
        }));
      }
      case 'RailCredentialsRetired':
        return changed(state, event.data.rail, () => ({ previous_credentials: null }));
      case 'RailPaused': {
        const { rail, paused_by, paused_on } = event.data;
        return changed(state, rail, () => ({ paused: { paused_by, paused_on } }));
      }
      case 'RailResumed':
        return changed(state, event.data.rail, () => ({ paused: null }));
      case 'RailRouteSet': {
        const { mode, use, rail } = event.data;
        const routes = new Map(state.routes);
        if (rail === null) routes.delete(routeKey(mode, use));
        else routes.set(routeKey(mode, use), rail);
        return { ...state, routes };
      }
      case 'RailAllowed': {
        const { rail: name, what, until, evidence, allowed_by, allowed_on } = event.data;
        return changed(state, name, ({ allowed }) => ({ allowed: new Map(allowed).set(what, { until, evidence, allowed_by, allowed_on }) }));
      }
      case 'RailAllowanceWithdrawn': {
        const { rail: name, what } = event.data;
        return changed(state, name, ({ allowed }) => ({ allowed: new Map([...allowed].filter(([each]) => each !== what)) }));
      }
      default:
        return unreachable(event);
    }
  },

  decide(state, command): Decided {
    if (command.kind === 'set') return decideSet(state, command);
    if (command.kind === 'route') return decideRoute(state, command);
    const rail = state.byName.get(command.rail);
    if (!rail) return notFound(command.rail);
    switch (command.kind) {
      case 'rotate':
        return decideRotate(rail, command);
      case 'retire-old':
      case 'pause':
      case 'resume':
        return decideSwitch(rail, command);
      case 'allow':
        return decideAllow(rail, command);
      case 'withdraw':
        return decideWithdraw(rail, command);
      default:
        return unreachable(command);
    }
  },
};

/** Credentials of a rail between its first two events, which are appended together. */
const NO_CREDENTIALS: StoredCredentials = { version: 0, fingerprints: [] };

function withRail({ byName, routes }: Rails, { rail: name, ...set }: RailSet): Rails {
  const known = byName.get(name);
  const { merchant_id: _, set_by: __, set_on: ___, ...settings } = set;
  const rest = known ?? { credentials: NO_CREDENTIALS, previous_credentials: null, paused: null, allowed: new Map<string, Allowance>() };
  return { byName: new Map(byName).set(name, { ...rest, ...settings, name }), routes };
}

/** @throws when there is no such rail: the stream is damaged. */
function changed(state: Rails, name: string, change: (rail: Rail) => Partial<Rail>): Rails {
  const rail = state.byName.get(name);
  if (!rail) throw new Error(`an event names rail ${name}, which was never set`);
  return { ...state, byName: new Map(state.byName).set(name, { ...rail, ...change(rail) }) };
}

function decideSet({ byName }: Rails, command: Extract<RailsCommand, { kind: 'set' }>): Decided {
  const { rail: name, change, credentials, by, now } = command;
  const known = byName.get(name);
  if (known && credentials) return refuse('credentials-by-rotation', `Rail ${name} has credentials: new ones come with "rail rotate ${name}".`);
  const kind = change.kind ?? known?.kind;
  const mode = change.mode ?? known?.mode;
  if (kind === undefined || mode === undefined) return refuse('rail-incomplete', `Rail ${name} is new: name its --kind and its --mode.`);
  const profile = change.profile === undefined ? (known?.profile ?? null) : change.profile;
  if (known && (known.kind !== kind || known.mode !== mode || known.profile !== profile)) {
    return refuse(
      'rail-is-another',
      `Rail ${name} is ${wordsOf(known)}, which cannot change: earlier calls are recorded under its name. Use another name.`,
    );
  }
  const offer = offerOf(kind, profile);
  if (!offer) {
    const which =
      kind === 'xendit'
        ? 'A rail of kind xendit has no profile.'
        : `The --profile of a rail of kind snap is one of ${SNAP_PROFILE_NAMES.join(', ')}.`;
    return refuse('profile-unknown', which);
  }
  const base_url = change.base_url ?? known?.base_url ?? offer.bases[mode];
  if (base_url === undefined) return refuse('base-invalid', `The address of ${profile ?? kind} (${mode}) is not published: give it with --base.`);
  const { allow_private = false, tls = '1.3', on_name_difference = 'wait' } = { ...known, ...definedOf(change) };
  const settings = { kind, profile, mode, base_url, allow_private, tls, on_name_difference };
  const refused = refuseBase(settings);
  if (refused) return refused;
  if (!known && !credentials) return refuse('rail-incomplete', `Rail ${name} is new: name its --credentials.`);
  const isSame = known && (Object.keys(settings) as (keyof typeof settings)[]).every((field) => known[field] === settings[field]);
  if (isSame) return NOTHING_TO_DO;
  const set: RailEvent = { type: 'RailSet', data: { merchant_id: null, rail: name, ...settings, set_by: by, set_on: now } };
  return { events: [set, ...(credentials ? [credentialsSet(name, credentials, by, now)] : [])] };
}

function refuseBase({ base_url, mode, allow_private }: Pick<RailSet, 'base_url' | 'mode' | 'allow_private'>): Refused<RailsRefusal> | undefined {
  if (allow_private && mode === 'live') return refuse('private-not-allowed', 'A live rail is on the internet: --allow-private is for sandbox rails.');
  if (!/^https?:\/\/[^/?#@\s]+(\/[^?#\s]*[^/?#\s])?$/.test(base_url)) {
    return refuse('base-invalid', 'The base is a URL without user, query, fragment, and slash at its end.');
  }
  if (!base_url.startsWith('https://') && !allow_private) return refuse('base-invalid', 'The base begins with https://.');
  return undefined;
}

const definedOf = (change: RailChange): RailChange => Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

const credentialsSet = (rail: string, { version, fingerprints }: StoredCredentials, set_by: string, set_on: Timestamp): RailEvent => ({
  type: 'RailCredentialsSet',
  data: { merchant_id: null, rail, version, fingerprints, set_by, set_on },
});

function decideRotate(rail: Rail, { credentials, by, now }: Extract<RailsCommand, { kind: 'rotate' }>): Decided {
  if (rail.previous_credentials) {
    const detail = `Rail ${rail.name} still takes its previous credentials: once the provider uses the new ones only, "rail retire-old ${rail.name}".`;
    return refuse('rotation-under-way', detail);
  }
  return { events: [credentialsSet(rail.name, credentials, by, now)] };
}

function decideSwitch(rail: Rail, { kind, by, now }: Extract<RailsCommand, { kind: 'retire-old' | 'pause' | 'resume' }>): Decided {
  const of = { merchant_id: null, rail: rail.name };
  switch (kind) {
    case 'retire-old': {
      if (!rail.previous_credentials) return NOTHING_TO_DO;
      const { version } = rail.previous_credentials;
      return { events: [{ type: 'RailCredentialsRetired', data: { ...of, version, retired_by: by, retired_on: now } }] };
    }
    case 'pause':
      return rail.paused ? NOTHING_TO_DO : { events: [{ type: 'RailPaused', data: { ...of, paused_by: by, paused_on: now } }] };
    case 'resume':
      return rail.paused ? { events: [{ type: 'RailResumed', data: { ...of, resumed_by: by, resumed_on: now } }] } : NOTHING_TO_DO;
    default:
      return unreachable(kind);
  }
}

function decideRoute(state: Rails, { mode, use: text, rail: name, by, now }: Extract<RailsCommand, { kind: 'route' }>): Decided {
  const use = railUseOf(text);
  if (use === undefined) return refuse('use-unknown', `There is no payment channel ${text}, and no payouts of that name.`);
  if (name !== null) {
    const rail = state.byName.get(name);
    if (!rail) return notFound(name);
    const refused = refuseUse(rail, use) ?? (servedBy(rail) === mode ? undefined : ofOtherMode(rail, mode));
    if (refused) return refused;
  }
  if ((state.routes.get(routeKey(mode, use)) ?? null) === name) return NOTHING_TO_DO;
  return { events: [{ type: 'RailRouteSet', data: { merchant_id: null, mode, use, rail: name, set_by: by, set_on: now } }] };
}

/** `use` is a result of `railUseOf`. */
export function refuseUse(rail: Rail, use: string): Refused<RailsRefusal> | undefined {
  const uses = offerOf(rail.kind, rail.profile)?.uses ?? [];
  return uses.includes(use) ? undefined : refuse('use-not-offered', `Rail ${rail.name} offers ${uses.join(', ')}, not ${use}.`);
}

function decideAllow(rail: Rail, { what, until, evidence, by, now }: Extract<RailsCommand, { kind: 'allow' }>): Decided {
  const off = offerOf(rail.kind, rail.profile)?.off ?? [];
  if (!off.includes(what)) {
    const others = off.length === 0 ? '' : `, only for ${off.join(', ')}`;
    return refuse('nothing-to-allow', `Rail ${rail.name} (${wordsOf(rail)}) needs no permission for ${what}${others}.`);
  }
  if (what === 'pay-again' && until === null) return refuse('until-missing', 'The provider’s permission to pay again has an end: name --until.');
  if (until !== null && milliseconds(until) <= milliseconds(now)) return refuse('until-in-the-past', `${until} is past.`);
  const known = rail.allowed.get(what);
  if (known?.until === until && known.evidence === evidence) return NOTHING_TO_DO;
  const data = { merchant_id: null, rail: rail.name, what, until, evidence, allowed_by: by, allowed_on: now };
  return { events: [{ type: 'RailAllowed', data }] };
}

function decideWithdraw(rail: Rail, { what, evidence, by, now }: Extract<RailsCommand, { kind: 'withdraw' }>): Decided {
  if (!rail.allowed.has(what)) return NOTHING_TO_DO;
  const data = { merchant_id: null, rail: rail.name, what, evidence, withdrawn_by: by, withdrawn_on: now };
  return { events: [{ type: 'RailAllowanceWithdrawn', data }] };
}

const notFound = (name: string) => refuse('rail-not-found', `There is no rail ${name}; "rail list" shows them.`);

const ofOtherMode = (rail: Rail, mode: string) =>
  refuse('rail-of-other-mode', `Rail ${rail.name} serves ${servedBy(rail)} merchants, not ${mode} ones.`);

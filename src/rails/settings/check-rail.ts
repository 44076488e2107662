import type { Finding } from '../../ledger/ports/provider-result.js';
import type { ResolveName } from '../../platform/http/edge/address-guard.js';
import type { RailRoutes } from './rail-routes.js';
import type { Rail } from './rails.decider.js';
import { checkReach } from '../calls/reach.js';

export interface CheckOptions {
  readonly rail: Rail;
  readonly registry: RailRoutes;
  readonly resolve: ResolveName;
  /** The address at which the provider reaches us; undefined: not configured. */
  readonly publicUrl: string | undefined;
}

/** Checks a rail without moving money: looks at its settings and queries the provider. */
export async function checkRail(options: CheckOptions): Promise<readonly Finding[]> {
  const { rail, registry, resolve } = options;
  const [processor, bank] = [registry.processors.named(rail.name), registry.banks.named(rail.name)];
  const known = [credentialsFinding(rail, (processor ?? bank) !== undefined), inboundFinding(options)];
  const reached = await checkReach({ base: rail.base_url, allowPrivate: rail.allow_private, tls: rail.tls, resolve });
  // An unreachable provider cannot be queried.
  if (reached.some(({ level }) => level === 'error')) return [...known, ...reached];
  const asked = [...((await bank?.check()) ?? []), ...((await processor?.check()) ?? [])];
  return distinct([...known, ...reached, ...asked]);
}

function credentialsFinding({ name, credentials, previous_credentials }: Rail, isUsable: boolean): Finding {
  if (!isUsable) {
    const detail = `version ${credentials.version} is not there, or does not open`;
    return {
      check: 'credentials',
      level: 'error',
      detail,
      todo: `restore rail_credentials and ENCRYPTION_KEY, or give it new ones: rail rotate ${name}`,
    };
  }
  if (!previous_credentials) return { check: 'credentials', level: 'ok', detail: `version ${credentials.version}` };
  return {
    check: 'credentials',
    level: 'warn',
    detail: `version ${credentials.version}, and ${previous_credentials.version} is still taken`,
    todo: `when the provider uses the new ones only: rail retire-old ${name}`,
  };
}

function inboundFinding({ rail: { name, mode }, publicUrl }: CheckOptions): Finding {
  if (publicUrl === undefined) {
    return {
      check: 'notifications',
      level: mode === 'live' ? 'error' : 'warn',
      detail: 'PUBLIC_URL is not set',
      todo: 'set PUBLIC_URL to where the provider reaches us',
    };
  }
  const detail = `${publicUrl}/v1/rails/${name}/notifications`;
  if (publicUrl.startsWith('https://')) return { check: 'notifications', level: 'ok', detail };
  return { check: 'notifications', level: mode === 'live' ? 'error' : 'warn', detail, todo: 'PUBLIC_URL must begin with https:// for a provider' };
}

/** Both sides of a rail request the same token. */
function distinct(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

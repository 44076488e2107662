import type { Finding, ProviderResult } from '../../ledger/ports/provider-result.js';
import { SKEW_MAX_MS, SKEW_WARN_MS } from '../calls/clock-skew.js';
import type { SnapClient } from './client.js';

export interface SnapChecks {
  readonly client: SnapClient;
  readonly base: string;
  readonly mode: 'live' | 'sandbox';
  /** Only for rails that pay. */
  readonly balance?: () => Promise<ProviderResult<{ readonly amount: number; readonly currency: string }>>;
  /** Queries a reference that was never used. Operators see any answer other than "not-found". */
  readonly lookUp: () => Promise<string>;
}

/** The checks of `rail check`, each with a call that moves nothing. A check that depends on a failed one is left out. */
export async function checkSnap({ client, base, mode, balance, lookUp }: SnapChecks): Promise<readonly Finding[]> {
  const findings: Finding[] = [addressFinding(client, base, mode)];
  const token = await client.token();
  if (client.profile.auth === 'symmetric') findings.push(tokenFinding(token));
  if (token.is === 'accepted') {
    if (balance) findings.push(balanceFinding(await balance()));
    findings.push(lookUpFinding(await lookUp()));
  }
  findings.push(clockFinding(client.skewMs));
  return findings;
}

function addressFinding({ profile }: SnapClient, base: string, mode: 'live' | 'sandbox'): Finding {
  const host = new URL(base).host;
  if (mode === 'live' && profile.base.sandbox !== undefined && new URL(profile.base.sandbox).host === host) {
    return {
      check: 'address',
      level: 'error',
      detail: `${host} is the sandbox`,
      todo: 'Set the live address that the bank gave you: rail set --base.',
    };
  }
  return { check: 'address', level: 'ok', detail: host };
}

function tokenFinding(token: ProviderResult<string | null>): Finding {
  if (token.is === 'accepted') return { check: 'token', level: 'ok', detail: 'an access token was given' };
  const isRefused = /^4\d\d73\d\d$/.test(token.code);
  return {
    check: 'token',
    level: 'error',
    detail: token.code,
    todo: isRefused
      ? 'Compare client_key and the clock, and that the bank has the public key of private_key: rail rotate.'
      : 'Check that the address is right, that its name resolves, and that this host may reach it.',
  };
}

function balanceFinding(balance: ProviderResult<{ readonly amount: number; readonly currency: string }>): Finding {
  if (balance.is !== 'accepted') {
    return {
      check: 'balance',
      level: 'error',
      detail: balance.code,
      todo: 'Check that source_account is right and that the bank has allowed service 11 for it.',
    };
  }
  const { amount, currency } = balance.value;
  if (amount > 0) return { check: 'balance', level: 'ok', detail: `${currency} ${amount / 100}` };
  return { check: 'balance', level: 'warn', detail: 'the account is empty', todo: 'Put money on source_account before the first payout.' };
}

function lookUpFinding(found: string): Finding {
  if (found === 'not-found') return { check: 'unknown reference', level: 'ok', detail: 'is not found, as it should be' };
  return {
    check: 'unknown reference',
    level: 'error',
    detail: `answered ${found} instead of "not found"`,
    todo: 'Do not go live: ask the bank for its response to an unknown reference.',
  };
}

function clockFinding(skewMs: number | undefined): Finding {
  if (skewMs === undefined)
    return { check: 'clock', level: 'warn', detail: 'the bank’s response has no time', todo: 'Keep this host’s clock by NTP.' };
  const detail = `the bank is ${Math.round(Math.abs(skewMs) / 1_000)} s ${skewMs < 0 ? 'behind' : 'ahead'}`;
  if (Math.abs(skewMs) <= SKEW_WARN_MS) return { check: 'clock', level: 'ok', detail };
  return { check: 'clock', level: Math.abs(skewMs) > SKEW_MAX_MS ? 'error' : 'warn', detail, todo: 'Set this host’s clock by NTP.' };
}

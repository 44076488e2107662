import type { Finding, ProviderResult } from '../../ledger/ports/provider-result.js';
import { SKEW_WARN_MS } from '../calls/clock-skew.js';
import type { RailAnswer } from '../calls/rail-calls.js';
import { BALANCE, errorCode, moneyOf, readAnswer } from './answers.js';

interface Checked {
  readonly name: string;
  readonly mode: 'live' | 'sandbox';
  readonly secret_key: string;
  /** How far the provider's clock is ahead of ours, after the call; ms, null: unknown. */
  readonly skewMs: () => number | null;
}

/** Requests the balance of the account. */
type Ask = (read: (answer: RailAnswer) => ProviderResult<Finding[]>) => Promise<ProviderResult<Finding[]>>;

/** Prefix of a secret key, by the rail's mode. */
export const KEY_PREFIX = { live: 'xnd_production_', sandbox: 'xnd_development_' } as const;

/** Checks whether the key is of the rail's mode, is accepted, and may read the balance. */
export async function checkXendit(checked: Checked, ask: Ask): Promise<readonly Finding[]> {
  const { name, mode, secret_key } = checked;
  const prefix = KEY_PREFIX[mode];
  const key: Finding = secret_key.startsWith(prefix)
    ? { check: 'key', level: 'ok', detail: `it is a key of ${mode}` }
    : { check: 'key', level: 'error', detail: `it is no key of ${mode}`, todo: `rail rotate ${name} with a key that begins with ${prefix}` };
  const outcome = await ask((answer) => ({ is: 'accepted', value: judged(name, answer) }));
  return [key, ...(outcome.is === 'accepted' ? outcome.value : [unreached(outcome.code)]), ...clockFindings(checked.skewMs())];
}

/** Requests have no time, but expiries do. */
function clockFindings(skewMs: number | null): Finding[] {
  if (skewMs === null) return [];
  const detail = `the clocks differ by ${Math.round(Math.abs(skewMs) / 1000)} s`;
  return [
    Math.abs(skewMs) <= SKEW_WARN_MS
      ? { check: 'clock', level: 'ok', detail }
      : { check: 'clock', level: 'warn', detail, todo: 'set the clock of this machine by NTP' },
  ];
}

function judged(name: string, { status, body }: RailAnswer): Finding[] {
  const code = errorCode(body) ?? `HTTP ${status}`;
  switch (status) {
    case 200: {
      const { balance } = readAnswer(BALANCE, body);
      const known = moneyOf({ amount: balance, currency: 'IDR' }) !== undefined;
      return [
        { check: 'token', level: 'ok', detail: 'the secret key is accepted' },
        known
          ? { check: 'balance', level: 'ok', detail: `IDR ${balance}` }
          : { check: 'balance', level: 'warn', detail: 'the balance is no amount of rupiah', todo: 'look at it in the dashboard of Xendit' },
      ];
    }
    case 401:
      return [{ check: 'token', level: 'error', detail: `the secret key is not accepted (${code})`, todo: `rail rotate ${name} with a key that is` }];
    case 403:
      return [
        {
          check: 'token',
          level: 'warn',
          detail: `the secret key may not see the balance (${code})`,
          todo: 'give the key the permissions Balance (read), Transaction (read) and Money-in (write) in the dashboard of Xendit',
        },
      ];
    default:
      return [{ check: 'token', level: 'error', detail: `the answer was ${code}`, todo: 'try again; then ask Xendit' }];
  }
}

function unreached(code: string): Finding {
  return {
    check: 'connection',
    level: 'error',
    detail: `there was no usable answer (${code})`,
    todo: 'look at the address, the network and the time-outs',
  };
}

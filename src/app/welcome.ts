import { setTimeout as delay } from 'node:timers/promises';
import { ensureDemoMerchant } from '../domain/merchants/demo-merchant.js';
import { issueKey } from '../domain/merchants/merchant.commands.js';
import type { DirectoryDeps } from '../domain/operators/directory.js';
import { ClockRefused } from '../platform/event-store/clock-guard.js';
import { StoreUnavailable } from '../platform/event-store/event-store.js';
import type { Stores } from './stores.js';

const STORE_RETRY_MS = 1_000;

/** The keys that a first start prints. */
interface FirstKeys {
  readonly api_key: string;
  readonly finance_key: string;
}

/** An operator that the demo has created. */
interface WelcomedOperator {
  readonly name: string;
  readonly key: string;
}

/** The demo data that this start has created. */
export interface MadeUp {
  /** Key of the merchant that has the demo month. */
  readonly key: string;
  readonly people: { readonly preparer: WelcomedOperator; readonly controller: WelcomedOperator };
}

/**
 * Returns the text that a start prints in development before it prints its address: keys on the first start of an empty ledger, and how to get one on
 * later starts.
 * @param stopping ends the wait for an event store that is unavailable. @throws its reason
 * @param madeUp demo data of this start
 */
export async function welcome({ eventStore: store, clockGuard }: Stores, url: string, stopping: AbortSignal, madeUp?: MadeUp): Promise<string> {
  const keys = await firstKeys({ store, clock: clockGuard.clock }, stopping, madeUp?.key);
  return keys ? firstWords(url, keys, madeUp?.people) : laterWords(url);
}

/**
 * When all processes start at once, the store may be unavailable again just after it came up. That must neither end the process nor skip the keys.
 */
async function firstKeys(deps: DirectoryDeps, stopping: AbortSignal, apiKey: string | undefined): Promise<FirstKeys | null> {
  let api_key = apiKey;
  for (;;) {
    try {
      api_key ??= (await ensureDemoMerchant(deps))?.api_key;
      if (api_key === undefined) return null;
      const { key } = await issueKey(deps, { kind: 'finance' }, { name: 'First start', expires_on: null });
      return { api_key, finance_key: key };
    } catch (error) {
      if (error instanceof ClockRefused) return null;
      if (!(error instanceof StoreUnavailable)) throw error;
      await delay(STORE_RETRY_MS, undefined, { signal: stopping });
    }
  }
}

const firstWords = (url: string, { api_key, finance_key }: FirstKeys, people: MadeUp['people'] | undefined): string => `
A demo merchant was made for you. Its key is shown this once:

  export CHARGEBOOK_KEY=${api_key}

And a finance key, to sign in to the console with, shown this once too:

  export FINANCE_KEY=${finance_key}

Create a charge:

  curl -s ${url}/v1/charges -H "Authorization: Bearer ${api_key}" \\
    -H "Content-Type: application/json" -H "Idempotency-Key: order-1001" \\
    -d '{"amount":10000,"currency":"IDR","channel_code":"qr_qris","action_flow":"payload","reference_id":"order-1001"}'

Pay it: open the simulation_url of the answer in a browser, and press Succeed.

The interface is described at ${url}/docs
The console of finance is at ${url}/console
${people ? peopleWords(people) : ''}
`;

const peopleWords = ({ preparer, controller }: MadeUp['people']): string => `
Two operators sign in there, each in a separate browser or private window: one proposes, the other approves.

  ${preparer.name}, a preparer and approver: ${preparer.key}
  ${controller.name}, a controller too: ${controller.key}

Reconciliation of the month continues for some seconds: its days are being closed.
`;

const laterWords = (url: string): string => `A key: npm run -s cli -- key issue --merchant <id> ("merchant list" shows the ids)
A key for the console at ${url}/console: npm run -s cli -- finance-key issue --name <name>
`;

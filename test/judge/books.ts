import type { House } from './house.js';
import type { PatientClient } from './patient-client.js';
import type { Books, ChargeRow, LoggedEvent, PayoutRow, Truth } from './verdict.js';

const PAGE = 100;
const EVENTS = 1_000;
const CURRENCY = 'IDR';
const HOUSE = ['processor', 'bank', 'returns', 'suspense', 'fees', 'costs', 'tax', 'losses', 'equity'];

interface Account {
  readonly account: string;
  readonly merchant_id: string | null;
  readonly balance: number;
}

/** Reads the books only through the interfaces of merchants and finance. */
export async function readBooks(client: PatientClient, { shops, financeKey }: Pick<House, 'shops' | 'financeKey'>): Promise<Books> {
  const [charges, payouts, balances]: [ChargeRow[], PayoutRow[], Map<string, number>] = [[], [], new Map()];
  for (const { key } of shops) {
    const own = await all<ChargeRow & { reference_id: string }>(client, '/v1/charges', key, (body) => body.items);
    charges.push(...own.filter(({ reference_id }) => reference_id !== 'funding'));
    payouts.push(...(await all<PayoutRow>(client, '/v1/payouts', key, (body) => body)));
  }
  const accounts = await readTrialBalance(client, financeKey);
  for (const { account, merchant_id, balance } of accounts)
    if (!HOUSE.includes(account)) balances.set(merchant_id!, (balances.get(merchant_id!) ?? 0) + balance);
  // Negated: the trial balance has the money that the company holds, for example at a processor, as a negative balance.
  const house = new Map(accounts.filter(({ account }) => HOUSE.includes(account)).map(({ account, balance }) => [account, 0 - balance]));
  return { charges, payouts, events: await readEvents(client, financeKey), balances, house };
}

/** @throws when the trial balance has a difference, or not exactly one currency, IDR */
async function readTrialBalance(client: PatientClient, key: string): Promise<Account[]> {
  const { currencies } = await client.get('/audit/trial-balance', key);
  const [book, other] = currencies as { currency: string; difference: number; accounts: Account[] }[];
  if (!book || other || book.currency !== CURRENCY || book.difference !== 0)
    throw new Error(`the trial balance is wrong: ${JSON.stringify(currencies)}`);
  return book.accounts;
}

async function readEvents(client: PatientClient, key: string): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: { items: LoggedEvent[]; next_after: number | null } = await client.get(`/audit/events?Limit=${EVENTS}&After=${after}`, key);
    events.push(...page.items.map(({ type, data }) => ({ type, data })));
    after = page.next_after;
  }
  return events;
}

async function all<T>(client: PatientClient, path: string, key: string, itemsOf: (body: any) => T[]): Promise<T[]> {
  const found: T[] = [];
  for (let number = 1; ; number += 1) {
    const page = itemsOf(await client.get(`${path}?PageSize=${PAGE}&PageNumber=${number}`, key));
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}

/** Returns the payments, refunds and transfers of all shops' providers. */
export function readTruth({ shops }: Pick<House, 'shops'>): Truth {
  const [payments, refunds, transfers]: [Truth['payments'][number][], Truth['refunds'][number][], Truth['transfers'][number][]] = [[], [], []];
  for (const { xendit, bank } of shops) {
    const taken = xendit.control['truth']!({}) as Pick<Truth, 'payments' | 'refunds'>;
    payments.push(...taken.payments);
    refunds.push(...taken.refunds);
    transfers.push(...(bank.control['truth']!({}) as Pick<Truth, 'transfers'>).transfers);
  }
  return { payments, refunds, transfers };
}

import { randomUUID } from 'node:crypto';
import type { AccountId } from '../../src/domain/accounts/account-queue.js';
import { systemContext } from '../../src/ledger/streams/new-event.js';
import { ActOnPayout, type PayoutAct } from '../../src/domain/payouts/act-on-payout.js';
import { ActOnPayoutHandler } from '../../src/domain/payouts/payout-approvals.handlers.js';
import { payoutDigest } from '../../src/domain/payouts/payout-digest.js';
import type { BankVerdict, PayoutOutcomes } from '../../src/domain/payouts/payout-outcomes.js';
import type { PayoutClaims } from '../../src/domain/payouts/payout-claims.js';
import type { PayoutRegistry } from '../../src/domain/payouts/payout-registry.js';
import { payoutServices } from '../../src/domain/payouts/payout-services.js';
import { CancelPayout, CancelPayoutHandler, RequestPayout, RequestPayoutHandler } from '../../src/domain/payouts/payout.handlers.js';
import type { PayoutRegistered } from '../../src/ledger/events/payout.events.js';
import { payoutDeed } from '../../src/rails/simulator/deeds.js';
import { concurrently } from '../../src/platform/worker/concurrently.js';
import type { SeedOperator, SeedOperators } from './people.js';
import { because, idsOfAct, type Seeder, type SeedMerchant, type SeedServices } from './seeder.js';

/** End of a planned payout; PROCESSING has none. */
type PayoutEnding = 'SUCCEEDED' | 'FAILED' | 'REVERSED' | 'CANCELLED' | 'PROCESSING';

export interface PlannedPayout {
  /** Minor units. */
  readonly amount: number;
  readonly ending: PayoutEnding;
}

/** Minimum amount of a payout, minor units. */
const PAYOUT_MIN: Readonly<Record<string, number>> = { IDR: 10_000_000, MYR: 10_000, SGD: 500 };
const BANKS: Readonly<Record<string, string>> = { IDR: 'BCA', MYR: 'Maybank', SGD: 'DBS' };
/** The simulated bank answers by the ending of the number, so that open payouts continue as planned when the service starts. */
const ACCOUNT_NUMBERS: Readonly<Record<PayoutEnding, string>> = {
  SUCCEEDED: '1234567890',
  CANCELLED: '1234567890',
  FAILED: '1234560001',
  REVERSED: '1234560002',
  PROCESSING: '1234560003',
};
const DEEDS = { paid: 'PAYOUT', rejected: 'REJECTED', returned: 'RETURN' } as const;
const ACCOUNTS_AT_ONCE = 16;
const MINUTE = 60_000;
/** Every key here is random and unique. */
const OWN_KEYS: PayoutClaims = {
  claim: (_id, currency) => Promise.resolve({ currency, claimed_on: '', is_old: false }),
  takeOver: () => Promise.resolve(false),
  release: () => Promise.resolve(),
};
const NO_READER = { find: (): Promise<undefined> => Promise.resolve(undefined) };

type Requested = Omit<PlannedPayout, 'ending'> & {
  readonly ending: PayoutEnding | 'PENDING';
  readonly account: AccountId;
  readonly registered: PayoutRegistered;
};

/** Payouts of a seed, decided by the service's own handlers, with the plan's times as clock. */
export class SeedPayouts {
  private now = 0;
  private readonly registry: PayoutRegistry;
  private readonly outcomes: PayoutOutcomes;
  private readonly requests: RequestPayoutHandler;
  private readonly cancellations: CancelPayoutHandler;

  constructor(
    private readonly services: Pick<SeedServices, 'store' | 'terms' | 'secret' | 'journal'>,
    private readonly seeder: Seeder,
    merchants: readonly SeedMerchant[],
    private readonly keys = new Map(merchants.map(({ merchant_id, key_id }) => [merchant_id, key_id])),
  ) {
    const clock = (): number => this.now;
    const { store, terms, secret } = services;
    const { accounts } = seeder;
    // Payouts that a policy holds are not submitted here: people approve them.
    const found = payoutServices({ store, accounts, clock, reader: NO_READER, operators: null, onError: () => undefined });
    [this.registry, this.outcomes] = [found.registry, found.payouts];
    this.requests = new RequestPayoutHandler(accounts, this.registry, terms, secret, OWN_KEYS);
    this.cancellations = new CancelPayoutHandler(accounts, this.registry, NO_READER);
  }

  /**
   * Requests the payouts that `plan` makes from the available balance of each account, from `at` (milliseconds since the epoch) on: submitted to the
   * bank a minute later, answered after another, and returned after an hour.
   * @returns those that wait for people
   */
  async payOut(
    at: number,
    accounts: readonly AccountId[],
    plan: (account: AccountId, available: number) => PlannedPayout | undefined,
  ): Promise<readonly PayoutRegistered[]> {
    const requested = (await this.at(at, accounts, (account) => this.request(account, plan))).filter((one) => one !== undefined);
    const ending = (...endings: readonly Requested['ending'][]): Requested[] => requested.filter((one) => endings.includes(one.ending));
    await this.at(at + MINUTE, ending('CANCELLED'), ({ registered: { payout_id, merchant_id } }) =>
      this.cancellations.execute(new CancelPayout(payout_id, merchant_id, because(this.keys.get(merchant_id)!))),
    );
    await this.at(at + MINUTE, ending('SUCCEEDED', 'FAILED', 'REVERSED', 'PROCESSING'), ({ account, registered }) =>
      this.outcomes.submit(account, registered.payout_id, systemContext()),
    );
    await this.at(at + 2 * MINUTE, ending('SUCCEEDED', 'REVERSED'), (payout) => this.record(payout, { kind: 'paid' }));
    await this.at(at + 2 * MINUTE, ending('FAILED'), (payout) =>
      this.record(payout, { kind: 'rejected', reason: 'The bank does not know the account.' }),
    );
    await this.at(at + 60 * MINUTE, ending('REVERSED'), async (payout) => {
      await this.record(payout, { kind: 'returned', reason: 'The account does not take transfers.' });
      const { payout_id, net_amount, fee_amount } = payout.registered;
      this.seeder.expect(payout.account, { kind: 'return', record_id: payout_id, net_amount, fee_amount }, this.now);
    });
    return ending('PENDING').map(({ registered }) => registered);
  }

  /** Records an operator's decision about a waiting payout. */
  async decide(
    at: number,
    {
      by,
      operators,
      kind,
      reason,
    }: { readonly by: SeedOperator; readonly operators: SeedOperators; readonly kind: PayoutAct['kind']; readonly reason: string },
    registered: PayoutRegistered,
  ): Promise<void> {
    const { registry, services, seeder } = this;
    const accountOf = (): Promise<AccountId> => Promise.resolve(registered);
    const handler = new ActOnPayoutHandler({ accounts: seeder.accounts, registry, operators, accountOf, secret: services.secret });
    const act = { kind, payout_id: registered.payout_id, digest: payoutDigest(services.secret, registered), reason };
    await this.at(at, [act], () => handler.execute(new ActOnPayout(act, by.key_id, idsOfAct())));
  }

  private async request(
    account: AccountId,
    plan: (account: AccountId, available: number) => PlannedPayout | undefined,
  ): Promise<Requested | undefined> {
    const planned = plan(account, await this.seeder.available(account));
    const { merchant_id, currency } = account;
    if (!planned || planned.amount < PAYOUT_MIN[currency]!) return undefined;
    const body = {
      amount: planned.amount,
      currency,
      bank_account_name: 'Treasury',
      bank_account_number: ACCOUNT_NUMBERS[planned.ending],
      bank_name: BANKS[currency]!,
      reference_id: `payout-${new Date(this.now).toISOString().slice(0, 10)}`,
      description: null,
      metadata: {},
    };
    const context = because(this.keys.get(merchant_id)!);
    const { registered } = await this.requests.execute(new RequestPayout(body, `seed-${randomUUID()}`, merchant_id, context));
    const ending = registered.approvals_required === 0 ? planned.ending : 'PENDING';
    return { ...planned, ending, account, registered };
  }

  private async record({ registered }: Requested, verdict: BankVerdict): Promise<void> {
    await this.services.journal.record([payoutDeed(DEEDS[verdict.kind], registered, this.now)]);
    await this.outcomes.record(registered.payout_id, verdict, systemContext());
  }

  private at<Item, Result>(at: number, items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
    this.now = at;
    return this.seeder.at(at, () => concurrently(items, ACCOUNTS_AT_ONCE, work));
  }
}

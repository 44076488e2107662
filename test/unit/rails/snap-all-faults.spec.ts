import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProviderResult } from '../../../src/ledger/ports/provider-result.js';
import type { TransferAttempt, TransferStatus } from '../../../src/domain/payouts/transfer/remote-bank.js';
import { FAULTS } from '../../../tools/provider-simulators/faults.js';
import { newSnapAgreement } from '../../../tools/provider-simulators/snap-access.js';
import { SnapSimulator } from '../../../tools/provider-simulators/snap.js';
import type { RailAnswer, RailCall, RailCalls } from '../../../src/rails/calls/rail-calls.js';
import { SnapBank } from '../../../src/rails/snap/snap-bank.js';
import { snapOptions } from '../../support/snap.js';
import { DAY_MS } from '../../../src/ledger/time.js';

const PAYOUTS = 200;
/** All share one token, and each kills it with a tenth of its calls. */
const AT_ONCE = 4;
const RATE = 0.1;
const AGREEMENT = newSnapAgreement();

/** Calls without circuits and buckets, which would end a run in which every tenth call goes wrong. */
class BareCalls implements RailCalls {
  constructor(private readonly base: string) {}

  async call<T>({ method, path, headers, body }: RailCall, read: (answer: RailAnswer) => ProviderResult<T>): Promise<ProviderResult<T>> {
    try {
      const answer = await fetch(this.base + path, { method, headers: { ...headers }, body: body ?? null });
      return read({ status: answer.status, headers: Object.fromEntries(answer.headers), body: Buffer.from(await answer.arrayBuffer()) });
    } catch {
      return { is: 'unknown', code: 'lost' };
    }
  }
}

interface Paid {
  readonly attempt: TransferAttempt;
  readonly paid: ProviderResult<unknown>['is'];
  readonly said: Set<TransferStatus>;
}

/** Every fault of a bank in rails.md, each in a tenth of all calls, except for the faults that the protocol of payouts handles. */
describe.each(['midtrans', 'bca'])('a bank such as %s with every fault at once', (profile) => {
  let simulator: SnapSimulator;
  let truth: { readonly transfers: readonly { readonly partner_reference: string; readonly status: string; readonly amount: number }[] };
  const results: Paid[] = [];

  beforeAll(async () => {
    simulator = await SnapSimulator.listen({
      port: 0,
      seed: 20261122,
      faults: Object.fromEntries(FAULTS.map((fault) => [fault, RATE])),
      slowMs: 20,
      profile,
      agreement: AGREEMENT,
      callbackUrl: null,
      perSecond: 1_000_000,
      lateMs: 100,
      settlesAfterMs: 0,
      holder: 'Yories Yolanda',
    });
    const control = async (name: string, body: object = {}): Promise<any> =>
      (await fetch(`${simulator.url}/control/${name}`, { method: 'POST', body: JSON.stringify(body) })).json();
    const bank = new SnapBank(
      snapOptions(profile, new BareCalls(simulator.url), { base: simulator.url, credentials: AGREEMENT.credentials, clock: Date.now }),
    );
    let ids = 0;
    const externalId = (): string => String(9_000_000_000 + ++ids);
    const turns = Array.from({ length: PAYOUTS }, (_, nth) => nth);
    const inTurn = async (work: (nth: number) => Promise<void>): Promise<void> => {
      const left = [...turns];
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (let nth = left.shift(); nth !== undefined; nth = left.shift()) await work(nth);
        }),
      );
    };
    await inTurn(async (nth) => {
      const attempt: TransferAttempt = {
        payout_id: String(nth),
        attempt: 1,
        partner_reference: String(1_763_780_000_000_000_000n + BigInt(nth)),
        external_id: externalId(),
        currency: 'IDR',
        bank_code: '013',
        bank_account_number: `88880100${nth % 7}1234`,
        bank_account_name: 'Yories Yolanda',
        net_amount: 100 * (10_000 + nth),
        at: new Date().toISOString(),
      };
      results[nth] = { attempt, paid: (await bank.pay(attempt)).is, said: new Set() };
    });
    // The day changes twice.
    for (let round = 0; round < 6; round += 1) {
      await inTurn(async (nth) => {
        const { attempt, said } = results[nth]!;
        const status = await bank.status(attempt, externalId());
        if (status.is === 'accepted') said.add(status.value);
      });
      await control('clock', { advance_ms: DAY_MS / 3 });
    }
    truth = await control('truth');
  });
  afterAll(() => simulator.close());

  const transfersOf = ({ attempt }: Paid) => truth.transfers.filter(({ partner_reference }) => partner_reference === attempt.partner_reference);

  it('made no transfer for a payment that was rejected or retryable', () => {
    const refused = results.filter(({ paid }) => paid === 'rejected' || paid === 'retryable');
    expect(refused.length).toBeGreaterThan(10);
    expect(refused.filter((result) => transfersOf(result).length > 0)).toEqual([]);
  });

  it('made one transfer for every accepted payment', () => {
    const taken = results.filter(({ paid }) => paid === 'accepted');
    expect(taken.length).toBeGreaterThan(10);
    expect(taken.filter((result) => transfersOf(result).length !== 1)).toEqual([]);
  });

  it('transferred every payment that it reports as paid, to the rupiah', () => {
    const paid = results.filter(({ said }) => said.has('paid'));
    expect(paid.length).toBeGreaterThan(10);
    for (const result of paid) {
      expect(transfersOf(result)).toEqual([expect.objectContaining({ status: 'paid', amount: result.attempt.net_amount })]);
      expect([...result.said].filter((said) => said !== 'paid' && said !== 'not-found' && said !== 'paying')).toEqual([]);
    }
  });

  it('reports no payment as failed or returned, because none was', () => {
    expect(results.filter(({ said }) => said.has('failed') || said.has('returned'))).toEqual([]);
  });
});

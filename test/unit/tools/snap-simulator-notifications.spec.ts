import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Verified } from '../../../src/domain/charges/remote/remote-processor.js';
import { channelByCode } from '../../../src/ledger/channels.js';
import type { FaultRates } from '../../../tools/provider-simulators/faults.js';
import { newSnapAgreement } from '../../../tools/provider-simulators/snap-access.js';
import { SnapSimulator } from '../../../tools/provider-simulators/snap.js';
import { NOTIFICATION_REPLIES } from '../../../src/rails/snap/inbound.js';
import { SnapProcessor } from '../../../src/rails/snap/snap-processor.js';
import { eventually } from '../../support/eventually.js';
import { outboundTo } from '../../support/rail-calls.js';
import { snapOptions } from '../../support/snap.js';

const AGREEMENT = newSnapAgreement();
const CHARGES = ['0194fdc2-0000-7000-8000-00000000000a', '0194fdc2-0000-7000-8000-00000000000b'] as const;

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A bank, and our side behind our own addresses: the accepted notifications, and the number of refused ones. */
async function system(profile: string, { callUnavailable = 0, ...faults }: FaultRates & { callUnavailable?: number } = {}, lateMs = 300) {
  const taken: Verified[] = [];
  const seen = { refused: 0, tokens: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [raw, path] = [Buffer.concat(chunks), request.url!.replace('/v1/rails/bank-a', '')];
      const reply = ((): { status: number; body: unknown } => {
        if (path === '/access-token/b2b') {
          seen.tokens += 1;
          return processor.inbound.grant(raw, request.headers, Date.now());
        }
        if (callUnavailable-- > 0) return NOTIFICATION_REPLIES.unavailable;
        const verified = processor.parse(raw, request.headers, path.replace('/notifications', ''), Date.now());
        if (!verified) seen.refused += 1;
        else taken.push(verified);
        return NOTIFICATION_REPLIES[verified ? 'taken' : 'unauthorised'];
      })();
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const simulator = await SnapSimulator.listen({
    port: 0,
    seed: 7,
    faults,
    slowMs: 10,
    profile,
    agreement: AGREEMENT,
    callbackUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/rails/bank-a/notifications`,
    perSecond: 1_000,
    lateMs,
    settlesAfterMs: 0,
    holder: 'Yories Yolanda',
  });
  const outbound = outboundTo(simulator.url);
  const processor = new SnapProcessor(snapOptions(profile, outbound, { base: simulator.url, credentials: AGREEMENT.credentials, clock: Date.now }));
  closing.push(
    () => void server.close(),
    () => server.closeAllConnections(),
    () => simulator.close(),
    () => outbound.close(),
  );
  const control = async (name: string, body: object): Promise<any> =>
    (await fetch(`${simulator.url}/control/${name}`, { method: 'POST', body: JSON.stringify(body) })).json();
  const references: string[] = [];
  for (const charge_id of CHARGES) {
    const order = {
      charge_id,
      merchant_id: 'm',
      merchant_name: 'Baso Malang',
      merchant_name_id: null,
      channel: channelByCode('QR_QRIS')!,
      amount: 5_000_000,
      description: null,
      return_url: null,
      expires_on: new Date(Date.now() + 60_000).toISOString(),
      attempt: 1,
    };
    // On a busy machine a call may exceed its time limit: to a repeated request, the bank returns the code that it has made.
    await eventually(async () => {
      const made = await processor.create(order);
      return made.is === 'accepted' && references.push(made.value.processor_reference) > 0;
    });
  }
  return { processor, control, taken, seen, references };
}
const about = (charge_id: string, reference: string | undefined) => ({ about: 'charge', charge_id, processor_reference: reference });

describe.each(['standard', 'bca'])('notifications of a bank such as %s', (profile) => {
  it('signed notifications lead to the charge that was paid', async () => {
    const { control, taken, seen, references, processor } = await system(profile);
    await control('pay', { reference: references[0] });
    await eventually(() => taken.length > 0);
    expect(taken).toEqual([about(CHARGES[0], references[0])]);
    expect(seen).toEqual({ refused: 0, tokens: profile === 'bca' ? 1 : 0 });
    await expect(processor.query(references[0]!)).resolves.toMatchObject({ value: { status: 'PAID', payment: { amount: 5_000_000 } } });
  });

  it('notifications come again until they are accepted, and more than once when the bank repeats itself', async () => {
    const { control, taken, references } = await system(profile, { callUnavailable: 1, repeat: 1 });
    await control('pay', { reference: references[0] });
    await eventually(() => taken.length >= 2);
    expect(new Set(taken.map((each) => JSON.stringify(each))).size).toBe(1);
  });

  it('rejects wrongly signed and old notifications, and accepts the right one beside them', async () => {
    const { control, taken, seen, references } = await system(profile, { 'bad-signature': 1, 'old-timestamp': 1 });
    await control('pay', { reference: references[0] });
    await eventually(() => taken.length === 1 && seen.refused === 2);
  });

  it('forged notifications are authentic and prove nothing: the query does', async () => {
    const { control, taken, references, processor } = await system(profile, { forge: 1 });
    await control('pay', { reference: references[0] });
    await eventually(() => taken.length === 2);
    expect(taken).toContainEqual(about(CHARGES[1], references[1]));
    await expect(processor.query(references[1]!)).resolves.toMatchObject({ value: { status: 'WAITING' } });
  });

  it('notifications come late and in another order', async () => {
    const { control, taken, references } = await system(profile, { late: 1, reorder: 1 }, 2_000);
    // At once: on a busy machine the first one would not be late any more.
    await Promise.all(references.map((reference) => control('pay', { reference })));
    expect(taken).toEqual([]);
    await eventually(() => taken.length === 2);
  });

  it('notifications arrive for a payment after expiry', async () => {
    const { control, taken, references, processor } = await system(profile, { 'paid-after-expired': 1 });
    await processor.cancel(references[1]!);
    await control('clock', { advance_ms: 61_000 });
    await eventually(() => taken.length === 2);
    await expect(processor.query(references[1]!)).resolves.toMatchObject({ value: { status: 'PAID' } });
  });
});

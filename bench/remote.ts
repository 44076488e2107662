import { drive, type Load } from './load.js';
import type { Service } from './money.js';
import { SECRET_KEY } from './remote-credentials.js';

export interface RemoteFigures {
  /** A provider that answers after some milliseconds: asked directly, and by a create. */
  readonly provider: Load;
  readonly creates: Load;
  /** By the medians, ms. */
  readonly adds_ms: number;
  /** Charges of one merchant at a provider that takes two seconds, this many in flight. */
  readonly in_flight: number;
  readonly slow: Load;
  /** Charges of a test merchant without a rail, alone and beside those. */
  readonly simulated: { readonly alone: Load; readonly beside: Load };
}

type Requests = () => { readonly headers: Record<string, string>; readonly body: string };

export interface RemoteMeasured {
  readonly service: Service;
  readonly quickProvider: Service;
  /** Creates at the quick provider, at the slow one, and at the simulator. */
  readonly quick: Requests;
  readonly slow: Requests;
  readonly simulated: Requests;
  readonly seconds: number;
}

const SLOW_IN_FLIGHT = 200;
const SIMULATED_IN_FLIGHT = 16;
/** A quarter of what one core does: as many as before, or fewer because of what goes on beside them. */
const SIMULATED_PER_SECOND = 400;

/** What a charge over a provider costs beside the provider's own time, and what charges that wait for one cost others. */
export async function measureRemote({ service, quickProvider, quick, slow, simulated, seconds }: RemoteMeasured): Promise<RemoteFigures> {
  const creates = `${service.url}/v1/charges`;
  const others = (): Promise<Load> => drive(creates, SIMULATED_IN_FLIGHT, seconds, simulated, SIMULATED_PER_SECOND);
  await drive(creates, 1, seconds / 2, quick);
  const provider = await drive(`${quickProvider.url}/v3/payment_requests`, 1, seconds, () => ORDER);
  const asked = await drive(creates, 1, seconds, quick);
  await others();
  const alone = await others();
  // Those that wait have begun when the others begin.
  const waiting = drive(creates, SLOW_IN_FLIGHT, seconds + 4, slow);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const beside = await others();
  return {
    ...{ provider, creates: asked, adds_ms: asked.p50_ms - provider.p50_ms },
    ...{ in_flight: SLOW_IN_FLIGHT, slow: await waiting, simulated: { alone, beside } },
  };
}

/** What an adapter sends for a charge by QRIS. */
const ORDER = {
  headers: {
    authorization: `Basic ${Buffer.from(`${SECRET_KEY}:`).toString('base64')}`,
    'content-type': 'application/json',
    'api-version': '2024-11-11',
  },
  body: JSON.stringify({
    ...{ request_amount: 100, reference_id: 'bench', type: 'PAY', country: 'ID', currency: 'IDR', capture_method: 'AUTOMATIC' },
    ...{ channel_code: 'QRIS', channel_properties: {} },
  }),
};

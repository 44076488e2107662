import { drive, type Load } from './load.js';
import type { Service } from './money.js';
import { SECRET_KEY } from './remote-credentials.js';

export interface RemoteFigures {
  /** A provider that responds after some milliseconds: called directly, and by a create. */
  readonly provider: Load;
  readonly creates: Load;
  /** Time that a create adds to the provider's own, difference of the medians, ms. */
  readonly adds_ms: number;
  /** Charges of one merchant that are in flight at a provider with a response time of two seconds. */
  readonly in_flight: number;
  readonly slow: Load;
  /** Charges of a test merchant without a rail, alone and beside the slow ones. */
  readonly simulated: { readonly alone: Load; readonly beside: Load };
}

type Requests = () => { readonly headers: Record<string, string>; readonly body: string };

export interface RemoteMeasured {
  readonly service: Service;
  readonly quickProvider: Service;
  /** Create requests for the quick provider, the slow one, and the simulator. */
  readonly quick: Requests;
  readonly slow: Requests;
  readonly simulated: Requests;
  readonly seconds: number;
}

const SLOW_IN_FLIGHT = 200;
const SIMULATED_IN_FLIGHT = 16;
/** A quarter of the rate of one core, so that a lower measured rate shows an effect of the slow charges. */
const SIMULATED_PER_SECOND = 400;

/** Measures the time that a create adds to the provider's own, and the effect of charges that wait for a provider on other charges. */
export async function measureRemote({ service, quickProvider, quick, slow, simulated, seconds }: RemoteMeasured): Promise<RemoteFigures> {
  const creates = `${service.url}/v1/charges`;
  const others = (): Promise<Load> => drive(creates, SIMULATED_IN_FLIGHT, seconds, simulated, SIMULATED_PER_SECOND);
  await drive(creates, 1, seconds / 2, quick);
  const provider = await drive(`${quickProvider.url}/v3/payment_requests`, 1, seconds, () => ORDER);
  const asked = await drive(creates, 1, seconds, quick);
  await others();
  const alone = await others();
  // The waiting charges start two seconds before the others.
  const waiting = drive(creates, SLOW_IN_FLIGHT, seconds + 4, slow);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const beside = await others();
  return {
    ...{ provider, creates: asked, adds_ms: asked.p50_ms - provider.p50_ms },
    ...{ in_flight: SLOW_IN_FLIGHT, slow: await waiting, simulated: { alone, beside } },
  };
}

/** The request that an adapter sends for a QRIS charge. */
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

/**
 * The API as `src/main.ts` starts it with ROLES=api, except for its routes: charges of a merchant in REMOTE_PROVIDERS (`<merchant id>=<url>`,
 * separated by commas) use the provider at that address, all others the simulator. A rail that an operator sets up allows only a few calls
 * a second, as its provider documents; the rails here have no limit, because the bench measures the service and not the provider.
 * Prints its address; ends with its parent.
 */
import { startApi } from '../src/app/api.js';
import { readConfig } from '../src/app/config.js';
import { openStores } from '../src/app/stores.js';
import type { RemoteProcessor } from '../src/domain/charges/remote/remote-processor.js';
import { createLogger } from '../src/platform/process/logging.js';
import { Outbound } from '../src/rails/calls/outbound.js';
import { systemRailClock } from '../src/rails/calls/rail-clock.js';
import { XenditProcessor } from '../src/rails/xendit/xendit-processor.js';
import { CALLBACK_TOKEN, SECRET_KEY } from './remote-credentials.js';

const NO_LIMIT = 1_000_000;
const config = readConfig(process.env);
const logger = createLogger(config.logLevel);
const nothing = (): void => undefined;

function processorAt(url: string, merchantId: string): RemoteProcessor {
  const calls = new Outbound({
    ...{ rail: merchantId, base: url, allowPrivate: true, tls: '1.3', perSecond: NO_LIMIT, needsClock: false },
    ...{ clock: systemRailClock, resolve: async () => ['127.0.0.1'], random: Math.random },
    ...{ log: logger, observer: { called: nothing, circuit: nothing, clockSkew: nothing } },
  });
  return new XenditProcessor({
    ...{ name: merchantId, mode: 'sandbox', calls, clock: Date.now, allowedChannels: () => new Set<string>(), report: nothing },
    credentials: () => ({ current: { secret_key: SECRET_KEY, callback_token: CALLBACK_TOKEN } }),
    returnUrl: () => 'https://pay.example.com/return',
  });
}

const pairs = process.env['REMOTE_PROVIDERS']!.split(',').map((pair) => pair.split('=') as [string, string]);
const processors = new Map(pairs.map(([merchantId, url]) => [merchantId, processorAt(url, merchantId)]));
const stores = await openStores(config, nothing);
const api = await startApi(config, stores, logger, {
  processors: {
    route(merchantId) {
      const processor = processors.get(merchantId);
      return processor && { processor, merchant_name_id: null, is_stopped: false };
    },
    named: (name) => processors.get(name),
  },
  banks: { route: () => undefined, named: () => undefined, begun: () => undefined },
});
process.stdout.write(`listening on ${api.url}\n`);
process.on(
  'SIGTERM',
  () =>
    void api
      .stop()
      .then(() => stores.close())
      .then(() => process.exit(0)),
);

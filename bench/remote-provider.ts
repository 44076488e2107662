/**
 * A simulated provider in a separate process. It executes each request and responds after PROVIDER_DELAY_MS.
 * Prints its address; ends with its parent.
 */
import { XenditSimulator } from '../tools/provider-simulators/xendit.js';
import { CALLBACK_TOKEN, SECRET_KEY } from './remote-credentials.js';

const NO_LIMIT = 1_000_000_000;

const simulator = await XenditSimulator.listen({
  ...{ port: 0, seed: 1, faults: { slow: 1 }, slowMs: Number(process.env['PROVIDER_DELAY_MS']), lateMs: 0 },
  ...{ secretKey: SECRET_KEY, callbackToken: CALLBACK_TOKEN, callbackUrl: null, perMinute: NO_LIMIT, refundsAfterMs: null },
});
process.stdout.write(`listening on ${simulator.url}\n`);
process.stdin.on('end', () => process.exit(0)).resume();

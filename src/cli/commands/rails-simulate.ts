import { Command, Option } from 'commander';
import { FAULTS, type FaultRates } from '../../../tools/provider-simulators/faults.js';
import { SNAP_PROFILE_NAMES } from '../../rails/snap/profiles.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';
import { snapAgreement, xenditAgreement } from '../simulated-agreement.js';

interface Options {
  readonly port: number;
  readonly seed: number;
  readonly profile?: string;
  readonly fault: FaultRates;
  readonly credentials: string;
  readonly notify?: string;
  readonly holder: string;
}

interface Running {
  readonly url: string;
  close(): Promise<void>;
}

/** Slow responses arrive after the timeout of every caller except a payment. */
const SLOW_MS = 12_000;
const LATE_MS = 15_000;
/** Delay until a refund or transfer succeeds, ms. */
const SETTLES_AFTER_MS = 2_000;
/** The limit that Xendit documents for its sandbox. */
const XENDIT_PER_MINUTE = 60;
/** The banks do not document a limit. */
const SNAP_PER_SECOND = 20;

export const railsSimulate = (cli: Cli): Command =>
  new Command('simulate')
    .description('run a simulated provider on this machine for trying a sandbox rail: Xendit, or a bank of SNAP')
    .option('--port <number>', 'port to listen on; 0 picks a free one', argument.port, 4_100)
    .option('--seed <number>', 'seed of the faults; the same seed gives the same faults', argument.countUpTo(4_294_967_295), 1)
    .addOption(argument.oneOf(new Option('--profile <name>', 'simulate a bank with this dialect of SNAP, instead of Xendit'), SNAP_PROFILE_NAMES))
    .option(
      '--fault <name[:rate]>',
      `a fault and its rate (0 to 1, default 0.1); may be given several times: ${FAULTS.join(', ')}`,
      argument.fault,
      {},
    )
    .option('--credentials <file>', 'credentials file, also for "rail set"; created if it does not exist', 'rail-credentials.json')
    .option('--notify <url>', 'address for its notifications: …/v1/rails/<name>/notifications (default: no notifications)', argument.baseUrl)
    .option('--holder <name>', "holder of the bank's accounts", 'Budi Santoso')
    .action(async (options: Options) => {
      const running = await listen(options).catch((error: NodeJS.ErrnoException) => {
        throw error.code === undefined ? error : new CommandFailed(`cannot listen on port ${options.port}: ${error.message}`);
      });
      const { profile, credentials } = options;
      const kind = profile === undefined ? '--kind xendit' : `--kind snap --profile ${profile}`;
      const set = `rail set <name> ${kind} --mode sandbox --base ${running.url} --allow-private --credentials ${credentials}`;
      await cli.answer({ url: running.url, credentials, set }, () => words(running.url, set, profile));
      await new Promise<void>((resolve) => {
        if (cli.signal.aborted) resolve();
        cli.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await running.close();
    });

async function listen({ port, seed, profile, fault, credentials, notify, holder }: Options): Promise<Running> {
  const common = { port, seed, faults: fault, slowMs: SLOW_MS, lateMs: LATE_MS, callbackUrl: notify ?? null };
  if (profile === undefined) {
    const { XenditSimulator } = await import('../../../tools/provider-simulators/xendit.js');
    const { secret_key, callback_token } = await xenditAgreement(credentials);
    const ours = { secretKey: secret_key, callbackToken: callback_token, perMinute: XENDIT_PER_MINUTE, refundsAfterMs: SETTLES_AFTER_MS };
    return XenditSimulator.listen({ ...common, ...ours });
  }
  const { SnapSimulator } = await import('../../../tools/provider-simulators/snap.js');
  const agreement = await snapAgreement(credentials);
  return SnapSimulator.listen({ ...common, profile, agreement, holder, perSecond: SNAP_PER_SECOND, settlesAfterMs: SETTLES_AFTER_MS });
}

function words(url: string, set: string, profile: string | undefined): string {
  const pay =
    profile === undefined ? `'{"reference_id":"<charge id>"}' ${url}/control/pay` : `'{"reference":"<processor reference>"}' ${url}/control/pay`;
  return [
    `${profile === undefined ? 'Xendit' : `A bank of SNAP (${profile})`} listens at ${url}. Ctrl-C ends it.`,
    `Create a rail:        chargebook ${set}`,
    `Pay a charge:         curl -d ${pay}`,
    `Show the truth:       curl -X POST ${url}/control/truth`,
    `Set the faults:       curl -d '{"lost-answer":0.1}' ${url}/control/faults`,
  ].join('\n');
}

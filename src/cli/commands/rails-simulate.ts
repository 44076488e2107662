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

/** Answers that are slow come after every caller has given up but one who pays. */
const SLOW_MS = 12_000;
const LATE_MS = 15_000;
/** A refund, and a transfer. */
const SETTLES_AFTER_MS = 2_000;
/** Documented by Xendit for its sandbox. */
const XENDIT_PER_MINUTE = 60;
/** Nobody documents one. */
const SNAP_PER_SECOND = 20;

export const railsSimulate = (cli: Cli): Command =>
  new Command('simulate')
    .description('a provider of our own on this machine, to try a sandbox rail with: Xendit, or a bank of SNAP')
    .option('--port <number>', 'to listen on; 0 picks one', argument.port, 4_100)
    .option('--seed <number>', 'what goes wrong is the same with the same seed', argument.countUpTo(4_294_967_295), 1)
    .addOption(argument.oneOf(new Option('--profile <name>', 'a bank with this dialect of SNAP, instead of Xendit'), SNAP_PROFILE_NAMES))
    .option('--fault <name[:rate]>', `what goes wrong, and how often (0 to 1, default 0.1); again for more: ${FAULTS.join(', ')}`, argument.fault, {})
    .option('--credentials <file>', 'what it takes, and "rail set" too; made when it is not there', 'rail-credentials.json')
    .option('--notify <url>', 'where it notifies: …/v1/rails/<name>/notifications (default: it notifies nobody)', argument.baseUrl)
    .option('--holder <name>', 'who holds the accounts of the bank', 'Budi Santoso')
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
    `Make a rail of it:    chargebook ${set}`,
    `Pay a charge:         curl -d ${pay}`,
    `What has happened:    curl -X POST ${url}/control/truth`,
    `What is to go wrong:  curl -d '{"lost-answer":0.1}' ${url}/control/faults`,
  ].join('\n');
}

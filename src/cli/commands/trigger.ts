import { Argument, Command } from 'commander';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { eventWords, type ReceivedEvent } from '../event-words.js';
import { CommandFailed } from '../failures.js';
import { pause, ServiceClient, withServiceOptions, type ServiceOptions } from '../service-client.js';
import { trigger, TRIGGERS } from '../triggers.js';

const LOOK_EVERY_MS = 100;
/** A payout that is returned takes about two seconds. */
const SEEN_WITHIN_MS = 30_000;

export const triggerCommand = (cli: Cli): Command =>
  withServiceOptions(
    new Command('trigger')
      .description('cause an event of a test merchant, with new charges, refunds, disputes, payouts and customers, and show it as it is delivered')
      .addArgument(argument.oneOf(new Argument('<kind>', 'kind of the event'), TRIGGERS)),
  ).action(async (kind: string, options: ServiceOptions) => {
    const service = await ServiceClient.of(cli, options);
    const after = await service.newestSequence();
    await trigger(service, kind, async () => (await cli.config()).disputeReminderSeconds);
    const deadline = performance.now() + SEEN_WITHIN_MS;
    for (;;) {
      const [event] = await service.get<ReceivedEvent[]>(`/v1/events?After=${after}&Type=${kind}&PageSize=1`);
      if (event) {
        const delivery = await deliveryOf(service, kind);
        return cli.answer(event, () => eventWords(event, `it is among GET /v1/events now, ${delivery}`));
      }
      if (performance.now() > deadline)
        throw new CommandFailed(`the cause of ${kind} was triggered, but the event did not appear within ${SEEN_WITHIN_MS / 1000} s`);
      await pause(LOOK_EVERY_MS, cli.signal);
      cli.signal.throwIfAborted();
    }
  });

/** Describes the delivery of the event to a webhook, if the key may read its settings. */
async function deliveryOf(service: ServiceClient, kind: string): Promise<string> {
  const merchant = await service.get<{ readonly web_hook: WebHook | null }>('/v1/merchants/me').catch(() => undefined);
  if (merchant === undefined) return 'and on its way to the webhook, if one is set';
  const { web_hook } = merchant;
  if (web_hook === null) return 'but is not delivered: no webhook is set (POST /v1/merchants/me/web-hook, or "listen --forward-to")';
  if (web_hook.status === 'DISABLED') return 'but is not delivered: the webhook is disabled';
  const isWanted = web_hook.events.length === 0 || web_hook.events.includes(kind);
  return isWanted ? 'and on its way to the webhook' : `but is not delivered: the webhook does not select ${kind}`;
}

interface WebHook {
  /** Kinds; empty for all. */
  readonly events: readonly string[];
  readonly status: 'ENABLED' | 'DISABLED';
}

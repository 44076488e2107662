import { timeLimit } from '../platform/async/waiting.js';
import { signedHeaders } from '../domain/webhooks/signing.js';
import type { Cli } from './cli.js';
import { eventWords, type ReceivedEvent } from './event-words.js';
import { pause, reasonOf, ServiceAway, type ServiceClient } from './service-client.js';

const LOOK_EVERY_MS = 500;
const ANSWER_WITHIN_MS = 15_000;
/** Pauses before a receiver is retried, ms; then the event is skipped. */
const ASK_AGAIN_MS = [1_000, 2_000, 4_000];

export interface Forwarding {
  readonly service: ServiceClient;
  readonly target: URL;
  readonly key: Buffer;
  /** The sequence after which it begins. */
  readonly after: number;
}

/** Reads the merchant's events in sequence and sends each to `target`, signed like a delivery, until the command is interrupted. */
export async function forwardEvents(cli: Cli, { service, target, key, after }: Forwarding): Promise<void> {
  let last = after;
  let isAway = false;
  while (!cli.signal.aborted) {
    try {
      // One event at a time, as text: an amount may exceed the range of JavaScript's numbers.
      const text = await service.getText(`/v1/events?After=${last}&PageSize=1`);
      isAway = false;
      if (text === '[]') {
        await pause(LOOK_EVERY_MS, cli.signal);
        continue;
      }
      const body = withPrevious(text.slice(1, -1), last);
      const event = JSON.parse(body) as ReceivedEvent & { readonly id: string; readonly sequence: number };
      await forward(cli, { target, key, event, body });
      last = event.sequence;
    } catch (error) {
      if (cli.signal.aborted) return;
      if (!(error instanceof ServiceAway)) throw error;
      if (!isAway) await cli.note(`${error.message}; waiting for it`);
      isAway = true;
      await pause(LOOK_EVERY_MS, cli.signal);
    }
  }
}

interface Post {
  readonly target: URL;
  readonly key: Buffer;
  readonly event: ReceivedEvent & { readonly id: string; readonly sequence: number };
  readonly body: string;
}

async function forward(cli: Cli, post: Post): Promise<void> {
  for (let attempt = 0; !cli.signal.aborted; attempt += 1) {
    const { status, words } = await send(post, cli.signal);
    const { id, type, sequence } = post.event;
    await cli.answer({ sequence, type, id, response_code: status, attempt: attempt + 1 }, () => eventWords(post.event, words));
    const again = ASK_AGAIN_MS[attempt];
    if (status !== null && status >= 200 && status < 300) return;
    if (again === undefined) return cli.note(`#${sequence} is skipped; --after ${sequence - 1} starts with it`);
    await pause(again, cli.signal);
  }
}

async function send(
  { target, key, event, body }: Post,
  interrupted: AbortSignal,
): Promise<{ readonly status: number | null; readonly words: string }> {
  const headers = { 'content-type': 'application/json', ...signedHeaders([key], event.id, Math.floor(Date.now() / 1000), body) };
  const begun = performance.now();
  try {
    const signal = AbortSignal.any([interrupted, timeLimit(ANSWER_WITHIN_MS)]);
    const response = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal });
    await response.body?.cancel();
    return { status: response.status, words: `→ ${response.status} from ${target.href} in ${Math.round(performance.now() - begun)} ms` };
  } catch (error) {
    return { status: null, words: `→ no response from ${target.href}: ${reasonOf(error)}` };
  }
}

/** Adds `previous_sequence`, like a delivery with all kinds of events, which skips no sequence. */
const withPrevious = (event: string, previous: number): string =>
  event.replace(/"sequence":\d+,/, (sequence) => `${sequence}"previous_sequence":${previous === 0 ? 'null' : previous},`);

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Command } from 'commander';
import { signingBytes, verificationSecret } from '../../domain/webhooks/signing.js';
import { isSigned, SIGNATURE_TOLERANCE_SECONDS } from '../../domain/webhooks/verifying.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { eventWords, printable, type ReceivedEvent } from '../event-words.js';
import { CommandFailed } from '../failures.js';
import { forwardEvents } from '../forwarding.js';
import { httpAddress, ServiceClient, withServiceOptions, type ServiceOptions } from '../service-client.js';

interface Options extends ServiceOptions {
  readonly port: number;
  readonly key?: string;
  readonly forwardTo?: URL;
  readonly after?: number;
}

/** Maximum bytes of a body; the service sends a few KiB. */
const BODY_BYTES_MAX = 1024 * 1024;
const SECRET_BYTES = 24;

export const listen = (cli: Cli): Command =>
  withServiceOptions(
    new Command('listen')
      .description(
        'receive webhooks on this machine, verify their signatures and print their events; or read the events of a merchant and forward them to an address of this machine',
      )
      .option('--port <number>', 'port to listen on; 0 picks a free one', argument.port, 4000)
      .option(
        '--key <key>',
        'the signature key of the webhook, or its verification_secret; with --forward-to, the key that signs (default: a new one)',
      )
      .option(
        '--forward-to <address>',
        'address to send each event to, signed as a delivery; this needs no webhook, and no connection from outside to this machine',
        httpAddress,
      )
      .option('--after <sequence>', 'with --forward-to: start after this event (default: the newest)', argument.sequence),
  ).action(async (options: Options, command: Command) => {
    const { forwardTo, key, after } = options;
    if (!forwardTo) {
      if (after !== undefined) command.error('error: --after can only be used with --forward-to');
      if (key === undefined) command.error('error: --key is missing: give the signature key of the webhook, or use --forward-to without a webhook');
      return receiveOn(cli, options.port, signingBytes(key));
    }
    const bytes = key === undefined ? randomBytes(SECRET_BYTES) : signingBytes(key);
    const service = await ServiceClient.of(cli, options);
    const begin = after ?? (await service.newestSequence());
    await cli.note(
      `forwarding the events after #${begin} of ${service.url} to ${forwardTo.href}, signed with ${verificationSecret(bytes)} (Ctrl-C ends)`,
    );
    return forwardEvents(cli, { service, target: forwardTo, key: bytes, after: begin });
  });

async function receiveOn(cli: Cli, port: number, key: Buffer): Promise<void> {
  const server = createServer((request, response) => void receive(cli, key, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new CommandFailed(`cannot listen on port ${port}: ${error.message}`)));
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address() as { port: number };
  await cli.note(`listening on http://127.0.0.1:${address.port}/, verifying with ${verificationSecret(key)} (Ctrl-C ends)`);
  await new Promise<void>((resolve) => cli.signal.addEventListener('abort', () => resolve(), { once: true }));
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

async function receive(cli: Cli, key: Buffer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request).catch(() => undefined);
  if (request.method !== 'POST' || body === undefined) {
    response.writeHead(request.method === 'POST' ? 413 : 405).end();
    return;
  }
  const isGenuine = isSigned(key, request.headers, body, Date.now());
  response.writeHead(isGenuine ? 204 : 401).end();
  const event = eventOf(body);
  await cli.answer({ verified: isGenuine, event: event ?? body }, () => inWords(isGenuine, event, body));
}

function inWords(isGenuine: boolean, event: ReceivedEvent | undefined, body: string): string {
  const seal = isGenuine
    ? '✓ signature verified'
    : `✗ signature is not valid (another key, other bytes, or older than ${SIGNATURE_TOLERANCE_SECONDS / 60} minutes)`;
  return event ? eventWords(event, seal) : `${seal}\n    ${printable(body)}\n`;
}

function eventOf(body: string): ReceivedEvent | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** @throws when the body is larger than BODY_BYTES_MAX, or incomplete */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Command } from 'commander';
import { signingBytes } from '../../webhooks/signing.js';
import { isSigned, SIGNATURE_TOLERANCE_SECONDS } from '../../webhooks/verifying.js';
import * as argument from '../arguments.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';

interface Options {
  readonly port: number;
  readonly key: string;
}

/** Of a body; the service sends a few KiB. */
const BODY_BYTES_MAX = 1024 * 1024;

interface Event {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly timestamp?: unknown;
  readonly sequence?: unknown;
  readonly previous_sequence?: unknown;
  readonly data?: unknown;
}

export const listen = (cli: Cli): Command =>
  new Command('listen')
    .description('receive web-hooks on this machine, check their signatures and print what they tell')
    .option('--port <number>', 'to listen on; 0 picks one', argument.port, 4000)
    .requiredOption('--key <key>', 'the signature key that the web-hook was set with, or its verification_secret')
    .action(async ({ port, key }: Options) => {
      const bytes = signingBytes(key);
      const server = createServer((request, response) => void receive(cli, bytes, request, response));
      await new Promise<void>((resolve, reject) => {
        server.once('error', (error) => reject(new CommandFailed(`cannot listen on port ${port}: ${error.message}`)));
        server.listen(port, '127.0.0.1', resolve);
      });
      const address = server.address() as { port: number };
      await cli.note(`listening on http://127.0.0.1:${address.port}/ (Ctrl-C ends)`);
      await new Promise<void>((resolve) => cli.signal.addEventListener('abort', () => resolve(), { once: true }));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });

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

function inWords(isGenuine: boolean, event: Event | undefined, body: string): string {
  const seal = isGenuine
    ? '✓ signature verified'
    : `✗ signature does not fit (another key, other bytes, or older than ${SIGNATURE_TOLERANCE_SECONDS / 60} minutes)`;
  if (!event) return `${seal}\n    ${printable(body)}\n`;
  const { id, type, timestamp, sequence, previous_sequence, data } = event;
  const place = sequence === undefined ? '' : `  #${printable(sequence)} after ${printable(previous_sequence ?? 'nothing')}`;
  const fields = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return [
    `${printable(type)}${place}  ${printable(timestamp)}`,
    `    ${seal}`,
    `    id ${printable(id)}`,
    ...fields.map(([name, value]) => `    ${printable(name).padEnd(width)}  ${printable(value)}`),
    '',
  ].join('\n');
}

/** Whoever sends must not move the cursor. */
function printable(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replaceAll(/\p{Cc}/gu, ' ');
}

function eventOf(body: string): Event | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** @throws when it is larger than BODY_BYTES_MAX, or cut off. */
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

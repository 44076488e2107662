import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { type KeyPrefix, parseKey } from '../platform/auth/api-key.js';
import { isHttpUri } from '../platform/text/uri.js';
import { timeLimit } from '../platform/async/waiting.js';
import type { Cli } from './cli.js';
import { CommandFailed } from './failures.js';

export interface ServiceOptions {
  readonly url?: URL;
  readonly apiKey?: string;
}

/** The record has changed meanwhile, so the requested action is not possible any more. */
export class StateConflict extends CommandFailed {}

/** The service is unreachable, or asks for a later retry: the same request may succeed in a moment. */
export class ServiceAway extends CommandFailed {}

/** The place of a command's work, for its help. */
export const ON_THE_LEDGER = 'Works on the ledger itself, with the environment of the service; no service needs to run.';
const OVER_REST = 'Calls the service over REST, from any machine.';

const ANSWER_WITHIN_MS = 15_000;

/** Adds the options of commands that use the REST API as a merchant does. They work on any machine. */
export function withServiceOptions(command: Command): Command {
  return command
    .addOption(urlOption())
    .addOption(new Option('--api-key <key>', 'a merchant’s key').env('CHARGEBOOK_KEY'))
    .addHelpText('after', `\n${OVER_REST}`);
}

/** Adds the options of commands that an operator runs. */
export const withOperatorOptions = (command: Command): Command => withAddressOfService(command).addHelpText('after', `\n${OVER_REST}`);

/** Adds the options of commands that work on the ledger, and call the service only to make a proposal. */
export const withProposalOptions = (command: Command): Command =>
  withAddressOfService(command).addHelpText('after', `\n${ON_THE_LEDGER} For a proposal it calls the service over REST.`);

const withAddressOfService = (command: Command): Command =>
  command.addOption(urlOption()).addOption(new Option('--api-key <key>', 'an operator’s key').env('CHARGEBOOK_OPERATOR_KEY'));

const urlOption = (): Option =>
  new Option('--url <address>', 'address of the service (default: PUBLIC_URL, else the address that it listens on)').argParser(httpAddress);

export function httpAddress(text: string): URL {
  if (!isHttpUri(text)) throw new InvalidArgumentError('Must be an http or https address.');
  return new URL(text);
}

interface WantedKey {
  readonly of: string;
  readonly prefixes: readonly KeyPrefix[];
  /** Name of the environment variable. */
  readonly variable: string;
}

function wrongKey(kind: KeyPrefix | undefined, { prefixes }: WantedKey): string {
  if (kind !== undefined) return `this is a key that begins with ${kind}, not with ${prefixes.join(' or ')}`;
  return `it begins with ${prefixes.join(' or ')}, and 36 letters and digits follow; this one is incomplete or mistyped`;
}

/** Client of the service with one key. Each call throws CommandFailed with the service's explanation, or ServiceAway. */
export class ServiceClient {
  /** @param url without a slash at the end */
  constructor(
    readonly url: string,
    private readonly apiKey: string,
    private readonly signal: AbortSignal,
  ) {}

  static of(cli: Cli, options: ServiceOptions): Promise<ServiceClient> {
    return ServiceClient.#with(cli, options, { of: 'a merchant’s key', prefixes: ['sk_test_', 'sk_live_'], variable: 'CHARGEBOOK_KEY' });
  }

  static ofOperator(cli: Cli, options: ServiceOptions): Promise<ServiceClient> {
    return ServiceClient.#with(cli, options, { of: 'an operator’s key', prefixes: ['ok_'], variable: 'CHARGEBOOK_OPERATOR_KEY' });
  }

  static async #with(cli: Cli, { url, apiKey }: ServiceOptions, key: WantedKey): Promise<ServiceClient> {
    if (apiKey === undefined) throw new CommandFailed(`${key.of} is missing: use --api-key, or ${key.variable} in the environment`);
    const kind = parseKey(apiKey)?.prefix;
    // The error does not repeat the key: logs and terminals keep it.
    if (kind === undefined || !key.prefixes.includes(kind))
      throw new CommandFailed(`${key.of} is expected in --api-key or ${key.variable}: ${wrongKey(kind, key)}`);
    const { publicUrl, host, port } = await cli.config();
    const listening = `http://${['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host}:${port}`;
    return new ServiceClient((url?.href ?? publicUrl ?? listening).replace(/\/$/, ''), apiKey, cli.signal);
  }

  /** Returns the response as text: its numbers may exceed JavaScript's. */
  async getText(path: string): Promise<string> {
    return this.request('GET', this.url + path);
  }

  async get<Body>(path: string): Promise<Body> {
    return JSON.parse(await this.getText(path)) as Body;
  }

  /** Creates or changes a record; `path` is below the service's address, or a URL. */
  async send<Body>(method: 'POST' | 'PUT', path: string, body: object): Promise<Body> {
    return JSON.parse(await this.request(method, new URL(path, this.url).href, body)) as Body;
  }

  /** Uploads a text file. */
  async upload(path: string, text: string): Promise<void> {
    await this.request('POST', this.url + path, text);
  }

  async delete(path: string): Promise<void> {
    await this.request('DELETE', this.url + path);
  }

  /** Returns the sequence of the merchant's newest event; 0 before the first. It uses a binary search, because no response contains the sequence. */
  async newestSequence(): Promise<number> {
    const isThere = async (sequence: number): Promise<boolean> => (await this.getText(`/v1/events?After=${sequence - 1}&PageSize=1`)) !== '[]';
    let beyond = 1;
    while (await isThere(beyond)) beyond *= 2;
    let newest = Math.floor(beyond / 2);
    while (beyond - newest > 1) {
      const middle = Math.floor((newest + beyond) / 2);
      if (await isThere(middle)) newest = middle;
      else beyond = middle;
    }
    return newest;
  }

  private async request(method: string, url: string, body?: object | string): Promise<string> {
    const isFile = typeof body === 'string';
    const headers = {
      // A simulator's URL is its own credential, and may be on another host.
      ...(url.startsWith(`${this.url}/`) && { authorization: `Bearer ${this.apiKey}` }),
      ...(body && { 'content-type': isFile ? 'text/plain' : 'application/json' }),
      ...(body && !isFile && method === 'POST' && { 'idempotency-key': randomUUID() }),
    };
    const signal = AbortSignal.any([this.signal, timeLimit(ANSWER_WITHIN_MS)]);
    const response = await fetch(url, { method, headers, signal, ...(body && { body: isFile ? body : JSON.stringify(body) }) }).catch(
      (error: unknown) => {
        this.signal.throwIfAborted();
        throw new ServiceAway(
          `the service at ${this.url} cannot be reached: ${reasonOf(error)}; set its address with --url, or with PUBLIC_URL, HOST and PORT in the environment`,
        );
      },
    );
    const text = await response.text();
    if (response.ok) return text;
    const { origin, pathname } = new URL(url);
    const words = `${method} ${origin}${pathname} returned ${response.status}: ${detailOf(text)}`;
    if (response.status === 409) throw new StateConflict(words);
    throw response.status === 429 || response.status === 503 ? new ServiceAway(words) : new CommandFailed(words);
  }
}

/** Resolves after `ms`, or at once when the command is interrupted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> => delay(ms, undefined, { signal }).catch(() => undefined);

export function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  const { code, message } = cause as { code?: unknown; message?: unknown };
  return String(code ?? message);
}

function detailOf(text: string): string {
  try {
    const { detail, errors } = JSON.parse(text) as { detail?: string; errors?: { pointer?: string; parameter?: string; detail: string }[] };
    return [detail, ...(errors ?? []).map((each) => `${each.pointer ?? each.parameter ?? ''} ${each.detail}`)].join(' ');
  } catch {
    return 'the server at this address is not a Chargebook';
  }
}

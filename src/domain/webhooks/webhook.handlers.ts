import { setTimeout as delay } from 'node:timers/promises';
import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CLOCK, CONFIG, SECRET, type Settings } from '../../ledger/ports/injection-tokens.js';
import { decideOnStream } from '../../ledger/streams/decide-on-stream.js';
import { foldStream } from '../../ledger/streams/fold-stream.js';
import type { CommandContext } from '../../ledger/streams/new-event.js';
import { merchantStream } from '../../ledger/events/merchant.events.js';
import { EVENT_STORE, type EventStore, type Position } from '../../platform/event-store/event-store.js';
import { LedgerProblem, type ProblemCode } from '../../ledger/problems.js';
import { milliseconds, timestamp, type Clock } from '../../ledger/time.js';
import { checkedAddresses, ForbiddenAddress, readOutboundUri, resolveName } from '../../platform/http/edge/address-guard.js';
import { isHttpUri } from '../../platform/text/uri.js';
import { SignatureKeyEncryption } from './signature-key-encryption.js';
import { KEY_OVERLAP_MS, keyHint, signingBytes, UnusableKey, verificationSecret } from './signing.js';
import { webhook, type Webhook, type WebhookRefusal } from './webhook.decider.js';

/** Maximum wait for a name to resolve. An unresolved name is accepted, because each delivery looks it up again. */
const RESOLVED_WITHIN_MS = 2_000;
type Context = Omit<CommandContext, 'now'>;

export interface WantedWebhook {
  readonly web_hook_uri: string;
  readonly signature_key: string;
  readonly events: readonly string[];
}

const NO_URI = 'Must be a URI with // and a valid host. Percent-encode other characters, and write names in ASCII (xn--…).';

export interface WebhookWasSet {
  readonly web_hook: Webhook;
  readonly verification_secret: string;
  readonly position: Position;
}

/** Sets a merchant's webhook. Setting it again enables it. */
export class SetWebhook extends Command<WebhookWasSet> {
  constructor(
    readonly merchantId: string,
    readonly wanted: WantedWebhook,
    readonly context: Context,
  ) {
    super();
  }
}

@CommandHandler(SetWebhook)
export class SetWebhookHandler implements ICommandHandler<SetWebhook> {
  private readonly encryption: SignatureKeyEncryption;
  private readonly policy: { readonly allowPrivate: boolean };

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SECRET) secret: Buffer,
    @Inject(CONFIG) config: Settings,
  ) {
    this.encryption = new SignatureKeyEncryption(secret);
    this.policy = { allowPrivate: config.webhookAllowPrivate };
  }

  /** @throws Problem validation-failed, record-full */
  async execute({ merchantId: merchant_id, wanted, context }: SetWebhook): Promise<WebhookWasSet> {
    const { events, signature_key } = wanted;
    const key = readKey(signature_key);
    const web_hook_uri = await this.calledUri(wanted.web_hook_uri);
    const settings = { merchant_id, web_hook_uri, events, sealed_key: this.encryption.encrypt(merchant_id, key), key_hint: keyHint(signature_key) };
    const stream = merchantStream(merchant_id);
    const outcome = await decideOnStream(
      this.store,
      this.clock,
      stream,
      webhook,
      (now) => ({ kind: 'set' as const, ...settings, by: context.actor, overlap_until: timestamp(milliseconds(now) + KEY_OVERLAP_MS), now }),
      context,
    );
    if ('refusal' in outcome) throw new LedgerProblem(PROBLEM_OF_REFUSAL[outcome.refusal], outcome.detail);
    return { web_hook: outcome.state.web_hook!, verification_secret: verificationSecret(key), position: outcome.position };
  }

  /** @returns the normalised URL, which is the one that is called @throws Problem validation-failed */
  private async calledUri(webhookUri: string): Promise<string> {
    try {
      const url = readOutboundUri(webhookUri, this.policy);
      if (!isHttpUri(webhookUri)) throw invalid('/web_hook_uri', 'wrong-format', NO_URI);
      url.hash = '';
      if (!this.policy.allowPrivate) await this.requireAllowed(url);
      return url.href;
    } catch (error) {
      throw error instanceof ForbiddenAddress ? invalid('/web_hook_uri', 'forbidden-address', error.message) : error;
    }
  }

  /** A name that does not resolve yet is allowed. @throws ForbiddenAddress */
  private async requireAllowed(url: URL): Promise<void> {
    try {
      await Promise.race([checkedAddresses(url, this.policy, resolveName), delay(RESOLVED_WITHIN_MS, undefined, { ref: false })]);
    } catch (error) {
      if (error instanceof ForbiddenAddress) throw error;
    }
  }
}

export class DeleteWebhook extends Command<{ readonly position: Position }> {
  constructor(
    readonly merchantId: string,
    readonly context: Context,
  ) {
    super();
  }
}

@CommandHandler(DeleteWebhook)
export class DeleteWebhookHandler implements ICommandHandler<DeleteWebhook> {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws Problem not-found when none is set */
  async execute({ merchantId, context }: DeleteWebhook): Promise<{ readonly position: Position }> {
    const command = (now: string) => ({ kind: 'delete' as const, by: context.actor, now });
    const outcome = await decideOnStream(this.store, this.clock, merchantStream(merchantId), webhook, command, context);
    if ('refusal' in outcome) throw new LedgerProblem(PROBLEM_OF_REFUSAL[outcome.refusal], outcome.detail);
    return outcome;
  }
}

/** Reads a merchant's webhook from its events. @throws Problem not-found when none is set */
export async function readWebhook(store: EventStore, merchantId: string): Promise<Webhook> {
  const { state } = await foldStream(store, merchantStream(merchantId), webhook);
  if (!state.web_hook) throw new LedgerProblem('not-found', 'No web-hook is set.');
  return state.web_hook;
}

/** @throws Problem validation-failed */
function readKey(signatureKey: string): Buffer {
  try {
    return signingBytes(signatureKey);
  } catch (error) {
    if (error instanceof UnusableKey) throw invalid('/signature_key', 'wrong-format', error.message);
    throw error;
  }
}

function invalid(pointer: string, code: string, detail: string): LedgerProblem {
  return new LedgerProblem('validation-failed', 'One field is not valid.', { errors: [{ pointer, code, detail }] });
}

const PROBLEM_OF_REFUSAL: Readonly<Record<WebhookRefusal, ProblemCode>> = {
  'merchant-not-found': 'not-found',
  'web-hook-not-set': 'not-found',
  'web-hook-changed-too-often': 'record-full',
};

import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, CONFIG, SECRET, type Settings } from '../ledger/injection-tokens.js';
import { decideOnStream } from '../ledger/decide-on-stream.js';
import { foldStream } from '../ledger/fold-stream.js';
import type { CommandContext } from '../ledger/new-event.js';
import { merchantStream } from '../ledger/events/merchant.events.js';
import { EVENT_STORE, type EventStore, type Position } from '../platform/event-store/event-store.js';
import { Problem } from '../platform/problems.js';
import { milliseconds, timestamp, type Clock, type Timestamp } from '../ledger/time.js';
import { checkedAddresses, ForbiddenAddress, readWebHookUri, resolveName } from './address-guard.js';
import { SignatureKeyEncryption } from './signature-key-encryption.js';
import { KEY_OVERLAP_MS, keyHint, signingBytes, UnusableKey, verificationSecret } from './signing.js';
import { webHook, type WebHook, type WebHookCommand } from './web-hook.decider.js';

/** A name that has not resolved by then is accepted: it is looked up again at each delivery. */
const RESOLVED_WITHIN_MS = 2_000;

export interface WantedWebHook {
  readonly web_hook_uri: string;
  readonly signature_key: string;
  readonly events: readonly string[];
}

type Context = Omit<CommandContext, 'now'>;

/** A merchant's web-hook: set, read, deleted. */
@Injectable()
export class WebHookSettings {
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

  /** @throws Problem validation-failed */
  async set(
    merchantId: string,
    wanted: WantedWebHook,
    context: Context,
  ): Promise<{ readonly web_hook: WebHook; readonly verification_secret: string; readonly position: Position }> {
    const key = readKey(wanted.signature_key);
    await this.requireAllowed(wanted.web_hook_uri);
    const sealed_key = this.encryption.encrypt(merchantId, key);
    const { state, position } = await this.decide(merchantId, context, (now) => ({
      kind: 'set',
      merchant_id: merchantId,
      web_hook_uri: wanted.web_hook_uri,
      events: wanted.events,
      sealed_key,
      key_hint: keyHint(wanted.signature_key),
      by: context.actor,
      overlap_until: timestamp(milliseconds(now) + KEY_OVERLAP_MS),
      now,
    }));
    return { web_hook: state!, verification_secret: verificationSecret(key), position };
  }

  /** As the merchant's own facts tell it. @throws Problem not-found when none is set */
  async read(merchantId: string): Promise<WebHook> {
    const { state } = await foldStream(this.store, merchantStream(merchantId), webHook);
    if (!state.web_hook) throw notSet();
    return state.web_hook;
  }

  /** @throws Problem not-found when none is set; state-conflict when nothing is sent to it */
  async requireEnabled(merchantId: string): Promise<void> {
    const { disabled } = await this.read(merchantId);
    if (disabled) throw new Problem('state-conflict', 'The web-hook is disabled. Set it again to enable it.');
  }

  /** @throws Problem not-found when none is set */
  async delete(merchantId: string, context: Context): Promise<Position> {
    const { position } = await this.decide(merchantId, context, (now) => ({ kind: 'delete', by: context.actor, now }));
    return position;
  }

  private async decide(
    merchantId: string,
    context: Context,
    command: (now: Timestamp) => WebHookCommand,
  ): Promise<{ state: WebHook | null; position: Position }> {
    const outcome = await decideOnStream(this.store, this.clock, merchantStream(merchantId), webHook, command, context);
    if ('refusal' in outcome) throw outcome.refusal === 'web-hook-changed-too-often' ? new Problem('record-full', outcome.detail) : notSet();
    return { state: outcome.state.web_hook, position: outcome.position };
  }

  private async requireAllowed(webHookUri: string): Promise<void> {
    try {
      const url = readWebHookUri(webHookUri, this.policy);
      if (this.policy.allowPrivate) return;
      await Promise.race([checkedAddresses(url, this.policy, resolveName), delay(RESOLVED_WITHIN_MS, undefined, { ref: false })]);
    } catch (error) {
      // Everything else is a name that does not resolve yet.
      if (error instanceof ForbiddenAddress) throw invalid('/web_hook_uri', 'forbidden-address', error.message);
    }
  }
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

function invalid(pointer: string, code: string, detail: string): Problem {
  return new Problem('validation-failed', 'One field is not valid.', { errors: [{ pointer, code, detail }] });
}

function notSet(): Problem {
  return new Problem('not-found', 'No web-hook is set.');
}

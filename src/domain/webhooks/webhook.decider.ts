import { NOTHING_TO_DO, refuse, type Decider, type Decision } from '../../ledger/decider.js';
import type { PreviousWebhookKey, MerchantEvent, WebHookDisabled, WebHookSet } from '../../ledger/events/merchant.events.js';
import type { Timestamp } from '../../ledger/time.js';
import { unreachable } from '../../ledger/unreachable.js';

export type WebhookCommand =
  | {
      readonly kind: 'set';
      readonly merchant_id: string;
      readonly web_hook_uri: string;
      readonly events: readonly string[];
      readonly sealed_key: string;
      readonly key_hint: string;
      readonly by: string;
      /** Until then the replaced key also signs. */
      readonly overlap_until: Timestamp;
      readonly now: Timestamp;
    }
  | { readonly kind: 'delete'; readonly by: string; readonly now: Timestamp }
  /** `set_on`: time of the setting that failed. A newer setting is not disabled. */
  | { readonly kind: 'disable'; readonly reason: WebHookDisabled['reason']; readonly set_on: Timestamp; readonly now: Timestamp };

export type WebhookRefusal = 'merchant-not-found' | 'web-hook-not-set' | 'web-hook-changed-too-often';

export interface Webhook extends WebHookSet {
  /** null while the webhook is enabled. */
  readonly disabled: Pick<WebHookDisabled, 'reason' | 'disabled_on'> | null;
}

export interface WebhookState {
  readonly is_merchant: boolean;
  readonly web_hook: Webhook | null;
  /** Number of settings and deletions. */
  readonly changes: number;
}

/** Maximum changes per merchant: the stream that contains them is folded for each of its settings. */
const WEBHOOK_CHANGES_MAX = 10_000;

/** Maximum previous keys, more than are needed within a day. The oldest stop signing. */
const PREVIOUS_KEYS_MAX = 3;

/** A merchant's webhook, in the merchant's own stream. */
export const webhook: Decider<WebhookState, WebhookCommand, MerchantEvent, WebhookRefusal> = {
  initial: { is_merchant: false, web_hook: null, changes: 0 },

  evolve(state, event): WebhookState {
    switch (event.type) {
      case 'MerchantRegistered':
        return { is_merchant: true, web_hook: null, changes: 0 };
      case 'WebHookSet':
        return { ...state, web_hook: { ...event.data, disabled: null }, changes: state.changes + 1 };
      case 'WebHookDeleted':
        return { ...state, web_hook: null, changes: state.changes + 1 };
      case 'WebHookDisabled': {
        const { reason, disabled_on } = event.data;
        return { ...state, web_hook: state.web_hook && { ...state.web_hook, disabled: { reason, disabled_on } } };
      }
      case 'ApiKeyIssued':
      case 'ApiKeyRevoked':
      case 'MerchantChannelSet':
      case 'MerchantFeeSet':
      case 'MerchantRailSet':
      case 'ProposalRefused':
        return state;
      default:
        return unreachable(event);
    }
  },

  decide({ is_merchant, web_hook: current, changes }, command): Decision<MerchantEvent, WebhookRefusal> {
    if (!is_merchant) return refuse('merchant-not-found', 'There is no such merchant.');
    switch (command.kind) {
      case 'set':
        if (changes >= WEBHOOK_CHANGES_MAX) {
          return refuse('web-hook-changed-too-often', `A webhook can be set ${WEBHOOK_CHANGES_MAX} times.`);
        }
        return decideSet(current, command);
      case 'delete': {
        if (!current) return refuse('web-hook-not-set', 'No web-hook is set.');
        return { events: [{ type: 'WebHookDeleted', data: { merchant_id: current.merchant_id, deleted_by: command.by, deleted_on: command.now } }] };
      }
      case 'disable': {
        if (!current || current.disabled || current.set_on !== command.set_on) return NOTHING_TO_DO;
        return {
          events: [{ type: 'WebHookDisabled', data: { merchant_id: current.merchant_id, reason: command.reason, disabled_on: command.now } }],
        };
      }
      default:
        return unreachable(command);
    }
  },
};

/** Setting it again records an event even without a difference, because that enables a disabled endpoint. */
function decideSet(current: Webhook | null, command: Extract<WebhookCommand, { kind: 'set' }>): Decision<MerchantEvent, WebhookRefusal> {
  const { merchant_id, web_hook_uri, events, sealed_key, key_hint, by: set_by, now: set_on } = command;
  const former_keys = previousKeys(current, command);
  return { events: [{ type: 'WebHookSet', data: { merchant_id, web_hook_uri, events, sealed_key, key_hint, former_keys, set_by, set_on } }] };
}

function previousKeys(current: Webhook | null, { sealed_key, overlap_until, now }: Extract<WebhookCommand, { kind: 'set' }>): PreviousWebhookKey[] {
  if (!current) return [];
  const replaced = { sealed_key: current.sealed_key, valid_until: overlap_until };
  // A key that is in use again needs no second signature. Times in wire format sort as text.
  return [replaced, ...current.former_keys].filter((key) => key.sealed_key !== sealed_key && key.valid_until > now).slice(0, PREVIOUS_KEYS_MAX);
}

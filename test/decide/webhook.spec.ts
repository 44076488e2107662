import { describe, expect, it } from '@jest/globals';
import type { MerchantEvent, WebHookSet } from '../../src/ledger/events/merchant.events.js';
import { webhook, type WebhookCommand } from '../../src/domain/webhooks/webhook.decider.js';
import { given } from '../support/given.js';

const MONDAY = '2026-02-02T08:00:00.000+00:00';
const TUESDAY = '2026-02-03T08:00:00.000+00:00';
const WEDNESDAY = '2026-02-04T08:00:00.000+00:00';

const registered: MerchantEvent = {
  type: 'MerchantRegistered',
  data: {
    merchant_id: 'm',
    name: 'Kopi Kita',
    email: null,
    country: 'ID',
    mode: 'test',
    default_currency: 'IDR',
    timezone: 'Asia/Jakarta',
    created_on: MONDAY,
  },
};
const set = (sealed_key: string, set_on: string, former_keys: WebHookSet['former_keys'] = []): MerchantEvent => ({
  type: 'WebHookSet',
  data: { merchant_id: 'm', web_hook_uri: 'https://shop.example.com/', events: [], sealed_key, key_hint: '…', former_keys, set_by: 'key', set_on },
});
const setCommand = (sealed_key: string, now: string, overlap_until: string): WebhookCommand => ({
  kind: 'set',
  merchant_id: 'm',
  web_hook_uri: 'https://shop.example.com/',
  events: [],
  sealed_key,
  key_hint: '…',
  by: 'key',
  overlap_until,
  now,
});
const disabled: MerchantEvent = { type: 'WebHookDisabled', data: { merchant_id: 'm', reason: 'gone', disabled_on: TUESDAY } };

describe('a web-hook', () => {
  it('sets a web-hook, and sets it again', () => {
    given(webhook)(registered)
      .when(setCommand('a', MONDAY, TUESDAY))
      .then(set('a', MONDAY));
    given(webhook)(registered, set('a', MONDAY))
      .when(setCommand('a', TUESDAY, WEDNESDAY))
      .then(set('a', TUESDAY));
  });

  it('keeps the previous signing key until the overlap ends', () => {
    given(webhook)(registered, set('a', MONDAY))
      .when(setCommand('b', MONDAY, TUESDAY))
      .then(set('b', MONDAY, [{ sealed_key: 'a', valid_until: TUESDAY }]));
    given(webhook)(registered, set('b', MONDAY, [{ sealed_key: 'a', valid_until: TUESDAY }]))
      .when(setCommand('c', TUESDAY, WEDNESDAY))
      .then(set('c', TUESDAY, [{ sealed_key: 'b', valid_until: WEDNESDAY }]));
  });

  it('keeps the overlap of a key when other settings change, and needs none for a key that returns', () => {
    const previous = [{ sealed_key: 'a', valid_until: WEDNESDAY }];
    given(webhook)(registered, set('b', MONDAY, previous))
      .when(setCommand('b', TUESDAY, WEDNESDAY))
      .then(set('b', TUESDAY, previous));
    given(webhook)(registered, set('b', MONDAY, previous))
      .when(setCommand('a', TUESDAY, WEDNESDAY))
      .then(set('a', TUESDAY, [{ sealed_key: 'b', valid_until: WEDNESDAY }]));
  });

  it('deletes a web-hook once', () => {
    const command: WebhookCommand = { kind: 'delete', by: 'key', now: TUESDAY };
    const deleted: MerchantEvent = { type: 'WebHookDeleted', data: { merchant_id: 'm', deleted_by: 'key', deleted_on: TUESDAY } };
    given(webhook)(registered, set('a', MONDAY)).when(command).then(deleted);
    given(webhook)(registered, set('a', MONDAY), deleted).when(command).isRefused('web-hook-not-set');
    given(webhook)(registered, set('a', MONDAY), deleted)
      .when(setCommand('b', WEDNESDAY, WEDNESDAY))
      .then(set('b', WEDNESDAY));
    given(webhook)().when(command).isRefused('merchant-not-found');
  });

  it('disables a failed web-hook once, and only in the version that failed', () => {
    const command: WebhookCommand = { kind: 'disable', reason: 'gone', set_on: MONDAY, now: TUESDAY };
    given(webhook)(registered, set('a', MONDAY)).when(command).then(disabled);
    given(webhook)(registered, set('a', MONDAY), disabled).when(command).doesNothing();
    given(webhook)(registered, set('a', MONDAY), set('a', TUESDAY)).when(command).doesNothing();
    given(webhook)(registered).when(command).doesNothing();
  });

  it('setting a disabled web-hook enables it', () => {
    const state = [registered, set('a', MONDAY), disabled, set('a', WEDNESDAY)].reduce(
      (folded, event) => webhook.evolve(folded, event),
      webhook.initial,
    );
    expect(state.web_hook?.disabled).toBeNull();
  });

  it('limits the number of web-hook changes, and can still delete the web-hook', () => {
    const often = Array.from({ length: 10_000 }, () => set('s1', MONDAY));
    given(webhook)(registered, ...often)
      .when(setCommand('s2', TUESDAY, WEDNESDAY))
      .isRefused('web-hook-changed-too-often');
    given(webhook)(registered, ...often)
      .when({ kind: 'delete', by: 'key', now: TUESDAY })
      .then({ type: 'WebHookDeleted', data: { merchant_id: 'm', deleted_by: 'key', deleted_on: TUESDAY } });
  });
});

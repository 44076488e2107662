import { describe, it } from '@jest/globals';
import { INSTRUCTIONS_MAX } from '../../src/domain/charges/remote/charge-instructions.js';
import { charge, type ChargeCommand, type RemoteTerms } from '../../src/domain/charges/charge.decider.js';
import type { ChargeCreated, ChargeEvent } from '../../src/ledger/events/charge.events.js';
import { createCharge, termsOf } from '../support/create-charge.js';
import { given } from '../support/given.js';

const givenCharge = given(charge);
const now = '2026-01-30T10:00:00.000+00:00';
const of = { charge_id: 'c1', merchant_id: 'm1', currency: 'IDR' };
const rail: RemoteTerms = { min_amount: 150_000, max_amount: 1_000_000_000, life_ms: 10 * 60_000, wholeUnitsOnly: true };
const ordered = createCharge(of, termsOf('QR_QRIS'), { amount: 1_000_000 }, now);
const create = (amount: number, remote: RemoteTerms = rail): ChargeCommand => ({
  ...ordered,
  order: { ...ordered.order, amount },
  processor: 'xendit-live',
  remote,
});

const data: ChargeCreated = {
  ...of,
  code: 'CHG_0123456789ABCDEF',
  amount: 1_000_000,
  channel_code: 'QR_QRIS',
  action_flow: 'EMBEDDED',
  reference_id: 'order-1',
  description: null,
  meta_data: {},
  action: { type: 'PRESENT_TO_CUSTOMER', embedded_url: 'http://x/pay/1', simulation_url: null },
  fee: { type: 'PERCENTAGE', value: 0.7 },
  fee_amount: 7_000,
  net_amount: 993_000,
  charge_statement_id: 'c1',
  processor: 'xendit-live',
  settlement_cycle: 'T+2',
  expires_on: '2026-01-30T10:10:00.000+00:00',
  created_by: 'key_1',
  created_on: now,
  remote: true,
};
const created: ChargeEvent = { type: 'ChargeCreated', data };
const { remote: _, ...local } = data;
const instructing = (attempt: number): ChargeEvent => ({ type: 'ChargeInstructing', data: { ...of, attempt, instructing_on: now } });
const instructed = (attempt: number, processor_reference = 'pr-1'): ChargeEvent => ({
  type: 'ChargeInstructed',
  data: { ...of, attempt, processor_reference, action: { ...data.action, qr_string: '000201' }, valid_until: null, instructed_on: now },
});
const closed = (attempt: number, code = 'EXPIRED'): ChargeEvent => ({
  type: 'ChargeInstructionClosed',
  data: { ...of, attempt, code, closed_on: now },
});
const cancelled: ChargeEvent = { type: 'ChargeCancelled', data: { ...of, cancelled_on: now, cancelled_by: 'key_1' } };

const begin: ChargeCommand = { kind: 'begin-instruction', now };
const instruct = (attempt: number, processor_reference = 'pr-1'): ChargeCommand => ({
  kind: 'instruct',
  attempt,
  processor_reference,
  action: { qr_string: '000201' },
  valid_until: null,
  now,
});
const close = (attempt: number, code = 'EXPIRED'): ChargeCommand => ({ kind: 'close-instruction', attempt, code, now });

describe('a charge of a remote processor', () => {
  it('creates a remote charge without instructions, for as long as the rail keeps one', () => {
    givenCharge().when(create(1_000_000)).then(created);
  });

  it('a remote charge lives no longer than its channel allows', () => {
    const expires_on = '2026-01-30T10:30:00.000+00:00';
    for (const life_ms of [null, 48 * 60 * 60_000])
      givenCharge()
        .when(create(1_000_000, { ...rail, life_ms }))
        .then({ type: 'ChargeCreated', data: { ...data, expires_on } });
  });

  it('applies the inclusive amount bounds of the rail to a remote charge', () => {
    for (const amount of [149_900, 1_000_000_100]) givenCharge().when(create(amount)).isRefused('amount-out-of-range');
    givenCharge()
      .when(create(150_000))
      .then({ type: 'ChargeCreated', data: { ...data, amount: 150_000, fee_amount: 1_050, net_amount: 148_950 } });
  });

  it('accepts whole rupiah only on a live rail, and any amount in a sandbox', () => {
    givenCharge().when(create(1_000_050)).isRefused('amount-out-of-range');
    givenCharge()
      .when(create(1_000_050, { ...rail, wholeUnitsOnly: false }))
      .then({ type: 'ChargeCreated', data: { ...data, amount: 1_000_050, net_amount: 993_050 } });
  });

  it('a failed charge has the failure code of the processor', () => {
    givenCharge(created)
      .when({ kind: 'fail', reason: 'refused', failure_code: 'CHANNEL_UNAVAILABLE', now })
      .then({ type: 'ChargeFailed', data: { ...of, reason: 'refused', failed_on: now, failure_code: 'CHANNEL_UNAVAILABLE' } });
  });
});

describe('an instruction', () => {
  it('records an instruction once, with the page that the charge was created with', () => {
    givenCharge(created).when(instruct(1)).then(instructed(1));
    givenCharge(created, instructed(1)).when(instruct(1)).doesNothing();
    givenCharge(created, instructed(1)).when(instruct(2, 'pr-2')).isRefused('charge-instructed');
  });

  it('refuses an instruction for a charge that has ended', () => {
    givenCharge(created, cancelled).when(instruct(1)).isRefused('charge-not-pending');
    givenCharge(created, instructed(1), cancelled).when(instruct(1)).doesNothing();
  });

  it('refuses instructions for a charge whose processor answers synchronously', () => {
    for (const command of [begin, instruct(1), close(1)]) {
      givenCharge({ type: 'ChargeCreated', data: local }).when(command).isRefused('charge-not-remote');
    }
  });

  it('refuses the instruction of an attempt that a newer attempt has replaced', () => {
    givenCharge(created, instructing(1), closed(1), instructing(2)).when(instruct(1)).isRefused('attempt-not-newest');
  });
});

describe('a push', () => {
  it('records a push before it is sent', () => {
    givenCharge(created).when(begin).then(instructing(1));
    givenCharge(created, cancelled).when(begin).isRefused('charge-not-pending');
  });

  it('refuses a second push while the outcome of the first is unknown, and once the charge has an instruction', () => {
    givenCharge(created, instructing(1)).when(begin).isRefused('attempt-open');
    givenCharge(created, instructing(1), instructed(1)).when(begin).isRefused('charge-instructed');
  });

  it('allows another push after a definite failure', () => {
    givenCharge(created, instructing(1)).when(close(1)).then(closed(1));
    givenCharge(created, instructing(1), closed(1)).when(begin).then(instructing(2));
    givenCharge(created, instructing(1), instructed(1), closed(1)).when(begin).then(instructing(2));
  });

  it('closes a push once, and only the newest', () => {
    givenCharge(created, instructing(1), closed(1)).when(close(1)).doesNothing();
    givenCharge(created, instructing(1), closed(1), instructing(2)).when(close(1)).isRefused('attempt-not-newest');
    givenCharge(created, instructing(1), cancelled).when(close(1)).doesNothing();
  });

  it(`allows ${INSTRUCTIONS_MAX} pushes at most`, () => {
    const tries = Array.from({ length: INSTRUCTIONS_MAX }, (_, index) => [instructing(index + 1), closed(index + 1)]).flat();
    givenCharge(created, ...tries)
      .when(begin)
      .isRefused('too-many-attempts');
  });
});

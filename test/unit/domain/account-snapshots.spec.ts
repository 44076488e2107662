import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { account } from '../../../src/domain/accounts/account.decider.js';
import { fromStored, SNAPSHOT_VERSION, toStored, type StoredState } from '../../../src/domain/accounts/account-snapshots.js';
import type { AccountEvent } from '../../../src/ledger/events/account.events.js';
import { shapeOfType, type Shape } from '../../support/event-shapes.js';

/** A snapshot as this version stores it: the shape of its state, and the state after these events. Never edited: a new version has a new file. */
interface GoldenSnapshot {
  readonly shape: Shape;
  readonly events: readonly AccountEvent[];
  readonly state: StoredState;
}

const golden = JSON.parse(
  readFileSync(new URL(`../../golden/snapshots/account.${SNAPSHOT_VERSION}.json`, import.meta.url), 'utf8'),
) as GoldenSnapshot;

describe(`a snapshot of an account, version ${SNAPSHOT_VERSION}`, () => {
  it('its shape is that of its version: another shape needs another version', () => {
    expect(shapeOfType('../../src/domain/accounts/account-snapshots.ts', 'StoredState')).toEqual(golden.shape);
  });

  it('its fold is that of its version: another result needs another version', () => {
    const { state } = golden;
    for (const field of ['open', 'younger', 'older', 'reservations'] as const) expect(state[field]).not.toEqual([]);
    expect(toStored(golden.events.reduce(account.evolve, account.initial))).toEqual(state);
  });

  it('continues as the events do, from each event on', () => {
    golden.events.forEach((_, at) => {
      const stored = JSON.stringify(toStored(golden.events.slice(0, at).reduce(account.evolve, account.initial)));
      const state = golden.events.slice(at).reduce(account.evolve, fromStored(JSON.parse(stored) as StoredState));
      expect(toStored(state)).toEqual(golden.state);
    });
  });
});

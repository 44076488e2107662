import type { Decider } from '../../ledger/decider.js';
import type { FinanceKeyEvent } from '../../ledger/events/finance-key.events.js';
import { decideOnKeys, withIssued, withRevoked, type KeyChange, type KeyCommand, type KeyRefusal, type KeyRing } from './key-ring.js';
import { unreachable } from '../../ledger/unreachable.js';

/** A finance key reads everything under `/audit` and nothing else, so it needs no scopes. */
const NO_SCOPES: readonly string[] = [];

export const financeKeys: Decider<KeyRing, KeyCommand, FinanceKeyEvent, KeyRefusal> = {
  initial: new Map(),

  evolve(keys, event): KeyRing {
    switch (event.type) {
      case 'FinanceKeyIssued':
        return withIssued(keys, { ...event.data, scopes: NO_SCOPES });
      case 'FinanceKeyRevoked':
        return withRevoked(keys, event.data);
      default:
        return unreachable(event);
    }
  },

  decide(keys, command) {
    const decision = decideOnKeys(keys, command);
    return 'refusal' in decision ? decision : { events: decision.changes.map(keyEvent) };
  },
};

function keyEvent(change: KeyChange): FinanceKeyEvent {
  if (change.kind === 'revoked') {
    const { key_id, revoked_on, at_once } = change;
    return { type: 'FinanceKeyRevoked', data: { merchant_id: null, key_id, revoked_on, at_once } };
  }
  const { key_id, key_hash, name, expires_on, issued_on } = change;
  return { type: 'FinanceKeyIssued', data: { merchant_id: null, key_id, key_hash, name, expires_on, issued_on } };
}

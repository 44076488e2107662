import { expect } from '@jest/globals';
import type { Decider } from '../../src/ledger/decider.js';

/** given(decider)(events).when(command).then(events) | .isRefused(name) | .doesNothing() */
export function given<State, Command, Event, Refusal extends string>(decider: Decider<State, Command, Event, Refusal>) {
  return (...events: readonly Event[]) => ({
    when(command: Command) {
      const state = events.reduce((folded, event) => decider.evolve(folded, event), decider.initial);
      const decision = decider.decide(state, command);
      return {
        then: (...expected: readonly Event[]) => expect(decision).toEqual({ events: expected }),
        doesNothing: () => expect(decision).toEqual({ events: [] }),
        isRefused: (refusal: Refusal) => expect(decision).toMatchObject({ refusal }),
      };
    },
  });
}

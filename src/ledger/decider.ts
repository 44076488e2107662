/** Result of a pure decision: new events (none when it was already done), or a named refusal that records nothing. */
export type Decision<Event, Refusal extends string> = { readonly events: readonly Event[] } | { readonly refusal: Refusal; readonly detail: string };

/** The only shape of a decider: no clock, no randomness, no I/O; `now` and ids come in with the command. */
export interface Decider<State, Command, Event, Refusal extends string> {
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
  readonly decide: (state: State, command: Command) => Decision<Event, Refusal>;
}

export const NOTHING_TO_DO = { events: [] } as const;

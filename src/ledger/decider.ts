/** A refusal by its name, and its reason for people. */
export interface Refused<Refusal extends string = string> {
  readonly refusal: Refusal;
  readonly detail: string;
}

/** Result of a pure decision: new events (none when it was already done), or a named refusal that records nothing. */
export type Decision<Event, Refusal extends string> = { readonly events: readonly Event[] } | Refused<Refusal>;

/** The only shape of a decider: no clock, no randomness, no I/O; `now` and ids come in with the command. */
export interface Decider<State, Command, Event, Refusal extends string> {
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
  readonly decide: (state: State, command: Command) => Decision<Event, Refusal>;
}

export const NOTHING_TO_DO = { events: [] } as const;

export function refuse<Refusal extends string>(refusal: Refusal, detail: string): Refused<Refusal> {
  return { refusal, detail };
}

import type { components } from './schema.js';

export type Problem = components['schemas']['Problem'];

/** A refused request. Programs read its `code`; `errors` names every invalid field. */
export class ChargebookProblem extends Error {
  override readonly name = 'ChargebookProblem';
  readonly code: Problem['code'] | undefined;
  readonly requestId: string | undefined;
  readonly errors: Problem['errors'];

  /** @param problem absent where something between answered in the service's place. */
  constructor(
    readonly status: number,
    problem: Partial<Problem> | undefined,
  ) {
    super(problem?.detail ?? `The service answered ${status}.`);
    this.code = problem?.code;
    this.requestId = problem?.request_id;
    this.errors = problem?.errors;
  }
}

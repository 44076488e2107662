import type { ProviderResult } from '../../src/ledger/ports/provider-result.js';
import type { RailAnswer, RailCall, RailCalls } from '../../src/rails/calls/rail-calls.js';

/** A call, its answer, and the adapter's result. */
export interface Exchange {
  /** Name of the printed exchange to compare with, without the provider: `create-qris`. */
  readonly name: string;
  readonly call: Pick<RailCall, 'method' | 'path' | 'headers' | 'body'>;
  readonly answer: Pick<RailAnswer, 'status' | 'body'>;
  readonly outcome: { readonly is: ProviderResult<unknown>['is']; readonly code: string | null };
}

/** Records calls as they are made. Calls without an answer are not recorded. */
export class Recorder implements RailCalls {
  readonly exchanges: Exchange[] = [];
  /** Name for the next calls. */
  #name = '';

  constructor(private readonly calls: RailCalls & { readonly skewMs: number | null }) {}

  get skewMs(): number | null {
    return this.calls.skewMs;
  }

  /** Records the calls of `step` as `name`. */
  as<T>(name: string, step: () => Promise<T>): Promise<T> {
    this.#name = name;
    return step();
  }

  async call<T>(call: RailCall, read: (answer: RailAnswer) => ProviderResult<T>): Promise<ProviderResult<T>> {
    const name = call.endpoint === 'token' ? 'token-b2b' : this.#name;
    let answered: RailAnswer | undefined;
    const outcome = await this.calls.call(call, (answer) => {
      answered = answer;
      return read(answer);
    });
    if (answered) {
      const { method, path, headers, body } = call;
      const { status, body: bytes } = answered;
      const code = outcome.is === 'accepted' ? null : outcome.code;
      const sent = { method, path, headers, ...(body === undefined ? {} : { body }) };
      this.exchanges.push({ name, call: sent, answer: { status, body: bytes }, outcome: { is: outcome.is, code } });
    }
    return outcome;
  }
}

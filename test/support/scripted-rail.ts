import type { ProviderResult } from '../../src/ledger/ports/provider-result.js';
import type { RailAnswer, RailCall, RailCalls } from '../../src/rails/calls/rail-calls.js';

/** A provider's answer to a call, or the outcome of a call without an answer. */
export type Scripted = { readonly http: number; readonly body: unknown; readonly headers?: RailAnswer['headers'] } | ProviderResult<never>;

/** A provider that answers by a script, and keeps the calls. */
export class ScriptedRail implements RailCalls {
  readonly calls: RailCall[] = [];

  constructor(private readonly script: (call: RailCall, nth: number) => Scripted) {}

  async call<T>(call: RailCall, read: (answer: RailAnswer) => ProviderResult<T>): Promise<ProviderResult<T>> {
    this.calls.push(call);
    const answer = this.script(call, this.calls.length);
    if ('is' in answer) return answer;
    const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
    return read({ status: answer.http, headers: answer.headers ?? {}, body: Buffer.from(body) });
  }

  /** Bodies of the calls to an endpoint. */
  bodies(endpoint: string): any[] {
    return this.calls.filter((call) => call.endpoint === endpoint).map(({ body }) => JSON.parse(body!));
  }
}

import type { ProviderResult } from '../../ledger/provider-result.js';
import type { Clock } from '../../ledger/time.js';
import type { RailAnswer, RailCall, RailCalls } from '../rail-calls.js';

/** Calls, and what the provider's clock showed in the last answer. */
export class DatedCalls implements RailCalls {
  /** How far the provider is ahead, ms, to the second; undefined until it has said so. */
  skewMs: number | undefined;

  constructor(
    private readonly calls: RailCalls,
    private readonly clock: Clock,
  ) {}

  call<T>(call: RailCall, read: (answer: RailAnswer) => ProviderResult<T>): Promise<ProviderResult<T>> {
    return this.calls.call(call, (answer) => {
      const { date } = answer.headers;
      const told = typeof date === 'string' ? Date.parse(date) : Number.NaN;
      if (!Number.isNaN(told)) this.skewMs = told - this.clock();
      return read(answer);
    });
  }
}

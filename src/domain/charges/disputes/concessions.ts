/** What a processor does where a merchant does not contest a dispute: accepts it, or leaves it unanswered. */
export interface Concessions {
  /** The processor takes what is in dispute before `record` says that it is lost. */
  concede<Result>(dispute: { readonly charge_id: string; readonly dispute_id: string }, record: () => Promise<Result>): Promise<Result>;
}

export const CONCESSIONS = Symbol('Concessions');

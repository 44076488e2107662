/** The processor's action when a merchant does not contest a dispute: it accepts the dispute, or leaves it unanswered. */
export interface Concessions {
  /** The processor takes the disputed money before `record` records the loss. */
  concede<Result>(dispute: { readonly charge_id: string; readonly dispute_id: string }, record: () => Promise<Result>): Promise<Result>;
}

export const CONCESSIONS = Symbol('Concessions');

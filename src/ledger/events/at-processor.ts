/** Of a fact that moves money to or from a processor, or leaves it there: which, as in ChargeCreated. */
export interface AtProcessor {
  readonly processor: string;
}

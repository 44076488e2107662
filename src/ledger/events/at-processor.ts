/** Part of an event that moves money to or from a processor, or leaves it there. Names the processor as ChargeCreated does. */
export interface AtProcessor {
  readonly processor: string;
}

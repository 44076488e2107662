import type { MerchantRegistered } from './events/merchant.events.js';

/** Of a merchant, for ever: whether its money is real. What is of one mode never meets what is of the other. */
export type Mode = MerchantRegistered['mode'];

/** In the order in which books name them. */
export const MODES = ['live', 'test'] as const satisfies readonly Mode[];

import type { MerchantRegistered } from './events/merchant.events.js';

/** A merchant's mode, for ever: whether its money is real. Data of one mode never mix with those of the other. */
export type Mode = MerchantRegistered['mode'];

/** In the order of the books. */
export const MODES = ['live', 'test'] as const satisfies readonly Mode[];

/** Mode of a source of statements, whose id begins with it. */
export const modeOfSource = (source: string): Mode => (source.startsWith('live-') ? 'live' : 'test');

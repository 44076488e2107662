import { payoutUse } from '../ledger/channels.js';
import type { RailSet } from '../ledger/events/rail.events.js';
import { paysOut, snapProfile, takesQris, type SnapProfile } from './snap/profiles.js';

/** What is known of a kind of rail, or of one dialect of it, before anybody has been called. */
export interface RailOffer {
  /** Where it is reached, where that is public; elsewhere the provider says so. */
  readonly bases: Readonly<Partial<Record<RailSet['mode'], string>>>;
  /** Codes of channels, `payout.<currency>`. */
  readonly uses: readonly string[];
  /** What is off until a person has the provider's word, as `rail allow` names it. */
  readonly off: readonly string[];
}

const XENDIT_BASE = 'https://api.xendit.co';
const XENDIT: RailOffer = {
  bases: { live: XENDIT_BASE, sandbox: XENDIT_BASE },
  uses: ['QR_QRIS', 'WALLET_DANA', 'WALLET_SHOPEEPAY', 'WALLET_OVO', 'WALLET_TNG', 'WALLET_GRABPAY', 'BANK_REDIRECT_FPX', 'QR_PAYNOW'],
  off: ['channel:WALLET_OVO', 'channel:QR_PAYNOW'],
};

const PAYOUTS = payoutUse('IDR');

function snapOffer(profile: SnapProfile): RailOffer {
  const pays = paysOut(profile);
  return { bases: profile.base, uses: [...(pays ? [PAYOUTS] : []), ...(takesQris(profile) ? ['QR_QRIS'] : [])], off: pays ? ['pay-again'] : [] };
}

export const RAIL_KINDS = ['xendit', 'snap'] as const satisfies readonly RailSet['kind'][];

/** undefined: there is no such profile, or none is wanted. */
export function offerOf(kind: RailSet['kind'], profile: string | null): RailOffer | undefined {
  if (kind === 'xendit') return profile === null ? XENDIT : undefined;
  const known = profile === null ? undefined : snapProfile(profile);
  return known && snapOffer(known);
}

/** What it is, in words: `snap bca live`. */
export const wordsOf = ({ kind, profile, mode }: Pick<RailSet, 'kind' | 'profile' | 'mode'>): string =>
  [kind, profile, mode].filter((word) => word !== null).join(' ');

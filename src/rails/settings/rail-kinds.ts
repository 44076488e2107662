import { payoutUse } from '../../ledger/channels.js';
import type { RailSet } from '../../ledger/events/rail.events.js';
import { paysOut, snapProfile, takesQris, type SnapProfile } from '../snap/profiles.js';

/** Properties of a kind of rail, or of one dialect of it, that are known before the first call. */
export interface RailOffer {
  /** Public addresses; for other rails the provider gives the address to the operator. */
  readonly bases: Readonly<Partial<Record<RailSet['mode'], string>>>;
  /** Codes of channels, `payout.<currency>`. */
  readonly uses: readonly string[];
  /** Uses that are off until an operator has the provider's confirmation, by their names in `rail allow`. */
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

/** Returns undefined when there is no such profile, or the kind has no profiles. */
export function offerOf(kind: RailSet['kind'], profile: string | null): RailOffer | undefined {
  if (kind === 'xendit') return profile === null ? XENDIT : undefined;
  const known = profile === null ? undefined : snapProfile(profile);
  return known && snapOffer(known);
}

/** Describes a rail in words: `snap bca live`. */
export const wordsOf = ({ kind, profile, mode }: Pick<RailSet, 'kind' | 'profile' | 'mode'>): string =>
  [kind, profile, mode].filter((word) => word !== null).join(' ');

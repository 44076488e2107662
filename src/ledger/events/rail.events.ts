/**
 * Events in `rails`: which rails there are, where charges and payouts go by default, and what people have allowed. They are few, and
 * stand in one stream, because a route names a rail that must be there. No secret is in them, sealed or not.
 */
export const RAILS_STREAM = 'rails';

interface OfRail {
  /** Of no merchant. */
  readonly merchant_id: null;
  readonly rail: string;
}

/** A rail as it is from now on. Its kind, profile and mode are those of its first event for ever: money was sent under its name. */
export interface RailSet extends OfRail {
  readonly kind: 'xendit' | 'snap';
  /** Of a SNAP rail: whose dialect it speaks. */
  readonly profile: string | null;
  readonly mode: 'live' | 'sandbox';
  /** Without a slash at the end. */
  readonly base_url: string;
  /** Whether the base may be an address that is not of the internet; sandbox only. */
  readonly allow_private: boolean;
  /** The oldest version of TLS that is spoken. */
  readonly tls: '1.2' | '1.3';
  /** What happens to a payout whose account belongs to somebody else. */
  readonly on_name_difference: 'wait' | 'pay';
  /** The operating system's user who gave the command, here and below. */
  readonly set_by: string;
  readonly set_on: string;
}

/** Credentials are in force. Those that were so far are still taken for what comes in, until they are retired. */
export interface RailCredentialsSet extends OfRail {
  /** Where they are kept, sealed: rows of `rail_credentials`. */
  readonly version: number;
  /** The first 8 hex digits of the SHA-256 of each secret among them. */
  readonly fingerprints: readonly { readonly field: string; readonly sha256: string }[];
  readonly set_by: string;
  readonly set_on: string;
}

/** Everything but the credentials in force is taken no more. */
interface RailCredentialsRetired extends OfRail {
  readonly version: number;
  readonly retired_by: string;
  readonly retired_on: string;
}

/** Nothing new goes there; what is under way is finished. */
interface RailPaused extends OfRail {
  readonly paused_by: string;
  readonly paused_on: string;
}

interface RailResumed extends OfRail {
  readonly resumed_by: string;
  readonly resumed_on: string;
}

/** Where merchants of a mode go that have no route of their own. `rail` null: nowhere any more. */
interface RailRouteSet {
  readonly merchant_id: null;
  readonly mode: 'live' | 'test';
  /** A channel's code, or `payout.<currency>`. */
  readonly use: string;
  readonly rail: string | null;
  readonly set_by: string;
  readonly set_on: string;
}

/** Something is on that is off until a person has the provider's word: `pay-again`, or `channel:<code>`. */
export interface RailAllowed extends OfRail {
  readonly what: string;
  /** null: until it is taken back. */
  readonly until: string | null;
  readonly evidence: string;
  readonly allowed_by: string;
  readonly allowed_on: string;
}

interface RailAllowanceWithdrawn extends OfRail {
  readonly what: string;
  readonly evidence: string;
  readonly withdrawn_by: string;
  readonly withdrawn_on: string;
}

export type RailEvent =
  | { readonly type: 'RailSet'; readonly data: RailSet }
  | { readonly type: 'RailCredentialsSet'; readonly data: RailCredentialsSet }
  | { readonly type: 'RailCredentialsRetired'; readonly data: RailCredentialsRetired }
  | { readonly type: 'RailPaused'; readonly data: RailPaused }
  | { readonly type: 'RailResumed'; readonly data: RailResumed }
  | { readonly type: 'RailRouteSet'; readonly data: RailRouteSet }
  | { readonly type: 'RailAllowed'; readonly data: RailAllowed }
  | { readonly type: 'RailAllowanceWithdrawn'; readonly data: RailAllowanceWithdrawn };

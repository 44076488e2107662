/**
 * Events in `rails`: the rails, the default routes of charges and payouts, and the permissions that operators gave. They are few and share one
 * stream, because a route names a rail that must exist. They contain no secret, encrypted or not.
 */
export const RAILS_STREAM = 'rails';

interface OfRail {
  /** The event belongs to no merchant. */
  readonly merchant_id: null;
  readonly rail: string;
}

/** A rail's settings from now on. Kind, profile and mode are those of its first event for ever, because money was sent under its name. */
export interface RailSet extends OfRail {
  readonly kind: 'xendit' | 'snap';
  /** The dialect that a SNAP rail uses. */
  readonly profile: string | null;
  readonly mode: 'live' | 'sandbox';
  /** Without a slash at the end. */
  readonly base_url: string;
  /** Allows a base address outside the public internet; sandbox only. */
  readonly allow_private: boolean;
  /** Oldest version of TLS that is accepted. */
  readonly tls: '1.2' | '1.3';
  /** Handling of a payout whose account belongs to another holder. */
  readonly on_name_difference: 'wait' | 'pay';
  /** The operating system's user who gave the command, here and below. */
  readonly set_by: string;
  readonly set_on: string;
}

/** Credentials in force from now on. Incoming calls may still use earlier ones, until those are retired. */
export interface RailCredentialsSet extends OfRail {
  /** Version under which they are stored, encrypted, in rows of `rail_credentials`. */
  readonly version: number;
  /** The first 8 hex digits of the SHA-256 of each secret among them. */
  readonly fingerprints: readonly { readonly field: string; readonly sha256: string }[];
  readonly set_by: string;
  readonly set_on: string;
}

/** Only the credentials in force are accepted from now on. */
interface RailCredentialsRetired extends OfRail {
  readonly version: number;
  readonly retired_by: string;
  readonly retired_on: string;
}

/** Nothing new is sent to the rail; payments in progress are finished. */
interface RailPaused extends OfRail {
  readonly paused_by: string;
  readonly paused_on: string;
}

interface RailResumed extends OfRail {
  readonly resumed_by: string;
  readonly resumed_on: string;
}

/** The route of merchants of a mode that have no own route. `rail` null: no route any more. */
interface RailRouteSet {
  readonly merchant_id: null;
  readonly mode: 'live' | 'test';
  /** A channel's code, or `payout.<currency>`. */
  readonly use: string;
  readonly rail: string | null;
  readonly set_by: string;
  readonly set_on: string;
}

/** Enables a function that is off until an operator has the provider's confirmation: `pay-again`, or `channel:<code>`. */
export interface RailAllowed extends OfRail {
  readonly what: string;
  /** null: until it is withdrawn. */
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

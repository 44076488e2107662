/** Credentials that a provider of SNAP and we have exchanged. */
export interface SnapCredentials {
  /** Our name at the provider, X-CLIENT-KEY; the provider also identifies itself with it when it requests a token from us. */
  readonly client_key: string;
  readonly client_secret: string;
  /** Ours: PKCS #8 in PEM, or the base64 of its DER. */
  readonly private_key: string;
  /** The provider's key, for messages that it sends to us. */
  readonly public_key: string;
  readonly partner_id: string;
  readonly channel_id: string;
  /** The account that payouts are paid from. */
  readonly source_account: string;
  readonly merchant_id?: string | undefined;
  readonly terminal_id?: string | undefined;
}

/** What a provider of SNAP gives, and what it is given. */
export interface SnapCredentials {
  /** Ours at the provider, X-CLIENT-KEY; also what it names itself by when it asks us for a token. */
  readonly client_key: string;
  readonly client_secret: string;
  /** Ours: PKCS #8 in PEM, or the base64 of its DER. */
  readonly private_key: string;
  /** The provider's, for what it sends us. */
  readonly public_key: string;
  readonly partner_id: string;
  readonly channel_id: string;
  /** The account that payouts leave from. */
  readonly source_account: string;
  readonly merchant_id?: string | undefined;
  readonly terminal_id?: string | undefined;
}

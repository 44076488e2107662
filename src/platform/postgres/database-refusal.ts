/** Explains why a database that is named by a setting refuses to be used, in words for the operator of that setting. Repeats nothing of the URL. */

/** Codes of Node's TLS: the certificate is not the one that it should be. */
const CERTIFICATE_CODES = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/;

/** Returns one line with the remedy; undefined when it is no fault of the setting or of the role. */
export function refusalOfDatabase(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', message, syscall } = error as Error & { readonly code?: string; readonly syscall?: string };
  if (CERTIFICATE_CODES.test(code)) {
    return `its certificate is not trusted (${message}): sslrootcert=FILE names the authority that signed it, sslmode=no-verify accepts any`;
  }
  if (/does not support SSL/.test(message)) return 'it offers no TLS, which sslmode or ssl requires: omit that option, or enable TLS on the server';
  if (code === '08P01' && /startup parameter/.test(message)) return `a pooler rejects the value of "options" (${message}): omit it`;
  if (code === 'ERR_INVALID_URL') return 'it is not a URL: encode special characters in its password, such as %40 for @';
  if (code === '42501') return withoutRights(message);
  if (code === '3F000') return `${message}: create the schema public, or name another one with options=-c%20search_path%3DNAME`;
  // A wrong password or role, no such database, a file of a certificate that cannot be read.
  if (code.startsWith('28') || code === '3D000' || syscall === 'open' || message.startsWith('SASL')) return message;
  return refusalOfDatabase(error.cause);
}

const withoutRights = (message: string): string =>
  `${message}: its owner must run "grant create on database NAME to ROLE; grant create on schema public to ROLE"; options=-c%20search_path%3DNAME ` +
  `names another schema than public`;

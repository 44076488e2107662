import { generateKeyPairSync } from 'node:crypto';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

/** Credentials of a sandbox rail. */
export const XENDIT_CREDENTIALS = { secret_key: 'xnd_development_0123456789abcdef', callback_token: 'callback-token-of-the-tests' };

/** One pair stands for ours and for the bank's. */
export const SNAP_CREDENTIALS = {
  client_key: 'client-of-the-tests',
  client_secret: 'secret-of-the-client-of-the-tests',
  private_key: privateKey,
  public_key: publicKey,
  partner_id: 'partner-1',
  channel_id: '95051',
  source_account: '1234567890',
  merchant_id: 'merchant-1',
  terminal_id: 'terminal-1',
};

/** The certificate of an RSA key that is strong enough. */
export const CERTIFICATE_THAT_EXPIRED = `-----BEGIN CERTIFICATE-----
MIICtTCCAZ0CFARxqWC1FHZMpXelYCVPVtHKbddOMA0GCSqGSIb3DQEBCwUAMBcx
FTATBgNVBAMMDGJhbmsuZXhhbXBsZTAeFw0yNjExMjIyMjQ1MDdaFw0yNjExMjEy
MjQ1MDdaMBcxFTATBgNVBAMMDGJhbmsuZXhhbXBsZTCCASIwDQYJKoZIhvcNAQEB
BQADggEPADCCAQoCggEBAJlHRw4CuA5cJ2CJr2IoD18X04IfznEMH/GNXIo5bDwh
k/NFT83JmDK9cryck9KsDt7EsJ5GNn8SJW1xPdmrwFktXZHti9qQaGwG5WXBcal8
D8Kx5XtJS0Y+qymESfS8zgi/+7XASi4ycnn3na0wjXGltY6E6M2u3gatrCe+AsUb
zVKAuVIjC0JmdcLCqSqv5lnffnXVApGkr51WzO3Ti/8zaNWghWIKAuKHGlw7METr
SHutVT3dNCFMVFaN2yiy/bd8LKYbvu3aPJQmvTZKXD5UDzxWJGCbde6WTAgPBsV0
yct/CUWRejD0AX0JsktVcg+gKj1+JdFNABSHM/+JoPUCAwEAATANBgkqhkiG9w0B
AQsFAAOCAQEAJm/KWL+iAXNKsQbPoGCGmHivPk7LArdtl878kX2W5KfwI1vI7lXa
IWUi89BBXxCaieeEVZX4xuGoUIU45Ei9wlm+jJkXPd2ytKQ3wgTm2nZnywEmPRCb
Ix26zAYedC6vkPL+kjbgtLpYSeNT747Sx3QNmvCsmUK5rOEZM3actS2FVnWpN5Ry
TtQ+VBZFcn9AN/4eNEX8MJG0tpjqTiuZjDuDmi9iEHY8MAhAUnxQXqU7N2naZoo4
/yHXoCvoZMe532IbCKbkMBD8mS7QdZJ58xUTEkYDj4Qif2T8w3fDJbhFkJntmo5G
pjB4ROwCFYwqBM+e+CDcwThoqi+WZOl9iA==
-----END CERTIFICATE-----
`;

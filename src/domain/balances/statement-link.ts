import { createHmac, timingSafeEqual } from 'node:crypto';
import { UUID } from '../../platform/text/uuid.js';
import { MONTH } from './statement-period.js';

/** The content of a link, and its expiry. */
export interface StatementLink {
  readonly merchant_id: string;
  readonly currency: string;
  /** `YYYY-MM`, in the merchant's time zone. */
  readonly month: string;
  /** Seconds since the epoch. */
  readonly expires: number;
}

const TAG_BYTES = 16;
/** Merchant, currency, month and expiry, and the tag over them. */
const TOKEN_BYTES = 16 + 3 + 3 + 5 + TAG_BYTES;

/** Returns the path of a statement's address: its content, and an HMAC of half a SHA-256 over that, which is the credential. Nothing is stored. */
export function statementToken(secret: Buffer, { merchant_id, currency, month, expires }: StatementLink): string {
  if (!UUID.test(merchant_id) || !/^[A-Z]{3}$/.test(currency) || !MONTH.test(month)) throw new RangeError('not a statement');
  const shown = Buffer.alloc(TOKEN_BYTES - TAG_BYTES);
  shown.write(merchant_id.replaceAll('-', ''), 'hex');
  shown.write(currency, 16, 'latin1');
  shown.writeUIntBE(Number(month.replace('-', '')), 19, 3);
  shown.writeUIntBE(expires, 22, 5);
  return Buffer.concat([shown, tagOf(secret, shown)]).toString('base64url');
}

/** Returns the content of `token`, expired or not; null when it is malformed or altered. Compares in constant time. */
export function statementOfToken(secret: Buffer, token: string): StatementLink | null {
  const bytes = Buffer.from(token, 'base64url');
  // Each token has exactly one valid spelling.
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== token) return null;
  const shown = bytes.subarray(0, TOKEN_BYTES - TAG_BYTES);
  if (!timingSafeEqual(bytes.subarray(TOKEN_BYTES - TAG_BYTES), tagOf(secret, shown))) return null;
  const hex = shown.toString('hex', 0, 16);
  return {
    merchant_id: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`,
    currency: shown.toString('latin1', 16, 19),
    month: shown.readUIntBE(19, 3).toString().replace(/..$/, '-$&'),
    expires: shown.readUIntBE(22, 5),
  };
}

/** The label separates this tag from every other use of the secret. */
function tagOf(secret: Buffer, shown: Buffer): Buffer {
  return createHmac('sha256', secret).update('chargebook/statements\0').update(shown).digest().subarray(0, TAG_BYTES);
}

import { DAY_MS } from '../../ledger/time.js';

/** Validity of one response; each request gets a new one. */
const VALID_DAYS = 30;

/**
 * Returns the file of RFC 9116, which names the contact for security reports about this installation.
 * @param contacts URIs, the preferred one first
 * @param address of the service; the RFC allows it as canonical only with TLS
 */
export function securityTxt(contacts: readonly string[], address: string, nowMs: number): string {
  const expires = new Date((Math.floor(nowMs / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString().replace('.000', '');
  const canonical = address.startsWith('https://') ? [`Canonical: ${address}/.well-known/security.txt`] : [];
  return [...contacts.map((contact) => `Contact: ${contact}`), `Expires: ${expires}`, ...canonical, ''].join('\n');
}

/** Accepts mail, telephone and HTTPS addresses of visible ASCII, which cannot break out of their line. */
export function isSecurityContact(text: string): boolean {
  return /^(?:mailto:[!-~]+@[!-~]+|tel:\+[\d-]+|https:\/\/[!-~]+)$/.test(text) && URL.canParse(text);
}

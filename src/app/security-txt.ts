/** A reader may keep it for this long; it is written anew for each request. */
const VALID_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * RFC 9116: where to report what is wrong with the security of this installation.
 * @param contacts URIs, the preferred one first
 * @param address of the service; named as the canonical place only with TLS, as the RFC has it
 */
export function securityTxt(contacts: readonly string[], address: string, nowMs: number): string {
  const expires = new Date((Math.floor(nowMs / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString().replace('.000', '');
  const canonical = address.startsWith('https://') ? [`Canonical: ${address}/.well-known/security.txt`] : [];
  return [...contacts.map((contact) => `Contact: ${contact}`), `Expires: ${expires}`, ...canonical, ''].join('\n');
}

/** An address that a report can be sent to: of mail, telephone, or a page with TLS. Visible ASCII, so that it stays in its line. */
export function isSecurityContact(text: string): boolean {
  return /^(?:mailto:[!-~]+@[!-~]+|tel:\+[\d-]+|https:\/\/[!-~]+)$/.test(text) && URL.canParse(text);
}

import { describe, expect, it } from '@jest/globals';
import { isSecurityContact, securityTxt } from '../../../src/app/front-page/security-txt.js';

const NOW_MS = Date.UTC(2026, 0, 31, 23, 59, 59);

describe('security.txt', () => {
  it('lists contacts in their order, a day of expiry and itself', () => {
    expect(securityTxt(['mailto:a@example.com', 'https://example.com/report'], 'https://pay.example.com', NOW_MS)).toBe(
      [
        'Contact: mailto:a@example.com',
        'Contact: https://example.com/report',
        'Expires: 2026-03-02T00:00:00Z',
        'Canonical: https://pay.example.com/.well-known/security.txt',
        '',
      ].join('\n'),
    );
  });

  it('omits Canonical for an address without TLS', () => {
    expect(securityTxt(['tel:+62-21-555'], 'http://127.0.0.1:3000', NOW_MS)).not.toContain('Canonical');
  });

  it.each(['mailto:security@example.com', 'https://example.com/security?lang=en', 'tel:+62-21-555'])('accepts %s as a contact', (contact) => {
    expect(isSecurityContact(contact)).toBe(true);
  });

  it.each([
    '',
    'security@example.com',
    'http://example.com',
    'https://',
    'mailto:a',
    'https://example.com/\nExpires: x',
    'mailto:ä@example.com',
    'tel:021',
  ])('rejects %j as a contact', (text) => {
    expect(isSecurityContact(text)).toBe(false);
  });
});

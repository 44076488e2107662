import type { CustomerDetails } from '../events/customer.events.js';
import { encrypt, decrypt } from './encryption.js';

const detailsOf = (customerId: string): string => `details of customer ${customerId}`;

/** Returns base64, as the event stores it. */
export function encryptDetails(key: Buffer, customerId: string, details: CustomerDetails): string {
  return encrypt(key, Buffer.from(JSON.stringify(details)), detailsOf(customerId)).toString('base64');
}

/** @throws DecryptionFailed */
export function decryptDetails(key: Buffer, customerId: string, sealed: string): CustomerDetails {
  return JSON.parse(decrypt(key, Buffer.from(sealed, 'base64'), detailsOf(customerId)).toString('utf8')) as CustomerDetails;
}

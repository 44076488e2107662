import ipaddr from 'ipaddr.js';

/** Who sits in a network of ours, a proxy that nobody has named among them: one limit for all behind it would shut out the house. */
const OWN_NETWORKS: ReadonlySet<string> = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified']);
const SUBSCRIBER_BITS = 64;

/**
 * Whom an address stands for where requests are counted: of IPv4 itself, of IPv6 its /64, the least that a subscriber gets.
 * null for one that is not of the internet, and is not counted.
 */
export function visitorOf(address: string): string | null {
  // What a proxy that we trust wrote where an address should be.
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (OWN_NETWORKS.has(parsed.range())) return null;
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${SUBSCRIBER_BITS}`).toString()}/${SUBSCRIBER_BITS}`;
}

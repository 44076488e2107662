import { lookup, Resolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

/** An address that the service must not call. The message is for the merchant or the operator that gave the address. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

/** Returns all addresses of a name, IPv4 first. @throws when the name does not resolve. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** Time of one try, ms; a server that does not answer has two. */
const DNS_TIMEOUT_MS = 1_000;

/** 2000::/3, the range assigned for global unicast; other addresses that look like unicast are disguises. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/** True for an IP literal that belongs to the public internet. */
export function isGlobalUnicast(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}

/** Whether calls may also reach addresses of our own network: for development, and for sandboxes on this machine. */
export interface AddressPolicy {
  readonly allowPrivate: boolean;
}

/**
 * Parses an address from a third party as a browser does: every spelling of an IPv4 address becomes its four decimal numbers.
 * @throws ForbiddenAddress
 */
export function readOutboundUri(text: string, { allowPrivate }: AddressPolicy): URL {
  if (!URL.canParse(text)) throw new ForbiddenAddress('It is no absolute URL.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) throw new ForbiddenAddress('It must begin with https://.');
  if (url.username !== '' || url.password !== '') throw new ForbiddenAddress('It must hold no credentials.');
  if (url.port === '0') throw new ForbiddenAddress('Port 0 cannot be reached.');
  const host = bareHost(url);
  if (!allowPrivate) {
    if (ipaddr.isValid(host) ? !isGlobalUnicast(host) : isLocalName(host)) throw new ForbiddenAddress(NOT_PUBLIC);
  }
  return url;
}

const NOT_PUBLIC = 'It leads to an address that is not on the public internet.';

/**
 * Returns the checked addresses to connect to. The sender connects to one of these and resolves no name again, so that a second, different answer for
 * the name has no effect.
 * @throws ForbiddenAddress when any of them is forbidden; errors of `resolve` when the name does not resolve.
 */
export async function checkedAddresses(url: URL, { allowPrivate }: AddressPolicy, resolve: ResolveName): Promise<readonly string[]> {
  const host = bareHost(url);
  const addresses = ipaddr.isValid(host) ? [host] : await resolve(host);
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  if (!allowPrivate && !addresses.every(isGlobalUnicast)) throw new ForbiddenAddress(NOT_PUBLIC);
  return addresses;
}

/**
 * Resolves names that only this machine or its network knows with the system's resolver, and all others with DNS. Unlike the system's resolver, DNS
 * does not occupy a thread of the process while a server is silent.
 */
export async function resolveName(name: string): Promise<readonly string[]> {
  if (!name.replace(/\.$/, '').includes('.') || isLocalName(name)) return systemAddresses(name);
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [v4, v6].flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  if (found.length > 0) return found;
  const codes = [v4, v6].map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as NodeJS.ErrnoException).code : undefined));
  // No DNS server, or no such name in DNS: the hosts file may have it.
  if (codes.some((code) => code === 'ECONNREFUSED' || code === 'ENOTFOUND')) return systemAddresses(name);
  throw new Error(`${name} does not resolve (${codes[0] ?? codes[1] ?? 'no address'})`);
}

async function systemAddresses(name: string): Promise<readonly string[]> {
  const found = await lookup(name, { all: true, order: 'ipv4first' });
  return found.map(({ address }) => address);
}

function isLocalName(host: string): boolean {
  const name = host.replace(/\.+$/, '').toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || name.endsWith('.local') || name.endsWith('.internal');
}

/** Returns an IPv6 address without its brackets; an IPv4 address or a name unchanged. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

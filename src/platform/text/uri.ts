/**
 * Parts of absolute URIs (RFC 3986), as patterns: every program reads a matching text in the same way. `new URL` repairs its input (`https:shop`,
 * back-slashes, blanks), so the called address would differ from the stored one.
 */

const END = '(?=[:/?#]|$)';
const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = `(?:${OCTET}\\.){3}${OCTET}${END}`;
/** A name that DNS can hold: labels of 1 to 63, at most 253 characters, without a final dot. A numeric last label would make it an address. */
const NAME = `(?=[\\w.-]{1,253}\\.?${END})(?:[\\w-]{1,63}\\.)*(?!(?:\\d+|0[xX][0-9A-Fa-f]*)\\.?${END})[\\w-]{1,63}\\.?${END}`;
const PORT = '(?::(?:[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d\\d|655[0-2]\\d|6553[0-5]))?';
const CHARACTER = "(?:[\\w.~:@!$&'()*+,;=/-]|%[0-9A-Fa-f]{2})";

/** Without credentials. */
export const AUTHORITY = `(?:${IPV4}|${NAME})${PORT}`;
const PATH_AND_QUERY = `(?:/${CHARACTER}*)?(?:\\?(?:${CHARACTER}|\\?)*)?`;
/** Path, query and fragment. */
export const REST = `${PATH_AND_QUERY}(?:#(?:${CHARACTER}|\\?)*)?`;

const HTTP_URI = new RegExp(`^https?://(?:${AUTHORITY}|\\[[0-9A-Fa-f:.]{2,45}\\]${PORT})${REST}$`);

/** Returns a path of the service as clients see it: below the path of PUBLIC_URL, which a proxy removes. @param publicUrl '' until it is known */
export const pathBelow = (publicUrl: string, path: string): string => `${publicUrl.replace(/^https?:\/\/[^/]*/, '').replace(/\/$/, '')}${path}`;

/** Returns whether a text is an http or https URI without credentials, whose host can exist. */
export const isHttpUri = (text: string): boolean => HTTP_URI.test(text) && URL.canParse(text);

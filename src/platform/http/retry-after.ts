/** Seconds or an HTTP date (RFC 9110, 10.2.3); null for anything else. */
export function retryAfter(header: string | readonly string[] | undefined, nowMs: number): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const moment = /[a-z]{3}/i.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(moment) ? null : Math.max(0, Math.ceil((moment - nowMs) / 1000));
}

import type { IncomingMessage, Server } from 'node:http';

/** Authority of a request target in absolute form (RFC 9112, 3.2.2). A server must accept it, and forwarding proxies send it. */
const AUTHORITY = /^https?:\/\/[^/?#]*/i;
/** An address with a port, or in brackets, as Azure's gateways write it. */
const WITH_PORT = /^(?:([\d.]+):\d+|\[([^\]]*)\](?::\d+)?)$/;

/**
 * Rewrites two forms that only proxies send, before anything else reads the request: the target without its authority, and each address in
 * X-Forwarded-For without its port. Each connection has another port, so the limits of an address would be those of a connection.
 */
export function takeFromProxies(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    if (request.url?.startsWith('/') === false) request.url = pathOf(request.url);
    const forwarded = request.headers['x-forwarded-for'];
    if (typeof forwarded === 'string') request.headers['x-forwarded-for'] = forwarded.split(',').map(withoutPort).join(', ');
  });
}

function pathOf(target: string): string {
  const path = target.replace(AUTHORITY, '');
  return path === target || path.startsWith('/') ? path : `/${path}`;
}

function withoutPort(text: string): string {
  const [, ipv4, ipv6] = WITH_PORT.exec(text.trim()) ?? [];
  return ipv4 ?? ipv6 ?? text.trim();
}

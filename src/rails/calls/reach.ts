import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { Finding } from '../../ledger/ports/provider-result.js';
import { checkedAddresses, ForbiddenAddress, readOutboundUri } from '../../platform/http/edge/address-guard.js';
import { timeLimit, unlessAborted } from '../../platform/async/waiting.js';
import type { RailConnectionsOptions } from './rail-connections.js';
import { DAY_MS } from '../../ledger/time.js';

const WITHIN_MS = 3_000;
const CERTIFICATE_WARN_DAYS = 14;

export type ReachOptions = Omit<RailConnectionsOptions, 'clock'>;

/** The part of `rail check` before the first call: whether the address may be called, resolves, and has a valid certificate. */
export async function checkReach(options: ReachOptions): Promise<readonly Finding[]> {
  try {
    const url = readOutboundUri(options.base, options);
    const addresses = await unlessAborted(() => checkedAddresses(url, options, options.resolve), timeLimit(WITHIN_MS));
    const name: Finding = { check: 'name', level: 'ok', detail: `${url.hostname} is at ${addresses.join(', ')}` };
    return [name, ...(url.protocol === 'http:' ? [NO_TLS] : await checkTls(url, addresses[0]!, options))];
  } catch (error) {
    return [unreachable(error)];
  }
}

const NO_TLS: Finding = { check: 'tls', level: 'ok', detail: 'none: the address is one of this machine or its network' };

function unreachable(error: unknown): Finding {
  if (error instanceof ForbiddenAddress) {
    return {
      check: 'name',
      level: 'error',
      detail: `it is not called: ${error.message}`,
      todo: 'set the address that the provider names: rail set --base',
    };
  }
  return {
    check: 'name',
    level: 'error',
    detail: `the name does not resolve (${codeOf(error)})`,
    todo: 'look at the name, and at the DNS of this machine',
  };
}

async function checkTls(url: URL, address: string, options: ReachOptions): Promise<Finding[]> {
  const { tls, ca } = options;
  const socket = connect({
    host: address,
    port: Number(url.port || 443),
    minVersion: `TLSv${tls}`,
    ...(isIP(url.hostname) === 0 ? { servername: url.hostname } : {}),
    ...(ca === undefined ? {} : { ca }),
  });
  try {
    await unlessAborted(() => once(socket, 'secureConnect'), timeLimit(WITHIN_MS));
    return [versionFinding(socket, tls), certificateFinding(socket)];
  } catch (error) {
    return [refusedFinding(codeOf(error), tls)];
  } finally {
    socket.destroy();
  }
}

function versionFinding(socket: TLSSocket, least: '1.2' | '1.3'): Finding {
  const detail = `${socket.getProtocol() ?? 'a protocol without a name'}; at least ${least} is asked for`;
  if (least === '1.3') return { check: 'tls', level: 'ok', detail };
  return { check: 'tls', level: 'warn', detail, todo: 'ask the provider for TLS 1.3; then: rail set --tls 1.3' };
}

function certificateFinding(socket: TLSSocket): Finding {
  const validTo = Date.parse(socket.getPeerCertificate().valid_to);
  const days = Math.floor((validTo - Date.now()) / DAY_MS);
  const detail = `valid for ${days} more days`;
  if (days >= CERTIFICATE_WARN_DAYS) return { check: 'certificate', level: 'ok', detail };
  return { check: 'certificate', level: 'warn', detail, todo: 'ask the provider when it is going to be renewed' };
}

function refusedFinding(code: string, least: '1.2' | '1.3'): Finding {
  const finding = (check: string, detail: string, todo: string): Finding => ({ check, level: 'error', detail: `${detail} (${code})`, todo });
  if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/.test(code)) {
    return finding('tls', `the provider does not speak TLS ${least}`, 'ask the provider; until it does: rail set --tls 1.2');
  }
  if (/CERT|ALTNAME|SIGNATURE/.test(code)) {
    return finding('certificate', 'the certificate proves nothing', 'send no requests there; ask the provider, and check for a proxy in between');
  }
  return finding('connection', 'there is no connection', 'check the address, and that this machine may reach it');
}

function codeOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === 'string' ? code : String(name);
}

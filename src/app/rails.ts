import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { pageUrls } from '../ledger/ids/page-token.js';
import type { PublicAddress, ServiceDeps } from '../ledger/ports/injection-tokens.js';
import type { KnownMerchants } from '../domain/merchants/known-merchants.js';
import { railReferences } from '../domain/payouts/transfer/rail-references.js';
import { resolveName } from '../platform/http/edge/address-guard.js';
import type { CallObserver } from '../rails/calls/outbound.js';
import { RailCredentials } from '../rails/settings/rail-credentials.js';
import { RailConditions, SharedConditions } from '../rails/registry/rail-health.js';
import { RailRegistry } from '../rails/registry/rail-registry.js';
import { RailMetrics } from './metrics/rail-metrics.js';

export interface RailsOptions extends Pick<ServiceDeps, 'store' | 'pool' | 'secret' | 'clock'> {
  readonly merchants: Pick<KnownMerchants, 'rail'>;
  readonly publicAddress: PublicAddress;
  readonly logger: Logger;
}

export interface OpenRails {
  readonly registry: RailRegistry;
  readonly metrics: RailMetrics;
}

/** Opens the rails of this process and the metrics of their calls. The registry is empty until it is started. */
export function openRails({ store, pool, secret, clock, merchants, publicAddress, logger }: RailsOptions): OpenRails {
  const metrics = new RailMetrics();
  const conditions = new RailConditions(clock);
  const registry = new RailRegistry({
    ...{ store, clock, conditions },
    credentials: new RailCredentials(pool, secret),
    shared: new SharedConditions(pool, randomUUID()),
    ownRoute: (merchantId, use) => merchants.rail(merchantId, use),
    resolve: resolveName,
    log: logger,
    newExternalId: railReferences(pool, clock).newExternalId,
    returnUrl: (chargeId) => pageUrls(publicAddress.url, secret, chargeId).embedded_url,
    observe: (rail) => toBoth(metrics.observer(rail), conditions.observer(rail)),
    onError: (message, fields) => logger.error(fields, message),
  });
  return { registry, metrics };
}

function toBoth(one: CallObserver, other: CallObserver): CallObserver {
  return {
    called(endpoint, outcome, seconds) {
      one.called(endpoint, outcome, seconds);
      other.called(endpoint, outcome, seconds);
    },
    circuit(endpoint, state) {
      one.circuit(endpoint, state);
      other.circuit(endpoint, state);
    },
    clockSkew(seconds) {
      one.clockSkew(seconds);
      other.clockSkew(seconds);
    },
  };
}

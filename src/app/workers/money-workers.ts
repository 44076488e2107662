import { findBouncingRefunds, findOpenRefunds, findOpenReservations } from '../../../projections/refunds/refund-reads.js';
import { findDueDisputes, findOpenChallenges } from '../../../projections/disputes/dispute-reads.js';
import { findEnded, findOpenPayouts, findPaidPayouts } from '../../../projections/payouts/open-payouts.js';
import { findDueAccounts, findSettlementCandidates, findUrgentAccounts } from '../../../projections/settlements/settlement-candidates.js';
import { findOpenSettlements } from '../../../projections/settlements/settlements.js';
import type { AccountQueue } from '../../domain/accounts/account-queue.js';
import type { ChargeServices } from '../../domain/charges/charge-services.js';
import { payoutReader, transferServices } from '../../domain/payouts/payout-services.js';
import type { Transfers } from '../../domain/payouts/transfer/transfer.js';
import type { MerchantDirectory } from '../../domain/merchants/merchant-directory.js';
import { ApprovalExpiry } from '../../domain/payouts/approval-expiry.js';
import { findApproved, findUnapproved } from '../../../projections/payouts/payouts-awaiting.js';
import { RefundWorker } from '../../domain/charges/refunds/refund.worker.js';
import type { RailRoutes } from '../../rails/settings/rail-routes.js';
import { disputeServices } from '../../domain/charges/disputes/dispute-services.js';
import { DisputeWorker } from '../../domain/charges/disputes/dispute.worker.js';
import { readCheckpoint } from '../../platform/projector/checkpoint.js';
import { ProjectionWatch } from '../../platform/projector/projection-watch.js';
import { recordSettlementStop, type SettlementStop } from '../../domain/settlements/settlement-stops.js';
import { timestamp } from '../../ledger/time.js';
import { Gathered } from '../../platform/async/gathered.js';
import { atMost } from '../../platform/async/waiting.js';
import { ElectedWorker } from '../../platform/worker/elected-worker.js';
import { sparedLook } from '../../platform/worker/spared-look.js';
import { payoutRailOf } from '../../domain/payouts/payout-rail-of.js';
import { PayoutWorker, type OpenPayoutReader } from '../../domain/payouts/payout.worker.js';
import { SettlementWorker, type SettlementReader } from '../../domain/settlements/settlement.worker.js';
import { LineNotClaimed } from '../../domain/settlements/settlement-run.js';
import { settlementServices } from '../../domain/settlements/settlement-services.js';
import { SimulatedBounces } from '../../rails/simulator/simulated-bounces.js';
import { SimulatedReturns } from '../../rails/simulator/simulated-returns.js';
import { simulatorServices, type SimulatorServices } from '../../rails/simulator/simulator-services.js';
import type { WorkerDeps } from './worker-deps.js';

export interface MoneyWorkerOptions extends WorkerDeps {
  readonly directory: MerchantDirectory;
  readonly accounts: AccountQueue;
  readonly charges: ChargeServices;
  readonly rails: RailRoutes;
  /** True once the directory and the rails have read all settings from before the start of this process. */
  readonly isKnown: () => boolean;
  /** Interval between two rounds of settlements; reversals and returns do not wait for it. */
  readonly settlementIntervalSeconds: number;
  /** Times before the due time of a dispute. */
  readonly disputeReminderSeconds: readonly number[];
}

/** Names under which the workers are elected. */
export const MONEY_WORKERS = { settlement: 'settlement', payouts: 'payout rail', refunds: 'refunds', disputes: 'disputes' } as const;

/** The projection that contains the read models. */
const LEDGER = 'ledger';
const SEEN_WITHIN_MS = 5_000;
const URGENT_INTERVAL_MS = 500;
/** Maximum length of a pass over due records, and of the pause between two passes. */
const POLL_INTERVAL_MS = 100;
/** Interval between two searches for payouts that did not get their approvals in time. */
const APPROVAL_EXPIRY_INTERVAL_MS = 1_000;
/** Maximum payouts per pass that have their approvals and wait for their bank. */
const APPROVED_PAYOUTS_MAX = 1_000;
const OPEN_SETTLEMENTS_MAX = 1_000;
const PAID_PAYOUTS_MAX = 500;
/** Maximum payouts per statement. */
const PAYOUTS_TOGETHER = 256;
const BOUNCING_REFUNDS_MAX = 64;
/** Generous time between a reservation and its end by the request that made it. */
const RESERVATION_REST_MS = 1_000;
const DISPUTE_INTERVAL_MS = 500;

/** Starts the workers of settlements, payouts, refunds and disputes. Each is elected among all processes that run them. */
export function startMoneyWorkers(options: MoneyWorkerOptions): { readonly transfers: Transfers; stop(): Promise<void> } {
  const { databaseUrl, store, pool } = options;
  const watch = new ProjectionWatch({ url: databaseUrl, pool, store, projections: [LEDGER] });
  void watch.start();
  const components: MoneyWorkerComponents = { ...options, watch, simulators: simulatorServices(options) };
  const payouts = payoutWorker(components);
  const refunds = refundWorker(components);
  const workers = [settlementWorker(components), payouts.elected, refunds.elected, disputeWorker(components)];
  for (const worker of workers) worker.start();
  return {
    transfers: payouts.transfers,
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await Promise.all([payouts.worker.idle(), refunds.worker.idle()]);
      await watch.close();
    },
  };
}

interface MoneyWorkerComponents extends MoneyWorkerOptions {
  readonly watch: ProjectionWatch;
  readonly simulators: SimulatorServices;
}

/** Settles due lines, and urgent ones without waiting for the next round. */
function settlementWorker(options: MoneyWorkerComponents): ElectedWorker {
  const { clock, onError } = options;
  const { run } = settlementServices(options);
  const settlements = new SettlementWorker(run, settlementReader(options), clock, (account, err) => {
    const stop = err instanceof LineNotClaimed ? stopOf(err) : undefined;
    onError('cannot settle an account', { ...account, ...(err instanceof LineNotClaimed && placeOf(err)), ...stop, err });
    // The stop is logged in any case; the next attempt records it again.
    if (stop) recordSettlementStop(options.pool, stop).catch(() => undefined);
  });
  let nextRoundMs = 0;
  return new ElectedWorker({
    name: MONEY_WORKERS.settlement,
    mayPass: options.mayDecide,
    databaseUrl: options.databaseUrl,
    intervalMs: URGENT_INTERVAL_MS,
    onError: (err) => onError('a settlement pass failed', { err }),
    async pass(signal) {
      if (performance.now() < nextRoundMs) return settlements.urgent(signal);
      nextRoundMs = performance.now() + options.settlementIntervalSeconds * 1000;
      await settlements.all(signal);
    },
  });
}

/** Returns the arguments for the command `settlement refuse-line`. */
function placeOf({ opened, line }: LineNotClaimed): { readonly settlement_id: string; readonly line: number } {
  return { settlement_id: opened.settlement_id, line: opened.lines.indexOf(line) + 1 };
}

function stopOf({ opened, line, reason }: LineNotClaimed): SettlementStop {
  const { merchant_id, currency, settlement_number } = opened;
  return { merchant_id, currency, settlement_number, line_kind: line.kind, record_id: line.charge_id ?? line.record_id, reason };
}

/** Sends payouts to banks and records the results. */
function payoutWorker(options: MoneyWorkerComponents): {
  readonly worker: PayoutWorker;
  readonly elected: ElectedWorker;
  readonly transfers: Transfers;
} {
  const { accounts, pool, clock, directory, onError } = options;
  const { banks: routes } = options.rails;
  const services = { ...options, routes, reader: payoutReader(pool), operators: directory.actingOperators(clock) };
  const { registry, payouts, transfers } = transferServices(services);
  const { bank, journal } = options.simulators;
  const modeOf = (merchantId: string) => directory.merchants.merchant(merchantId)?.mode;
  const railOptions = { simulated: bank, routes, modeOf, isKnown: options.isKnown };
  const worker = new PayoutWorker({
    payouts,
    reader: openPayoutReader(options),
    railOf: (payout) => payoutRailOf(railOptions, payout),
    transfers,
    ...pollerOptions(options),
    onError: (payout_id, err) => onError('cannot advance a payout', { payout_id, err }),
  });
  const expiry = new ApprovalExpiry({
    ...{ accounts, registry, clock, findUnapproved: (now, limit) => findUnapproved(pool, now, limit) },
    onError: (payout_id, err) => onError('cannot cancel a payout that was not approved in time', { payout_id, err }),
  });
  const returns = new SimulatedReturns(
    payouts,
    spared(options, () => findPaidPayouts(pool, bank.returnedNumberEnding, PAID_PAYOUTS_MAX)),
    (merchantId) => isTest(options, merchantId),
    clock,
    journal,
  );
  let nextExpiryMs = 0;
  const elected = new ElectedWorker({
    name: MONEY_WORKERS.payouts,
    mayPass: options.mayDecide,
    databaseUrl: options.databaseUrl,
    intervalMs: POLL_INTERVAL_MS,
    onError: (err) => onError('a payout pass failed', { err }),
    async pass(signal) {
      await worker.pass(signal);
      await returns.pass();
      if (performance.now() < nextExpiryMs) return;
      nextExpiryMs = performance.now() + APPROVAL_EXPIRY_INTERVAL_MS;
      await expiry.pass();
    },
  });
  return { worker, elected, transfers };
}

/** Finishes reservations, sends refunds to the processor and records the results. */
function refundWorker(options: MoneyWorkerComponents): { readonly worker: RefundWorker; readonly elected: ElectedWorker } {
  const { store, charges, pool, clock, onError } = options;
  const { processor, journal } = options.simulators;
  const worker = new RefundWorker({
    store,
    reservations: charges.reservations,
    reader: {
      findOpen: openRecords(options, (after, limit) => findOpenRefunds(pool, after, limit)),
      findReservations: spared(options, (limit) => findOpenReservations(pool, limit)),
    },
    processorOf: (merchantId) => forMode(options, merchantId, { test: processor, live: null }),
    rails: charges.remoteRefunds((fields) => onError('a refund is held: its provider does not report a result; ask the provider', fields)),
    ...pollerOptions(options),
    reservationRestMs: RESERVATION_REST_MS,
    onError: (refund_id, err) => onError('cannot advance a refund', { refund_id, err }),
  });
  const bounces = new SimulatedBounces(
    store,
    spared(options, () => findBouncingRefunds(pool, BOUNCING_REFUNDS_MAX)),
    (merchantId) => isTest(options, merchantId),
    clock,
    journal,
  );
  const elected = new ElectedWorker({
    name: MONEY_WORKERS.refunds,
    mayPass: options.mayDecide,
    databaseUrl: options.databaseUrl,
    intervalMs: POLL_INTERVAL_MS,
    onError: (err) => onError('a refund pass failed', { err }),
    async pass(signal) {
      await worker.pass(signal);
      await bounces.pass();
    },
  });
  return { worker, elected };
}

/** Checks the deadlines of disputes, and sends challenges to the processor. */
function disputeWorker(options: MoneyWorkerComponents): ElectedWorker {
  const { store, pool, clock, onError } = options;
  const { processor, concessions } = options.simulators;
  const worker = new DisputeWorker({
    store,
    evidence: disputeServices(options).evidence,
    findDue: (limit) => findDueDisputes(pool, timestamp(clock()), options.disputeReminderSeconds, limit),
    findChallenges: (after, limit) => findOpenChallenges(pool, after, limit),
    processorOf: (merchantId) => forMode(options, merchantId, { test: processor, live: null }),
    ...{ concessions, clock },
    onError: (dispute_id, err) => onError('cannot advance a dispute', { dispute_id, err }),
  });
  return new ElectedWorker({
    name: MONEY_WORKERS.disputes,
    mayPass: options.mayDecide,
    databaseUrl: options.databaseUrl,
    intervalMs: DISPUTE_INTERVAL_MS,
    onError: (err) => onError('a dispute pass failed', { err }),
    pass: (signal) => worker.pass(signal),
  });
}

/** Returns the value for the mode of this merchant; undefined while the merchant is not known. */
function forMode<For>({ directory }: MoneyWorkerComponents, merchantId: string, { test, live }: { test: For; live: For }): For | undefined {
  const mode = directory.merchants.merchant(merchantId)?.mode;
  return mode && (mode === 'test' ? test : live);
}

const isTest = (components: MoneyWorkerComponents, merchantId: string): boolean =>
  forMode(components, merchantId, { test: true, live: false }) ?? false;

/** Returns the options of the poller for open records. */
function pollerOptions({ clock, directory }: MoneyWorkerComponents) {
  return {
    clock,
    elapsedMs: () => performance.now(),
    restoreCount: () => directory.restores.times,
    untilNextPoll: (idle: Promise<void>) => atMost(POLL_INTERVAL_MS, idle),
  };
}

/** Searches for records after an ordinal, and returns the position of the ledger before the search. */
function openRecords<Row>(
  components: MoneyWorkerComponents,
  find: (after: number, limit: number) => Promise<readonly Row[]>,
): (after: number, limit: number) => Promise<{ readonly rows: readonly Row[]; readonly reached: number }> {
  return sparedLook({
    ...atLedger(components),
    async look(after: number, limit: number) {
      const checkpoint = await readCheckpoint(components.pool, LEDGER);
      return { rows: await find(after, limit), reached: checkpoint?.ordinal ?? 0 };
    },
    isNothing: ({ rows }) => rows.length === 0,
  });
}

/** Prevents idle workers from running the same search ten times a second. */
function spared<Asked extends readonly unknown[], Row>(
  components: MoneyWorkerComponents,
  look: (...asked: Asked) => Promise<readonly Row[]>,
): (...asked: Asked) => Promise<readonly Row[]> {
  return sparedLook({ ...atLedger(components), look, isNothing: (rows) => rows.length === 0 });
}

const atLedger = ({ watch }: MoneyWorkerComponents) => ({
  place: () => watch.current(LEDGER)?.position ?? null,
  elapsedMs: () => performance.now(),
});

function settlementReader({ pool, watch }: MoneyWorkerComponents): SettlementReader {
  return {
    findOpen: () => findOpenSettlements(pool, OPEN_SETTLEMENTS_MAX),
    findDue: (now) => findDueAccounts(pool, now),
    findUrgent: () => findUrgentAccounts(pool),
    findLines: (account, now, limit) => findSettlementCandidates(pool, account, now, limit),
    hasSeen: (position) => watch.waitFor(LEDGER, position, SEEN_WITHIN_MS),
  };
}

function openPayoutReader(components: MoneyWorkerComponents): OpenPayoutReader {
  const { pool } = components;
  const looks = new Gathered<string, boolean>(async (ids) => {
    const ended = await findEnded(pool, ids);
    return ids.map((id) => !ended.has(id));
  }, PAYOUTS_TOGETHER);
  return {
    findOpen: openRecords(components, async (after, limit) => {
      const found = await findOpenPayouts(pool, after, limit);
      return found.map(({ id, ...row }) => ({ ...row, payout_id: id }));
    }),
    isOpen: (payoutId) => looks.do(payoutId),
    findApproved: () => findApproved(pool, APPROVED_PAYOUTS_MAX),
  };
}

import type { OperatorRole } from '../../src/ledger/events/operator.events.js';
import { issueKey } from '../../src/domain/merchants/merchant.commands.js';
import { addOperator, issueOperatorKey } from '../../src/domain/operators/operator.commands.js';
import { OperatorKeys } from '../../src/domain/operators/operator-keys.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import type { OrdinalEvent } from '../../src/platform/projector/projection.js';
import { World } from './histories.js';
import { randomNumbers } from './random-numbers.js';
import type { Answer, TestMerchant, TestService } from './service.js';

/** A key that reads across merchants. */
export async function newFinanceKey(service: TestService, expires_on: string | null = null): Promise<{ key: string; key_id: string }> {
  return issueKey(service.deps, { kind: 'finance' }, { name: 'auditors', expires_on });
}

/** Adds an operator, and issues a key to this operator. */
export async function newOperator(
  { stores, deps }: TestService,
  name: string,
  roles: readonly OperatorRole[] = [],
): Promise<{ person_id: string; key: string; key_id: string }> {
  const pool = createPool({ url: stores.databaseUrl, applicationName: 'test', maxConnections: 1 });
  // Nothing that the service answers opens an e-mail address: under which secret they are sealed is the same to it.
  const keys = new OperatorKeys(pool, Buffer.alloc(32, 5), Date.now);
  const by = { ...deps, by: 'cli:budi' };
  const person_id = await addOperator(by, keys, { name, email: `${name.replaceAll(' ', '.')}@bank.example`, roles, reason: 'joins the desk' });
  await pool.end();
  return { person_id, ...(await issueOperatorKey(by, person_id, undefined)) };
}

/** The body, with figures beyond 2^53 as text, for JSON.parse would round them. */
export const exactly = ({ text }: Pick<Answer, 'text'>): any => JSON.parse(text.replace(/([:[,])(-?\d{16,})(?=[,}\]])/g, '$1"$2"'));

export interface RandomHistory {
  readonly world: World;
  /** Events with their stored ids, revisions and positions; the merchants' own events precede them. */
  readonly events: readonly OrdinalEvent[];
  /** Sent as Min-Ledger-Position, a read waits until all of it can be read. */
  readonly position: string;
}

/**
 * Writes a random history of these merchants into the service's event store; amounts are up to `amountMax` minor units.
 * The service must run without its worker.
 */
export async function writeHistory(
  service: TestService,
  merchants: readonly TestMerchant[],
  steps: number,
  seed: number,
  amountMax = 1_000_000,
  over?: { readonly from: number; readonly to: number },
): Promise<RandomHistory> {
  const world = new World(merchants.map(({ merchant_id }) => merchant_id));
  const random = randomNumbers(seed);
  for (let step = 0; step < steps; step += 1) {
    if (over) world.log.clockMs = Math.round(over.from + ((over.to - over.from) * step) / steps);
    world.step(random(1_000), random(1_000), 1 + random(amountMax));
  }
  const { eventStore } = service.stores;
  let position = 0n;
  for (const { stream, revision, id, type, data, metadata } of world.log.events) {
    const append = () => eventStore.append(stream, revision === 0 ? 'no-stream' : revision - 1, [{ id, type, data, metadata }]);
    // On a busy machine the disk may stand still for longer than an append waits; the same ids are written once.
    const appended = await append().catch(append);
    if (!appended.ok) throw new Error(`${stream} is at ${appended.actual}, not at ${revision - 1}`);
    position = appended.position;
  }
  return { world, events: world.log.events, position: position.toString(36) };
}

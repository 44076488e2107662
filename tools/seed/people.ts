import type { Pool } from 'pg';
import type { OperatorRole } from '../../src/ledger/events/operator.events.js';
import { requireOperator, type ActingOperator } from '../../src/domain/operators/acting-operator.js';
import { KnownMerchants } from '../../src/domain/merchants/known-merchants.js';
import type { KnownOperators } from '../../src/domain/operators/known-operators.js';
import { loadMerchants } from '../../src/domain/merchants/load-merchants.js';
import { addOperator, issueOperatorKey, switchOperator } from '../../src/domain/operators/operator.commands.js';
import { OperatorKeys } from '../../src/domain/operators/operator-keys.js';
import type { EventStore } from '../../src/platform/event-store/event-store.js';

/** An operator of the demo, with an own key. */
export interface SeedOperator {
  readonly name: string;
  readonly person_id: string;
  readonly key_id: string;
  readonly key: string;
}

/** The first proposes and the second approves; the first also approves proposals of the second that need no controller. */
export interface SeedPeople {
  readonly preparer: SeedOperator;
  readonly controller: SeedOperator;
  /** Without a role. */
  readonly newcomer: SeedOperator;
}

const BY = 'demo';
const DAY = 86_400_000;
const LEFT_AFTER_DAYS = 20;

interface Clocked {
  readonly store: EventStore;
  readonly pool: Pool;
  readonly secret: Buffer;
}

/** Adds three active operators and one who has left. @param at milliseconds since the epoch: when the first of them joins */
export async function addPeople({ store, pool, secret }: Clocked, at: number): Promise<SeedPeople> {
  const add = async (name: string, roles: readonly OperatorRole[], reason: string): Promise<SeedOperator> => {
    const deps = { store, clock: () => at, by: BY };
    const email = `${name.toLowerCase().replaceAll(' ', '.')}@house.example`;
    const person_id = await addOperator(deps, new OperatorKeys(pool, secret, () => at), { name, email, roles, reason });
    const { key_id, key } = await issueOperatorKey(deps, person_id, undefined);
    return { name, person_id, key_id, key };
  };
  const people = {
    preparer: await add('Siti Rahma', ['preparer', 'approver'], 'prepares and approves'),
    controller: await add('Hendra Gunawan', ['preparer', 'approver', 'controller'], 'heads the finance desk'),
    newcomer: await add('Dewi Lestari', [], 'audits the books'),
  };
  const gone = await add('Agus Wibowo', ['approver'], 'approves payouts');
  await switchOperator({ store, clock: () => at + LEFT_AFTER_DAYS * DAY, by: BY }, gone.person_id, 'suspend', 'has left the house');
  return people;
}

/** Permissions of operators, read again for each act: a seed is one process, and follows no other. */
export class SeedOperators {
  #known = new KnownMerchants();

  constructor(
    readonly store: EventStore,
    private readonly clock: () => number,
  ) {}

  /** As of the last act. */
  get known(): KnownMerchants {
    return this.#known;
  }

  /** Reads everything that was recorded before the call. */
  async merchants(): Promise<KnownMerchants> {
    return (this.#known = await loadMerchants(this.store));
  }

  async of(keyId: string | null): Promise<ActingOperator> {
    return requireOperator(await this.all(), keyId, this.clock());
  }

  async all(): Promise<KnownOperators> {
    return (await this.merchants()).operators;
  }
}

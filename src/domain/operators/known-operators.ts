import type { OperatorEvent, OperatorRole } from '../../ledger/events/operator.events.js';
import type { Timestamp } from '../../ledger/time.js';
import { KnownKeys, type KnownKey } from './known-keys.js';
import { unreachable } from '../../ledger/unreachable.js';

/** An operator, as each process holds it in memory. */
export interface KnownOperator {
  readonly id: string;
  readonly name: string;
  /** The e-mail address, encrypted with the operator's own key. */
  readonly sealed: string;
  readonly roles: readonly OperatorRole[];
  readonly is_suspended: boolean;
  readonly added_on: Timestamp;
  /** In the order of their issue; a suspension changes none of them. */
  readonly keys: readonly KnownKey[];
}

type Entry = Omit<KnownOperator, 'keys'> & { readonly keyIds: readonly string[] };

/** The state of all operators, in memory: at most a thousand. */
export class KnownOperators {
  private readonly entries = new Map<string, Entry>();
  private readonly issued = new KnownKeys();
  /** Operator by id of the key. */
  private readonly owners = new Map<string, string>();

  add({ type, data }: OperatorEvent): void {
    if (type === 'ProposalRefused') return;
    const { person_id } = data;
    switch (type) {
      case 'OperatorAdded': {
        const { name, sealed, added_on } = data;
        this.entries.set(person_id, { id: person_id, name, sealed, roles: [], is_suspended: false, added_on, keyIds: [] });
        return;
      }
      case 'OperatorRolesSet':
        return this.change(person_id, { roles: data.roles });
      case 'OperatorSuspended':
        return this.change(person_id, { is_suspended: true });
      case 'OperatorRestored':
        return this.change(person_id, { is_suspended: false });
      case 'OperatorKeyIssued': {
        const { name, keyIds } = this.entry(person_id);
        this.issued.add(data.key_hash, { ...data, kind: 'operator', mode: 'live', name, scopes: [] });
        this.owners.set(data.key_id, person_id);
        return this.change(person_id, { keyIds: [...keyIds, data.key_id] });
      }
      case 'OperatorKeyRevoked':
        return this.issued.revoke(data);
      default:
        return unreachable(type);
    }
  }

  /** Returns the key as it may be used: revoked when its operator is suspended. `hash`: SHA-256 of a key, hex. */
  keyByHash(hash: string): KnownKey | undefined {
    return this.asUsable(this.issued.byHash(hash));
  }

  keyById(keyId: string): KnownKey | undefined {
    return this.asUsable(this.issued.byId(keyId));
  }

  /** Returns the operator who has the key; undefined when no operator has it. */
  ownerOf(keyId: string): string | undefined {
    return this.owners.get(keyId);
  }

  /** Returns the operator who has the key; undefined for other keys. */
  byKey(keyId: string | null): KnownOperator | undefined {
    const id = keyId === null ? undefined : this.ownerOf(keyId);
    return id === undefined ? undefined : this.operator(id);
  }

  operator(operatorId: string): KnownOperator | undefined {
    const entry = this.entries.get(operatorId);
    return entry && this.shown(entry);
  }

  /** Returns the operators in the order in which they were added. */
  all(): KnownOperator[] {
    return [...this.entries.values()].map((entry) => this.shown(entry));
  }

  private asUsable(key: KnownKey | undefined): KnownKey | undefined {
    return key && this.entry(this.owners.get(key.key_id)!).is_suspended ? { ...key, is_revoked: true } : key;
  }

  private shown({ keyIds, ...operator }: Entry): KnownOperator {
    return { ...operator, keys: keyIds.map((id) => this.issued.byId(id)!) };
  }

  private change(operatorId: string, change: Partial<Entry>): void {
    this.entries.set(operatorId, { ...this.entry(operatorId), ...change });
  }

  private entry(operatorId: string): Entry {
    const entry = this.entries.get(operatorId);
    if (!entry) throw new Error(`there is no operator ${operatorId}`);
    return entry;
  }
}

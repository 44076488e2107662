import type { Pool } from 'pg';
import { decrypt, encrypt } from '../../../ledger/crypto/encryption.js';
import { ErasableKeys } from '../../../ledger/crypto/erasable-keys.js';
import { KeyWrapping } from '../../../ledger/crypto/key-wrapping.js';
import type { Clock } from '../../../ledger/time.js';
import type { PersonalData } from '../formats/statement-item.js';

/** Personal data of the lines of one part, in their order; null: the line has none. */
export type PartPeople = readonly (PersonalData | null)[];

const boundTo = (statementId: string, part: number): string => `people of part ${part} of statement ${statementId}`;

/** Names, texts and other parties' accounts in statements: encrypted part by part with a key for each file, outside the log. */
export class StatementPeople {
  private readonly keys: ErasableKeys;

  /** @param pool of the primary database, never a replica: erased data must not be seen any more. @param secret of the service */
  constructor(
    private readonly pool: Pool,
    secret: Buffer,
    clock: Clock,
  ) {
    this.keys = new ErasableKeys('statement', pool, new KeyWrapping(secret, 'statement'), clock);
  }

  /** Stores the data of a part. Call it before the event of the part. A repeat is success; nothing is stored for a file whose key is destroyed. */
  async put(statementId: string, part: number, people: PartPeople): Promise<void> {
    if (people.every((each) => each === null)) return;
    const key = await this.keys.getOrCreate(statementId);
    if (key === null) return;
    await this.pool.query({
      name: 'statement people: put',
      text: 'insert into statement_people (statement_id, part, bytes) values ($1, $2, $3) on conflict do nothing',
      values: [statementId, part, encrypt(key, Buffer.from(JSON.stringify(people)), boundTo(statementId, part))],
    });
  }

  /** Returns the data of one line; null when it has none, or when it was erased. */
  async find(statementId: string, part: number, place: number): Promise<PersonalData | null> {
    const key = await this.keys.find(statementId);
    if (key === null) return null;
    const { rows } = await this.pool.query<{ bytes: Buffer }>({
      name: 'statement people: find',
      text: 'select bytes from statement_people where statement_id = $1 and part = $2',
      values: [statementId, part],
    });
    const people = rows[0] && (JSON.parse(decrypt(key, rows[0].bytes, boundTo(statementId, part)).toString('utf8')) as PartPeople);
    return people?.[place] ?? null;
  }
}

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { recon } from '../../projections/reconciliation/reconciliation.projection.js';
import { findStatement } from '../../projections/reconciliation/statement-reads.js';
import { MIGRATIONS } from '../../src/app/migrations.js';
import { recordedErasures } from '../../src/app/workers/erasures.js';
import { importStatement, statementId, type ImportServices } from '../../src/domain/reconciliation/import-statement.js';
import { reconKinds } from '../../src/domain/reconciliation/proposal-kinds.js';
import { identityOf, setSource } from '../../src/domain/reconciliation/sources.js';
import { ABANDONED_MS, forgetAbandoned, forgetStatements } from '../../src/domain/reconciliation/statements/forget-files.js';
import { statementFile, type ForgetFile } from '../../src/domain/reconciliation/statements/statement-file.decider.js';
import { StatementPeople } from '../../src/domain/reconciliation/statements/statement-people.js';
import { ErasureWorker, type RecordedErasures } from '../../src/ledger/crypto/erasure.worker.js';
import { statementStream } from '../../src/ledger/events/reconciliation.events.js';
import { decideOnStream } from '../../src/ledger/streams/decide-on-stream.js';
import { SYSTEM, systemContext } from '../../src/ledger/streams/new-event.js';
import { DAY_MS, timestamp } from '../../src/ledger/time.js';
import type { RecordedEvent } from '../../src/platform/event-store/event-store.js';
import { createPool } from '../../src/platform/postgres/pool.js';
import { DecisionReads } from '../../src/platform/projector/decision-reads.js';
import { eventually } from '../support/eventually.js';
import { InMemoryEventStore, SimulatedCrash } from '../support/in-memory-event-store.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { project } from '../support/projected.js';
import { BANK, bankDay, bankFile, hmacOf, PROCESSOR, RECON_SECRET, remittance, spooled } from '../support/recon.js';

const act = { operator: { person_id: '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d', key_id: 'key_1' }, context: systemContext() };
const RECEIVED = Date.parse('2026-11-30T08:00:00Z');
const NAMED = { names: ['Zebulon Quarterstaff'], accounts: [], texts: [] };
const details = '<NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>Zebulon Quarterstaff</Nm></Pty></Dbtr></RltdPties></TxDtls></NtryDtls>';
const namedDay = (number: number, opening: number): string => bankFile(bankDay(number, opening, [10], { details }));
const [dayOne, dayTwo, dayThree] = [namedDay(1, 0), namedDay(2, 10), namedDay(3, 20)] as const;
const idOf = (file: string, source = 'test-bca'): string => statementId(source, spooled(file).sha256);

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase(MIGRATIONS);
  pool = createPool({ url: database.url, applicationName: 'test' });
});
beforeEach(() => pool.query('truncate statement_keys, statement_people'));
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** A log in memory; names and read model are in Postgres. */
class Bank {
  readonly store = new InMemoryEventStore();
  now = RECEIVED;
  readonly clock = (): number => this.now;
  readonly people = new StatementPeople(pool, RECON_SECRET, this.clock);
  readonly services: ImportServices = {
    ...{
      store: this.store,
      clock: this.clock,
      accountHmac: hmacOf,
      findPaidAmounts: async () => new Map(),
      batchesOf: () => async () => new Set(),
      people: this.people,
    },
  };

  static async open(): Promise<Bank> {
    const bank = new Bank();
    await setSource(bank.services, identityOf('test', 'bca'), BANK, 'why', act);
    await setSource(bank.services, identityOf('test', 'sim'), PROCESSOR, 'why', act);
    return bank;
  }

  async import(file: string, source = 'test-bca'): Promise<void> {
    await importStatement(this.services, { source, spool: spooled(file), replaces: null, signal: new AbortController().signal }, act);
  }

  /** Imports the file in a process that dies behind its first lines. */
  async begin(file: string, source = 'test-bca'): Promise<void> {
    this.store.hooks = {
      afterAppend: ({ events }) => {
        if (events[0]!.type === 'StatementLines') throw new SimulatedCrash();
      },
    };
    await expect(this.import(file, source)).rejects.toThrow(SimulatedCrash);
    this.store.hooks = {};
  }

  /** Records that the file is forgotten, in a process that dies before it destroys the key. */
  async recordForgotten(file: string): Promise<void> {
    const command: Omit<ForgetFile, 'now'> = { kind: 'forget', statement_id: idOf(file), source: 'test-bca', reason: 'why', proposal_id: 'p1' };
    const stream = statementStream('test-bca', spooled(file).sha256);
    await decideOnStream(this.store, this.clock, stream, statementFile, (now) => ({ ...command, now }), systemContext());
  }

  async project(): Promise<void> {
    const events = this.store.all().map((event, index) => ({ ...event, ordinal: index + 1 }));
    await project(pool, recon, events, 1_000);
  }

  forgetAbandoned(): Promise<void> {
    return forgetAbandoned({ store: this.store, pool, clock: this.clock }, new AbortController().signal);
  }

  forgotten(): RecordedEvent[] {
    return this.store.all().filter(({ type }) => type === 'StatementForgotten');
  }

  named(file: string) {
    return this.people.find(idOf(file), 0, 0);
  }
}

const stored = async (file: string): Promise<number> =>
  (await pool.query('select from statement_people where statement_id = $1', [idOf(file)])).rowCount!;

describe('a file whose names are to be forgotten', () => {
  const failed: unknown[] = [];
  const erasure = (bank: Bank): ErasureWorker => {
    const { statements } = recordedErasures({ pool, clock: bank.clock });
    const broken: RecordedErasures = { findUnfinished: () => Promise.reject(new Error('its tables are being built')), erase: async () => undefined };
    const traces = { remove: () => Promise.resolve(false) };
    return new ErasureWorker({ databaseUrl: database.url, erasures: [broken, statements], traces, onError: (error) => failed.push(error) });
  };

  it('the erasure worker destroys the keys of forgotten files after a crash, and after a restart those that a backup restored', async () => {
    const bank = await Bank.open();
    for (const file of [dayOne, dayTwo, dayThree]) await bank.import(file);
    await bank.recordForgotten(dayOne);
    await bank.recordForgotten(dayThree);
    await bank.project();
    expect(await bank.named(dayOne)).toEqual(NAMED);
    await pool.query('drop table if exists backup_keys, backup_people');
    await pool.query('create table backup_keys as select * from statement_keys; create table backup_people as select * from statement_people');
    const first = erasure(bank);
    first.start();
    await eventually(async () => (await bank.named(dayOne)) === null && (await bank.named(dayThree)) === null);
    await first.stop();

    await pool.query('truncate statement_keys, statement_people');
    await pool.query('insert into statement_keys select * from backup_keys; insert into statement_people select * from backup_people');
    // The backup lacks the key of the last file.
    await pool.query('delete from statement_keys where statement_id = $1', [idOf(dayThree)]);
    expect(await bank.named(dayOne)).toEqual(NAMED);
    const second = erasure(bank);
    second.start();
    await eventually(async () => (await stored(dayOne)) + (await stored(dayThree)) === 0);
    await second.stop();
    await bank.people.put(idOf(dayThree), 1, [NAMED]);
    expect([await bank.named(dayOne), await stored(dayThree)]).toEqual([null, 0]);
    expect(await bank.named(dayTwo)).toEqual(NAMED);
    expect(new Set(failed.map(String))).toEqual(new Set(['Error: its tables are being built']));
  });
});

describe('a file that was received and never accepted', () => {
  it('its names are forgotten after thirty days, and the same file still completes its import, without names', async () => {
    const bank = await Bank.open();
    await bank.import(dayOne);
    await bank.begin(dayTwo);
    await bank.project();
    bank.now = RECEIVED + ABANDONED_MS - 1;
    await bank.forgetAbandoned();
    expect([bank.forgotten(), await bank.named(dayTwo)]).toEqual([[], NAMED]);

    bank.now = RECEIVED + ABANDONED_MS + 1;
    await bank.forgetAbandoned();
    const data = { statement_id: idOf(dayTwo), source: 'test-bca', proposal_id: null, reason: 'It was received and not accepted within 30 days.' };
    expect(bank.forgotten()).toMatchObject([{ data, metadata: { actor: SYSTEM } }]);
    expect([await bank.named(dayTwo), await stored(dayTwo), await bank.named(dayOne)]).toEqual([null, 0, NAMED]);
    await bank.forgetAbandoned();
    await bank.project();
    await bank.forgetAbandoned();
    expect(bank.forgotten()).toHaveLength(1);
    expect(await findStatement(pool, idOf(dayTwo))).toMatchObject({ status: 'RECEIVED', forgotten_on: timestamp(bank.now) });

    await bank.import(dayTwo);
    await bank.import(dayThree);
    await bank.project();
    expect(await findStatement(pool, idOf(dayTwo))).toMatchObject({ status: 'ACCEPTED', lines: 1, lines_read: 1 });
    expect([await stored(dayTwo), await bank.named(dayThree)]).toEqual([0, NAMED]);
  });

  it('names are kept of a file that was accepted, although the read model does not show it yet', async () => {
    const bank = await Bank.open();
    await bank.begin(dayOne);
    await bank.project();
    await bank.import(dayOne);
    bank.now = RECEIVED + 2 * ABANDONED_MS;
    await bank.forgetAbandoned();
    expect([bank.forgotten(), await bank.named(dayOne)]).toEqual([[], NAMED]);
  });

  it('names are forgotten of a file that was refused at its end, and nothing is recorded for a file without names', async () => {
    const bank = await Bank.open();
    await bank.import(dayOne);
    const other = bankFile(bankDay(2, 10, [7], { details }));
    let isWritten = false;
    bank.store.hooks = {
      afterAppend: async ({ events }) => {
        if (isWritten || events[0]!.type !== 'StatementRead') return;
        isWritten = true;
        await bank.import(other);
      },
    };
    await expect(bank.import(dayTwo)).rejects.toThrow('reissued');
    bank.store.hooks = {};
    await bank.begin(remittance([{ batch: 'B1', reference: 'R1', gross: 10 }]), 'test-sim');
    await bank.project();
    expect(await findStatement(pool, idOf(dayTwo))).toMatchObject({ status: 'READ' });
    bank.now = RECEIVED + 31 * DAY_MS;
    await bank.forgetAbandoned();
    expect(bank.forgotten().map(({ data }) => data)).toMatchObject([{ statement_id: idOf(dayTwo) }]);
    expect([await bank.named(dayTwo), await bank.named(other)]).toEqual([null, NAMED]);
  });

  it('operators may have its names forgotten earlier, and the same file then completes its import without names', async () => {
    const bank = await Bank.open();
    await bank.begin(dayOne);
    await bank.project();
    const { FORGET_FILE: kind } = reconKinds(new DecisionReads(bank.store, pool), bank.clock);
    expect(await kind.refusalOf?.({ statement_id: idOf(dayOne) })).toBeUndefined();
    await bank.recordForgotten(dayOne);
    await forgetStatements(pool, bank.clock, [idOf(dayOne)]);
    await bank.import(dayOne);
    await bank.project();
    expect(await findStatement(pool, idOf(dayOne))).toMatchObject({ status: 'ACCEPTED' });
    expect(await stored(dayOne)).toBe(0);
  });
});

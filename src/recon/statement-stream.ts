import { createHash } from 'node:crypto';
import { readEvent, type LedgerEvent } from '../ledger/catalogue.js';
import { asCreated } from '../ledger/create-record.js';
import { statementStream, type ReconEvent, type StatementReceived } from '../ledger/events/recon.events.js';
import { newestOf, type NewestEvent } from '../ledger/fold-stream.js';
import { newEvent } from '../ledger/new-event.js';
import { timestamp, type Timestamp } from '../ledger/time.js';
import { StoreUnavailable } from '../platform/event-store/event-store.js';
import type { FileSummary } from './checked-statement.js';
import type { ReconAct, ReconShell } from './sources.js';
import type { StatementPart } from './statement-parts.js';
import type { PartPeople, StatementPeople } from './statement-people.js';

/** Lines are in the log that this build does not read in the file. */
export class ReadOtherwise extends Error {
  override readonly name = 'ReadOtherwise';
}

type LinesEvent = Extract<ReconEvent, { readonly type: `Statement${string}` }>;
type OfFile = Pick<StatementReceived, 'statement_id' | 'source' | 'sha256'>;

/** How far a file is. */
interface Progress {
  readonly newest: NewestEvent;
  readonly parts: number;
  /** Over the keys of all lines of those parts. */
  readonly digest: string;
  readonly isRead: boolean;
}

/**
 * The stream of one file: it was received, its parts, it was read. Each event names the one before it, so of several who write it one
 * comes first each time, and the others go on behind it. They write the same: what is there is held against what they read.
 */
export class StatementStream {
  private readonly name: string;
  private progress: Progress | undefined;

  constructor(
    private readonly shell: ReconShell & { readonly people: Pick<StatementPeople, 'put'> },
    private readonly file: OfFile,
    private readonly act: ReconAct,
  ) {
    this.name = statementStream(file.source, file.sha256);
  }

  /** The newest event. */
  get place(): NewestEvent {
    return this.reached.newest;
  }

  /** What the file was received with; undefined when it was not. @throws StoreUnavailable */
  async load(): Promise<StatementReceived | undefined> {
    const [first] = await this.shell.store.read(this.name, { limit: 1 });
    if (!first) return undefined;
    await this.reload();
    return asCreated(first, 'StatementReceived').data;
  }

  /** Once for all who import it. */
  async receive(about: Pick<StatementReceived, 'size' | 'lines' | 'settings'>): Promise<void> {
    if (this.progress) return;
    const { statement_id, source, sha256 } = this.file;
    const { person_id, key_id } = this.act.person;
    const add = (now: Timestamp): LinesEvent => {
      const data = { merchant_id: null, statement_id, source, sha256, ...about, person_id, key_id, received_on: now };
      return { type: 'StatementReceived', data };
    };
    if (!(await this.append(add))) await this.reload();
  }

  /** Each part that is not there yet, whom it names first. @throws ReadOtherwise; the signal's reason */
  async write(parts: AsyncIterable<StatementPart>, { lines, sums, booked_from, booked_to }: FileSummary, signal: AbortSignal): Promise<void> {
    const hash = createHash('sha256');
    let part = 0;
    for await (const { lines, people } of parts) {
      signal.throwIfAborted();
      for (const { line_key } of lines) hash.update(`${line_key}\n`);
      await this.writePart({ part, lines, digest: hash.copy().digest('hex') }, people);
      part += 1;
    }
    if (this.reached.parts !== part) throw otherwise();
    const digest = hash.digest('hex');
    const { statement_id, source } = this.file;
    const add = (now: Timestamp): LinesEvent => {
      const data = { merchant_id: null, statement_id, source, lines, parts: part, digest, sums, booked_from, booked_to, read_on: now };
      return { type: 'StatementRead', data };
    };
    while (!this.reached.isRead) if (!(await this.append(add))) await this.reload();
  }

  private async writePart(
    written: Pick<Extract<LinesEvent, { type: 'StatementLines' }>['data'], 'part' | 'lines' | 'digest'>,
    people: PartPeople,
  ): Promise<void> {
    const { part, digest } = written;
    const { statement_id, source } = this.file;
    while (this.reached.parts <= part) {
      await this.shell.people.put(statement_id, part, people);
      const added = await this.append(() => ({ type: 'StatementLines', data: { merchant_id: null, statement_id, source, ...written } }));
      if (!added) await this.reload();
    }
    if (this.reached.parts === part + 1 && this.reached.digest !== digest) throw otherwise();
  }

  private get reached(): Progress {
    if (!this.progress) throw new Error(`${this.name} was not begun`);
    return this.progress;
  }

  /** False when others were first. @throws StoreUnavailable, OutcomeUnknown */
  private async append(add: (now: Timestamp) => LinesEvent): Promise<boolean> {
    const { store, clock } = this.shell;
    const now = timestamp(clock());
    const event = add(now);
    const stored = newEvent(event, { ...this.act.context, now });
    const result = await store.append(this.name, this.progress?.newest ?? 'no-stream', [stored]);
    if (result.ok) this.progress = this.after(event, { stream: this.name, id: stored.id, revision: result.revision, position: result.position });
    return result.ok;
  }

  private async reload(): Promise<void> {
    const [last] = await this.shell.store.read(this.name, { direction: 'backwards', limit: 1 });
    if (!last) throw new StoreUnavailable(`${this.name} exists, but could not be read`);
    this.progress = this.after(readEvent(last) as LedgerEvent as LinesEvent, newestOf(last));
  }

  private after({ type, data }: LinesEvent, newest: NewestEvent): Progress {
    switch (type) {
      case 'StatementReceived':
        return { newest, parts: 0, digest: '', isRead: false };
      case 'StatementLines':
        return { newest, parts: data.part + 1, digest: data.digest, isRead: false };
      case 'StatementRead':
        return { newest, parts: data.parts, digest: data.digest, isRead: true };
      default:
        throw new Error(`${this.name} holds ${type}`);
    }
  }
}

const otherwise = (): ReadOtherwise => new ReadOtherwise('the file was begun by another version of the service, which read it otherwise');

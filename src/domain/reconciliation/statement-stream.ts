import { asCreated } from '../../ledger/streams/create-record.js';
import { statementStream, type StatementFileEvent, type StatementLines, type StatementReceived } from '../../ledger/events/reconciliation.events.js';
import { foldNewest, type NewestEvent } from '../../ledger/streams/fold-stream.js';
import { newEvent } from '../../ledger/streams/new-event.js';
import { timestamp, type Timestamp } from '../../ledger/time.js';
import { StoreUnavailable } from '../../platform/event-store/event-store.js';
import { readAhead } from '../../platform/async/read-ahead.js';
import type { FileSummary } from './statements/checked-statement.js';
import { KeysDigest } from './statements/keys-digest.js';
import type { ReconciliationAct, ReconciliationDeps } from './sources.js';
import { partOf, type StatementPart } from './statements/statement-parts.js';
import type { StatementPeople } from './statements/statement-people.js';
import { unreachable } from '../../ledger/unreachable.js';

/** The log has lines that this build reads differently in the file. */
export class ReadOtherwise extends Error {
  override readonly name = 'ReadOtherwise';
}

type LinesEvent = Exclude<StatementFileEvent, { readonly type: 'StatementForgotten' | 'ProposalRefused' }>;
type LinesPart = Pick<StatementLines, 'part' | 'lines' | 'digest'>;
type NumberedPart = StatementPart & Pick<LinesPart, 'part'>;
type OfFile = Pick<StatementReceived, 'statement_id' | 'source' | 'sha256'>;

/** Parts of one append, because each append waits for the disk. An append has no room for more parts of the maximum size. */
const PARTS_TOGETHER = 3;

/** The progress of a file. */
interface Progress {
  readonly parts: number;
  /** Digest over the keys of all lines of those parts. */
  readonly digest: string;
  readonly isRead: boolean;
}

/** Each event of an import determines the progress; those of proposals do not change it. */
const progress = {
  initial: null,
  evolve: (before: Progress | null, { type, data }: StatementFileEvent): Progress | null => {
    switch (type) {
      case 'StatementReceived':
        return { parts: 0, digest: '', isRead: false };
      case 'StatementLines':
        return { parts: data.part + 1, digest: data.digest, isRead: false };
      case 'StatementRead':
        return { parts: data.parts, digest: data.digest, isRead: true };
      case 'StatementForgotten':
      case 'ProposalRefused':
        return before;
      default:
        return unreachable(type);
    }
  },
};
const isOfImport = ({ type }: { readonly type: string }): boolean => type !== 'StatementForgotten' && type !== 'ProposalRefused';

/**
 * The stream of one file: it was received, its parts, it was read. Each append names the event before it, so if several requests write, one is first
 * each time, and the others continue after it. They write the same content: stored parts are compared with their reading.
 */
export class StatementStream {
  private readonly name: string;
  private reachedTo: (Progress & { readonly newest: NewestEvent }) | undefined;

  constructor(
    private readonly deps: ReconciliationDeps & { readonly people: Pick<StatementPeople, 'put'> },
    private readonly file: OfFile,
    private readonly act: ReconciliationAct,
  ) {
    this.name = statementStream(file.source, file.sha256);
  }

  /** The newest event. */
  get place(): NewestEvent {
    return this.reached.newest;
  }

  /** Returns the data with which the file was received; undefined when it was not. @throws StoreUnavailable */
  async load(): Promise<StatementReceived | undefined> {
    const [first] = await this.deps.store.read(this.name, { limit: 1 });
    if (!first) return undefined;
    await this.reload();
    return asCreated(first, 'StatementReceived').data;
  }

  /** Appends the receipt, once for all requests that import the file. @throws ReadOtherwise when another request has begun it otherwise */
  async receive(about: Pick<StatementReceived, 'size' | 'lines' | 'settings' | 'batch' | 'received_on'>): Promise<void> {
    if (this.reachedTo) return;
    const { statement_id, source, sha256 } = this.file;
    const { person_id, key_id } = this.act.operator;
    const data = { merchant_id: null, statement_id, source, sha256, ...about, person_id, key_id };
    if (await this.append(() => [{ type: 'StatementReceived', data }])) return;
    const begun = await this.load();
    if (begun?.settings !== about.settings || begun.batch !== about.batch)
      throw new ReadOtherwise('another request began it with other settings or another batch');
  }

  /** Appends each missing part, after storing its personal data. @param parts as `partsOf` makes them @throws ReadOtherwise; the signal's reason */
  async write(parts: AsyncIterable<string>, { lines, sums, booked_from, booked_to }: FileSummary, signal: AbortSignal): Promise<void> {
    let last: LinesPart | undefined;
    for await (const together of readAhead(this.withStoredPeople(parts, signal))) {
      await this.writeParts(together);
      last = together.at(-1) ?? last;
    }
    const { part, digest } = last ?? { part: -1, digest: new KeysDigest().hex() };
    if (this.reached.parts !== part + 1) throw otherwise();
    const { statement_id, source } = this.file;
    const add = (now: Timestamp): LinesEvent[] => {
      const data = { merchant_id: null, statement_id, source, lines, parts: part + 1, digest, sums, booked_from, booked_to, read_on: now };
      return [{ type: 'StatementRead', data }];
    };
    while (!this.reached.isRead) if (!(await this.append(add))) await this.reload();
  }

  /** Yields the parts of each append, with their personal data stored. @throws the signal's reason */
  private async *withStoredPeople(texts: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<LinesPart[]> {
    let together: NumberedPart[] = [];
    let part = 0;
    for await (const text of texts) {
      signal.throwIfAborted();
      together.push({ part, ...partOf(text) });
      part += 1;
      if (together.length < PARTS_TOGETHER) continue;
      yield await this.storePeople(together);
      together = [];
    }
    yield await this.storePeople(together);
  }

  /** Returns the parts without the personal data, once that of the missing ones is stored. */
  private async storePeople(parts: readonly NumberedPart[]): Promise<LinesPart[]> {
    const missing = parts.filter(({ part }) => part >= this.reached.parts);
    await Promise.all(missing.map(({ part, people }) => this.deps.people.put(this.file.statement_id, part, people)));
    return parts.map(({ people: _, ...rest }) => rest);
  }

  /** Appends the missing parts. The stored ones must be equal to these. */
  private async writeParts(parts: readonly LinesPart[]): Promise<void> {
    const { statement_id, source } = this.file;
    for (;;) {
      const { parts: there, digest } = this.reached;
      const last = parts.find(({ part }) => part === there - 1);
      if (last && last.digest !== digest) throw otherwise();
      const missing = parts.filter(({ part }) => part >= there);
      if (missing.length === 0) return;
      const add = (): LinesEvent[] => missing.map((part) => ({ type: 'StatementLines', data: { merchant_id: null, statement_id, source, ...part } }));
      if (!(await this.append(add))) await this.reload();
    }
  }

  private get reached(): Progress & { readonly newest: NewestEvent } {
    if (!this.reachedTo) throw new Error(`${this.name} was not begun`);
    return this.reachedTo;
  }

  /** Appends all events; returns false when another request was first. @throws StoreUnavailable, OutcomeUnknown */
  private async append(add: (now: Timestamp) => LinesEvent[]): Promise<boolean> {
    const { store, clock } = this.deps;
    const now = timestamp(clock());
    const events = add(now);
    const stored = events.map((event) => newEvent(event, { ...this.act.context, now }));
    const result = await store.append(this.name, this.reachedTo?.newest ?? 'no-stream', stored);
    if (!result.ok) return false;
    const newest = { stream: this.name, id: stored.at(-1)!.id, revision: result.revision, position: result.position };
    this.reachedTo = { ...progress.evolve(null, events.at(-1)!)!, newest };
    return true;
  }

  private async reload(): Promise<void> {
    const { state, newest } = await foldNewest<Progress | null, StatementFileEvent>(this.deps.store, this.name, progress, isOfImport);
    if (!state || !newest) throw new StoreUnavailable(`${this.name} exists, but could not be read`);
    this.reachedTo = { ...state, newest };
  }
}

const otherwise = (): ReadOtherwise => new ReadOtherwise('another version of the service began the import, and read the file differently');

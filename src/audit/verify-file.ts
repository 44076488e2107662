import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { z } from 'zod';
import type { RecordedEvent } from '../platform/event-store/event-store.js';
import type { ChainProof } from './chain-proof.js';
import { leafOfTexts, misstatedField, type ChainedEvent, type ExportedEvent } from './leaf.js';
import { rootOfPath } from './merkle-tree.js';
import { Recount, type Verification } from './recount.js';

/** Checks what finance was given, on a machine that has nothing else: no database, no service, no key. */

const count = z.int().min(0);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const chainedEvent = z.object({
  position: count,
  stream: z.string(),
  revision: count,
  id: z.string(),
  type: z.string(),
  occurred_on: z.string(),
  merchant_id: z.string().nullable(),
  actor: z.string(),
  correlation_id: z.string(),
  causation_id: z.string(),
  data: z.looseObject({}),
  stored: z.object({ data: z.string(), metadata: z.string() }),
}) satisfies z.ZodType<ChainedEvent>;
const exportedEvent = chainedEvent.extend({ leaf_hash: hash.nullable() }) satisfies z.ZodType<ExportedEvent>;
const proof = z.object({
  event: chainedEvent,
  leaf_index: count,
  audit_path: z.array(hash).max(64),
  head: z.object({ position: count, events: count, hash, signature: z.string(), sealed_on: z.string() }),
}) satisfies z.ZodType<ChainProof>;

/** A proof has a few KB. */
const PROOF_BYTES_MAX = 4 * 1_048_576;
/** An event has 1 MiB at most; twice, with every character escaped. */
const LINE_LENGTH_MAX = 16 * 1_048_576;
const CHUNK_BYTES = 262_144;

/**
 * `file`: the NDJSON of `events export`, or the JSON of a proof. An export is read line by line, however long it is.
 * @param heads hashes that were kept, hex in lower case
 * @throws when the file cannot be read, or is neither.
 */
export async function verifyFile(
  file: string,
  heads: readonly string[],
  signal: AbortSignal,
): Promise<Verification & { met: ReadonlyMap<string, number> }> {
  const isProof = await proofIn(file);
  return isProof ? verifyProof(isProof, heads) : verifyExport(file, heads, signal);
}

async function verifyExport(
  file: string,
  heads: readonly string[],
  signal: AbortSignal,
): Promise<Verification & { met: ReadonlyMap<string, number> }> {
  const recount = new Recount(heads);
  let ordinal = 0;
  for await (const line of linesOf(file, signal)) {
    ordinal += 1;
    if (recount.isBroken) continue;
    const event = exportedEvent.safeParse(parsed(line)).data;
    if (!event && ordinal === 1) throw new Error(`${file} is neither an export of events (NDJSON) nor a proof`);
    const fault = event ? eventFault(event, ordinal) : `line ${ordinal} is no event of an export`;
    if (fault !== undefined) {
      recount.broken(ordinal, fault);
      continue;
    }
    recount.add(Buffer.from(leafHex(event!), 'hex'));
    recount.book(ordinal, stored(event!));
  }
  const covered = Math.max(0, ...recount.met.values());
  const result = recount.result({
    source: 'this export',
    events: ordinal,
    head: recount.tree.root().toString('hex'),
    unsealed: ordinal - covered,
  });
  return { ...result, met: recount.met };
}

function eventFault(event: ExportedEvent, ordinal: number): string | undefined {
  const misstated = misstatement(event, ordinal);
  if (misstated === 'position') return `event ${event.position} stands where event ${ordinal} should: the order was changed, or events are missing`;
  if (misstated !== null) return `event ${ordinal}, ${event.type} ${event.id}: "${misstated}" does not say what is stored`;
  if (event.leaf_hash !== null && leafHex(event) !== event.leaf_hash) return `event ${ordinal}, ${event.type} ${event.id}, is not what was sealed`;
  return undefined;
}

function verifyProof(
  { event, leaf_index, audit_path, head }: ChainProof,
  heads: readonly string[],
): Verification & { met: ReadonlyMap<string, number> } {
  const recount = new Recount([]);
  const position = leaf_index + 1;
  const path = audit_path.map((hex) => Buffer.from(hex, 'hex'));
  const misstated = misstatement(event, position);
  const root = rootOfPath(Buffer.from(leafHex(event), 'hex'), leaf_index, head.events, path)?.toString('hex');
  const other = heads.find((wanted) => wanted !== head.hash);
  if (misstated !== null) recount.broken(position, `event ${position}: "${misstated}" does not say what is stored`);
  else if (root !== head.hash) recount.broken(position, `event ${position}, ${event.type} ${event.id}, is not under the head of the proof`);
  else if (other !== undefined) recount.broken(position, `the proof is for the head ${head.hash}, not for ${other}`);
  else recount.book(position, stored(event));
  return { ...recount.result({ source: 'the proof', events: head.events, head: head.hash, unsealed: 0 }), met: new Map([[head.hash, head.events]]) };
}

function misstatement(event: ChainedEvent, ordinal: number): string | null {
  try {
    return misstatedField(event, ordinal);
  } catch {
    return 'stored';
  }
}

const leafHex = (event: ChainedEvent): string => leafOfTexts(event, event.stored).toString('hex');

/** Only called when the texts are JSON. */
function stored({ type, stored: { data, metadata } }: ChainedEvent): Pick<RecordedEvent, 'type' | 'data' | 'metadata'> {
  return { type, data: JSON.parse(data) as object, metadata: JSON.parse(metadata) as RecordedEvent['metadata'] };
}

/** Parted by line feeds alone: `readline` parts at U+2028 too, which JSON writes as it is. */
async function* linesOf(file: string, signal: AbortSignal): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, { signal, encoding: 'utf8', highWaterMark: CHUNK_BYTES }) as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    if (rest.length > LINE_LENGTH_MAX) throw new Error(`${file} is neither an export of events (NDJSON) nor a proof`);
    yield* lines;
  }
  if (rest !== '') yield rest;
}

async function proofIn(file: string): Promise<ChainProof | undefined> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    if (size > PROOF_BYTES_MAX) return undefined;
    return proof.safeParse(parsed(await handle.readFile('utf8'))).data;
  } finally {
    await handle.close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

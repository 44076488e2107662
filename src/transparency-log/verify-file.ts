import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { canonicalJson } from '../ledger/ids/canonical-json.js';
import { z } from 'zod';
import { readText, textChunks, textOf, UnreadableText } from '../platform/text/text-file.js';
import type { RecordedEvent } from '../platform/event-store/event-store.js';
import { hasSignedAdvice, type ChainHead } from './chain-keys.js';
import type { ChainConsistency, ChainProof } from './chain-proof.js';
import { leafOfTexts, misstatedField, type ChainedEvent, type ExportedEvent } from './leaf.js';
import { isAppended, rootOfPath, type TreeHead } from './merkle-tree.js';
import { Recount, type KeptHead, type KeptHeads, type Verification } from './recount.js';

/** Verifies files of finance on a separate machine: without database, service or key. */

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
const chainHead = z.object({ position: count, events: count, hash, signature: z.string(), sealed_on: z.string() }) satisfies z.ZodType<ChainHead>;
/** An integer of any size. */
const figure = z.union([z.int(), z.string().regex(/^-?\d+$/)]);
const path = z.array(hash).max(128);
const proof = z.object({ event: chainedEvent, leaf_index: count, audit_path: path, head: chainHead }) satisfies z.ZodType<ChainProof>;
const root = z.object({ events: count, hash });
const consistency = z.object({ first: root, second: root, consistency_path: path, head: chainHead }) satisfies z.ZodType<ChainConsistency>;

const advice = z.object({
  document: z.looseObject({
    payout_id: z.string(),
    position: count,
    settlements: z.array(z.looseObject({ used_here: figure })),
    amount: figure,
    not_covered: figure,
  }),
  digest: hash,
  public_key: hash,
  signature: z.string(),
});

export interface VerifiedAdvice {
  readonly payout_id: string;
  readonly position: number;
  readonly digest: string;
  /** The fault; null: none. */
  readonly fault: string | null;
}

/**
 * Verifies a remittance advice, regardless of the white space in its file, by the service's public key (hex), not by the key in the file.
 * @returns undefined when the file holds none. @throws when it cannot be read
 */
export async function verifyAdvice(file: string, publicKey: string): Promise<VerifiedAdvice | undefined> {
  const read = advice.safeParse(parsed(await readText(file))).data;
  if (!read) return undefined;
  const { document, digest, signature } = read;
  const { payout_id, position, settlements, amount, not_covered } = document;
  const used = settlements.reduce((sum, { used_here }) => sum + BigInt(used_here), BigInt(not_covered));
  const fault =
    createHash('sha256').update(canonicalJson(document)).digest('hex') !== digest
      ? 'the document is not the one that was signed'
      : !hasSignedAdvice(publicKey, { digest, position, signature })
        ? 'it was not signed by this key'
        : used !== BigInt(amount)
          ? `the settlements add up to ${used}, but the payout is ${amount}`
          : null;
  return { payout_id, position, digest, fault };
}

/** Parses a head that an auditor kept; undefined when the text is none. */
export const keptHead = (text: string): ChainHead | undefined => chainHead.safeParse(parsed(text)).data;

/** A proof has a few KB. */
const PROOF_BYTES_MAX = 4 * 1_048_576;
/** An event has 1 MiB at most; twice, with every character escaped. */
const LINE_LENGTH_MAX = 16 * 1_048_576;
const CHUNK_BYTES = 262_144;

/** Content of a verified file: the whole beginning of a log, one event of it, or the proof that it was only appended to. */
export type VerifiedContent =
  | { readonly kind: 'export' }
  | { readonly kind: 'event'; readonly position: number; readonly type: string; readonly id: string }
  | { readonly kind: 'consistency'; readonly first: KeptHead; readonly second: KeptHead };

export type VerifiedFile = Verification & { readonly met: ReadonlyMap<string, number>; readonly content: VerifiedContent };

/**
 * Verifies `file`: the NDJSON of `events export`, or the JSON of a proof, of an event or of consistency. An export of any length is read line by
 * line.
 * @throws when the file cannot be read, or is none of them.
 */
export async function verifyFile(file: string, kept: KeptHeads, signal: AbortSignal): Promise<VerifiedFile> {
  const { document, unreadable } = await documentIn(file);
  const ofEvent = proof.safeParse(document).data;
  const ofHeads = ofEvent ? undefined : consistency.safeParse(document).data;
  // A text that was altered by its encoding proves nothing, and is no sign of a change either.
  if ((ofEvent || ofHeads) && unreadable) throw unreadable;
  if (ofEvent) return verifyProof(ofEvent, kept);
  return ofHeads ? verifyConsistency(ofHeads, kept) : verifyExport(file, kept, signal);
}

async function verifyExport(file: string, kept: KeptHeads, signal: AbortSignal): Promise<VerifiedFile> {
  const recount = new Recount(kept);
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
  return { ...result, met: recount.met, content: { kind: 'export' } };
}

function eventFault(event: ExportedEvent, ordinal: number): string | undefined {
  const misstated = misstatement(event, ordinal);
  if (misstated === 'position') return `event ${event.position} is at the position of event ${ordinal}: the order was changed, or events are missing`;
  if (misstated !== null) return `event ${ordinal}, ${event.type} ${event.id}: "${misstated}" differs from the stored value`;
  if (event.leaf_hash !== null && leafHex(event) !== event.leaf_hash)
    return `event ${ordinal}, ${event.type} ${event.id}, differs from the sealed event`;
  return undefined;
}

/** Every kept head must be one of the two roots, and the path must lead from one to the other. */
function verifyConsistency({ first, second, consistency_path }: ChainConsistency, { hashes, from }: KeptHeads): VerifiedFile {
  const recount = new Recount({ hashes: [], from: [] });
  const tree = ({ events, hash }: KeptHead): TreeHead => ({ events, root: Buffer.from(hash, 'hex') });
  const known = [first, second];
  const foreign =
    from.find(({ events, hash }) => !known.some((each) => each.events === events && each.hash === hash))?.hash ??
    hashes.find((wanted) => !known.some((each) => each.hash === wanted));
  if (foreign !== undefined) recount.broken(first.events, `the proof is for the heads ${first.hash} and ${second.hash}, not for ${foreign}`);
  else if (
    !isAppended(
      tree(first),
      tree(second),
      consistency_path.map((hex) => Buffer.from(hex, 'hex')),
    )
  ) {
    const reason = `the first ${first.events} of ${second.events} events are not proven to be those under the head ${first.hash}`;
    recount.broken(first.events, reason);
  }
  const met = new Map(known.map(({ events, hash }) => [hash, events]));
  const result = recount.result({ source: 'the proof', events: second.events, head: second.hash, unsealed: 0 });
  return { ...result, met, content: { kind: 'consistency', first, second } };
}

function verifyProof({ event, leaf_index, audit_path, head }: ChainProof, { hashes, from }: KeptHeads): VerifiedFile {
  const recount = new Recount({ hashes: [], from: [] });
  const heads = [...hashes, ...from.map(({ hash }) => hash)];
  const position = leaf_index + 1;
  const siblings = audit_path.map((hex) => Buffer.from(hex, 'hex'));
  const misstated = misstatement(event, position);
  const root = rootOfPath(Buffer.from(leafHex(event), 'hex'), leaf_index, head.events, siblings)?.toString('hex');
  const other = heads.find((wanted) => wanted !== head.hash);
  if (misstated !== null) recount.broken(position, `event ${position}: "${misstated}" differs from the stored value`);
  else if (root !== head.hash) recount.broken(position, `event ${position}, ${event.type} ${event.id}, is not under the head of the proof`);
  else if (other !== undefined) recount.broken(position, `the proof is for the head ${head.hash}, not for ${other}`);
  else recount.book(position, stored(event));
  const result = recount.result({ source: 'the proof', events: head.events, head: head.hash, unsealed: 0 });
  return { ...result, met: new Map([[head.hash, head.events]]), content: { kind: 'event', position, type: event.type, id: event.id } };
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

/** Splits only at line feeds: `readline` also splits at U+2028, which JSON writes unescaped. */
async function* linesOf(file: string, signal: AbortSignal): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of textChunks(createReadStream(file, { signal, highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>, file)) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    if (rest.length > LINE_LENGTH_MAX) throw new Error(`${file} is neither an export of events (NDJSON) nor a proof`);
    yield* lines;
  }
  if (rest.trim() !== '') yield rest;
}

/** `unreadable` is set when the bytes are no text in a known encoding; for an export, the error names the line. */
async function documentIn(file: string): Promise<{ readonly document: unknown; readonly unreadable?: UnreadableText }> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    if (size > PROOF_BYTES_MAX) return { document: undefined };
    const bytes = await handle.readFile();
    try {
      return { document: parsed(textOf(bytes, file)) };
    } catch (error) {
      if (!(error instanceof UnreadableText)) throw error;
      return { document: parsed(bytes.toString('utf8')), unreadable: error };
    }
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

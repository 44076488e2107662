import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../../../src/ledger/ids/canonical-json.js';
import { timestamp } from '../../../src/ledger/time.js';
import type { RecordedEvent } from '../../../src/platform/event-store/event-store.js';
import { ChainSigner } from '../../../src/transparency-log/chain-keys.js';
import { chainedEvent, leafOf } from '../../../src/transparency-log/leaf.js';
import { auditPath, consistencyPath, foldPeaks, GrowingTree, type Subtree } from '../../../src/transparency-log/merkle-tree.js';
import { verifyAdvice, verifyFile } from '../../../src/transparency-log/verify-file.js';

/** The script of the page that verifies files, without its form. */
interface PageScript {
  checkProof(
    text: string,
    known: { readonly publicKey: string | null; readonly heads: readonly string[] },
  ): Promise<{ readonly kind: string; readonly fault: string | null; readonly isTrusted: boolean } | undefined>;
}

const SECRET = Buffer.alloc(32, 5);
const SEAL_KEY = Buffer.alloc(32, 7);
const signer = new ChainSigner(SECRET);
const { publicKeyHex } = signer.keys;
const OTHER_KEY = new ChainSigner(Buffer.alloc(32, 6)).keys.publicKeyHex;
const SEALED_ON = timestamp(Date.parse('2026-11-20T00:00:00Z'));

const GOLDEN = new URL('../../golden/', import.meta.url);
const templates = readdirSync(GOLDEN)
  .filter((file) => file.endsWith('.json'))
  .map((file) => (JSON.parse(readFileSync(new URL(file, GOLDEN), 'utf8')) as { event: Omit<RecordedEvent, 'position'> }).event);
/** One of each type of event, in the order of their files. */
const events = templates.map((template, n): RecordedEvent => ({ ...template, position: BigInt(n + 1) }));
const EVENTS = events.length;

const trees = [new GrowingTree().root()];
const subtrees = new Map<string, Buffer>();
const tree = new GrowingTree();
events.forEach((each, index) => {
  tree.append(leafOf(each, SEAL_KEY)).forEach((hash, level) => subtrees.set(`${level} ${Math.floor(index / 2 ** level)}`, hash));
  trees.push(tree.root());
});
const head = signer.sign(EVENTS, tree.root(), SEALED_ON);
const hexes = (path: readonly (readonly Subtree[])[]): string[] =>
  path.map((each) => foldPeaks(each.map(({ level, index }) => subtrees.get(`${level} ${index}`)!)).toString('hex'));

const proofOf = (leaf_index: number) => ({
  ...{ event: chainedEvent(events[leaf_index]!, leaf_index + 1, SEAL_KEY), leaf_index, audit_path: hexes(auditPath(leaf_index, EVENTS)), head },
});
const rootAt = (size: number) => ({ events: size, hash: trees[size]!.toString('hex') });
const growth = (first: number, second: number) => ({
  ...{ first: rootAt(first), second: rootAt(second), consistency_path: hexes(consistencyPath(first, second)), head },
});
const advice = (parts: readonly number[]) => {
  const settlements = parts.map((used_here, n) => ({ number: n + 1, used_here, lines: [{ code: 'CHG_É' }] }));
  const document = { payout_id: randomUUID(), position: 7, settlements, amount: parts.reduce((sum, part) => sum + part, 3), not_covered: 3 };
  const digest = createHash('sha256').update(canonicalJson(document)).digest('hex');
  return { document, digest, public_key: publicKeyHex, signature: signer.signAdvice(digest, 7).toString('base64') };
};

/** Alters one value of the document at `place`, which counts its values in order. */
function altered(document: unknown, place: number): unknown {
  let left = place;
  const alter = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      left -= 1;
      if (left === -1) return value.slice(1);
      return value.map(alter);
    }
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, alter(each)]));
    }
    left -= 1;
    if (left !== -1) return value;
    if (typeof value === 'number') return value + 1;
    if (typeof value !== 'string') return 0;
    const at = (place * 7) % (value.length || 1);
    return value.slice(0, at) + (value[at] === 'a' ? 'b' : 'a') + value.slice(at + 1);
  };
  return alter(document);
}

const PLACES = 60;

describe('the page that verifies files, and the command', () => {
  let folder: string;
  let page: PageScript;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chargebook-page-'));
    page = (await import(new URL('../../../src/app/front-page/assets/check-proof.js', import.meta.url).href)) as PageScript;
  });
  afterAll(() => rm(folder, { recursive: true }));

  const NOT_ONE = 'neither a proof nor an advice';

  async function commandOn(text: string, heads: readonly string[]): Promise<boolean | string> {
    const file = join(folder, 'file');
    await writeFile(file, text);
    const found =
      (await verifyAdvice(file, publicKeyHex)) ??
      (await verifyFile(file, { hashes: heads, from: [] }, new AbortController().signal).catch(() => undefined));
    return found ? found.fault === null : NOT_ONE;
  }

  async function pageOn(text: string, heads: readonly string[], publicKey: string | null): Promise<boolean | string> {
    const found = await page.checkProof(text, { publicKey, heads });
    return found ? found.fault === null : NOT_ONE;
  }

  /** The page and the command have the same verdict on the document, and on the document with one value altered. */
  async function agree(
    document: object,
    place: number,
    { heads, publicKey }: { readonly heads: readonly string[]; readonly publicKey: string | null },
  ) {
    const texts = [document, altered(document, place)].map((each) => JSON.stringify(each));
    const verdicts = await Promise.all(texts.map((text) => pageOn(text, heads, publicKey)));
    for (const [at, text] of texts.entries()) expect([text, verdicts[at]]).toEqual([text, await commandOn(text, heads)]);
    expect(verdicts[0]).toBe(true);
    return verdicts[1]!;
  }

  it('agree on proofs of events, on growth and on advices, whatever value is altered', async () => {
    const verdicts = new Set<boolean | string>();
    const index = fc.nat({ max: EVENTS - 1 });
    await fc.assert(
      fc.asyncProperty(index, index, fc.nat({ max: PLACES }), fc.array(fc.nat(), { maxLength: 5 }), async (one, another, place, parts) => {
        const [first, second] = [Math.min(one, another) + 1, Math.max(one, another) + 1];
        verdicts.add(await agree(proofOf(one), place, { heads: [head.hash], publicKey: null }));
        verdicts.add(await agree(growth(first, second), place, { heads: [rootAt(first).hash], publicKey: null }));
        verdicts.add(await agree(advice(parts), place, { heads: [], publicKey: publicKeyHex }));
      }),
      { seed: 20_261_128, numRuns: 200 },
    );
    expect(verdicts).toEqual(new Set([true, false, NOT_ONE]));
  }, 120_000);

  it('the page refuses a head that the key did not sign, and everything under a head other than the kept one', async () => {
    const proof = proofOf(4);
    const check = (document: object, publicKey: string | null, heads: string[] = []) =>
      page.checkProof(JSON.stringify(document), { publicKey, heads });
    expect(await check(proof, publicKeyHex)).toMatchObject({ kind: 'event', fault: null, isTrusted: true });
    for (const changed of [{ sealed_on: timestamp(0) }, { signature: signer.signAdvice(head.hash, 1).toString('base64') }, { signature: '?' }])
      expect(await check({ ...proof, head: { ...head, ...changed } }, publicKeyHex)).toMatchObject({ fault: 'The head was not signed by this key.' });
    expect(await check(proof, OTHER_KEY)).toMatchObject({ fault: 'The head was not signed by this key.' });
    expect((await check(proof, publicKeyHex, [rootAt(3).hash]))?.fault).toMatch(/^The proof is for the head /);
    expect((await check(growth(3, 9), null, [rootAt(4).hash]))?.fault).toMatch(/^The proof is for the heads /);
    expect(await check(advice([1]), OTHER_KEY)).toMatchObject({ fault: 'It was not signed by this key.' });
  });

  it('the page trusts nothing that only the file vouches for', async () => {
    const trusts = async (document: object, publicKey: string | null, ...heads: string[]) => {
      const found = await page.checkProof(JSON.stringify(document), { publicKey, heads });
      return [found!.fault, found!.isTrusted];
    };
    const [first, second] = [rootAt(3).hash, rootAt(9).hash];
    expect(await trusts(proofOf(0), null)).toEqual([null, false]);
    expect(await trusts(proofOf(0), null, head.hash)).toEqual([null, true]);
    // The signed head is the newest: it vouches for the second tree only where both are one.
    expect(await trusts(growth(3, 9), publicKeyHex, first)).toEqual([null, false]);
    expect(await trusts(growth(3, 9), null, first, second)).toEqual([null, true]);
    expect(await trusts(growth(3, EVENTS), publicKeyHex, first)).toEqual([null, true]);
    expect(await trusts(growth(3, EVENTS), publicKeyHex)).toEqual([null, false]);
    expect(await trusts(growth(3, EVENTS), null, first)).toEqual([null, false]);
    expect(await trusts(advice([5]), null)).toEqual([null, false]);
    expect(await trusts(advice([5]), publicKeyHex)).toEqual([null, true]);
  });

  it.each(['', '[]', 'null', '{}', '{"event":{},"leaf_index":0,"audit_path":[],"head":null}', '{"document":{"settlements":[null]}}', '{"first":1}'])(
    'the page takes %j for none of the files',
    async (text) => {
      expect(await page.checkProof(text, { publicKey: null, heads: [] })).toBeUndefined();
    },
  );
});

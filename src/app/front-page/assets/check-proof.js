// @ts-check
/*
 * Verifies files of finance by docs/audit.md, with nothing but a browser: an event, a growth of the log, or a remittance advice. It shares no code
 * with the service whose claims it checks. Every text of a file may be forged.
 */

/**
 * @typedef {object} Checked
 * @property {'event' | 'consistency' | 'advice'} kind
 * @property {string | null} fault the first one; null: none
 * @property {boolean} isTrusted true when the key or a kept head vouches for it; else anyone can have made the file
 * @property {readonly (readonly [name: string, value: string])[]} details
 * @property {unknown} content the event's data or the document
 */

/** @typedef {{ readonly events: number, readonly hash: string }} Root */
/** @typedef {Root & { readonly position: number, readonly signature: string, readonly sealed_on: string }} Head */

const HASH = /^[0-9a-f]{64}$/;
const SEAL = /^\[sealed [0-9a-f]{64}\]$/;
const ACCOUNT = ['bank_account_name', 'bank_account_number'];
/** @type {ReadonlyMap<string, readonly string[]>} */
const SEALED = new Map([
  ['PayoutRequested', ACCOUNT],
  ['PayoutRegistered', ACCOUNT],
  ['MerchantRegistered', ['email']],
  ['ApiKeyIssued', ['key_hash']],
  ['FinanceKeyIssued', ['key_hash']],
  ['OperatorKeyIssued', ['key_hash']],
  ['WebHookSet', ['sealed_key', 'former_keys']],
]);
const PATH_MAX = 128;

/**
 * @param {string} text content of the file
 * @param {{ readonly publicKey: string | null, readonly heads: readonly string[] }} known the service's key and hashes of kept heads, lower-case hex,
 *   not from the file
 * @returns {Promise<Checked | undefined>} undefined when the text is none of these files
 * @throws when the browser has no Ed25519
 */
export async function checkProof(text, known) {
  const document = parsed(text);
  if (isEventProof(document)) return checkEvent(document, known);
  if (isConsistency(document)) return checkConsistency(document, known);
  return isAdvice(document) ? checkAdvice(document, known) : undefined;
}

/** @returns {Promise<Checked>} */
async function checkEvent({ event, leaf_index, audit_path, head }, { publicKey, heads }) {
  const position = leaf_index + 1;
  const misstated = misstatedField(event, position);
  const other = heads.find((hash) => hash !== head.hash);
  const root = misstated === null ? await rootOfPath(await leafOf(event), leaf_index, head.events, audit_path.map(bytesOf)) : undefined;
  const isSigned = await hasSignedHead(publicKey, head);
  const fault =
    misstated !== null
      ? `Event ${position}: “${misstated}” differs from the stored value.`
      : root === undefined || hexOf(root) !== head.hash
        ? `Event ${position} is not under the head of the proof.`
        : other !== undefined
          ? `The proof is for the head ${head.hash}, not for ${other}.`
          : isSigned === false
            ? 'The head was not signed by this key.'
            : null;
  const details = /** @type {[string, string][]} */ ([
    ['Event', `${position}, ${event.type}`],
    ['Occurred', event.occurred_on],
    ['Stream', `${event.stream}, revision ${event.revision}`],
    ['Id', event.id],
    ['By', event.actor],
    ...headFacts(head),
  ]);
  return { kind: 'event', fault, isTrusted: isSigned === true || heads.length > 0, details, content: event.data };
}

/** @returns {Promise<Checked>} */
async function checkConsistency({ first, second, consistency_path, head }, { publicKey, heads }) {
  const foreign = heads.find((hash) => hash !== first.hash && hash !== second.hash);
  const isSigned = await hasSignedHead(publicKey, head);
  const isGrown = await isAppended(first, second, consistency_path.map(bytesOf));
  const fault =
    foreign !== undefined
      ? `The proof is for the heads ${first.hash} and ${second.hash}, not for ${foreign}.`
      : !isGrown
        ? `The first ${first.events} of ${second.events} events are not proven to be those under the first head.`
        : isSigned === false
          ? 'The head was not signed by this key.'
          : null;
  // The signed head is the newest one, which the second need not be.
  const isSecondKnown = heads.includes(second.hash) || (isSigned === true && head.hash === second.hash && head.events === second.events);
  const details = /** @type {[string, string][]} */ ([
    ['First', `${first.events} events, ${first.hash}`],
    ['Second', `${second.events} events, ${second.hash}`],
    ...headFacts(head),
  ]);
  return { kind: 'consistency', fault, isTrusted: isSecondKnown && heads.includes(first.hash), details, content: null };
}

/** @returns {Promise<Checked>} */
async function checkAdvice({ document, digest, signature }, { publicKey }) {
  const used = document.settlements.reduce((sum, { used_here }) => sum + BigInt(used_here), BigInt(document.not_covered));
  const lines = `chargebook remittance advice 1\n${digest}\n${document.position}\n`;
  const isSigned = publicKey === null ? null : await hasSigned(publicKey, lines, signature);
  const fault =
    hexOf(await sha256(bytesIn(canonicalJson(document)))) !== digest
      ? 'The document is not the one that was signed.'
      : isSigned === false
        ? 'It was not signed by this key.'
        : used !== BigInt(document.amount)
          ? `The settlements add up to ${used}, but the payout is ${document.amount}.`
          : null;
  const details = /** @type {[string, string][]} */ ([
    ['Payout', document.payout_id],
    ['Event that paid', String(document.position)],
    ['Digest', digest],
  ]);
  return { kind: 'advice', fault, isTrusted: isSigned === true, details, content: document };
}

/** @param {Head} head */
const headFacts = ({ events, hash, sealed_on }) => [
  ['Head', `${events} events, ${hash}`],
  ['Head sealed', sealed_on],
];

/** Returns the name of the first field that contradicts the stored texts; null when none does. */
function misstatedField(event, position) {
  const [data, metadata] = [parsed(event.stored.data), parsed(event.stored.metadata)];
  if (!isObject(data) || !isObject(metadata)) return 'stored';
  const sealed = SEALED.get(event.type) ?? [];
  const isSeal = (name, value) => sealed.includes(name) && typeof value === 'string' && SEAL.test(value);
  const opened = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, isSeal(name, value) ? '[sealed]' : value]));
  const { merchant_id, occurred_on, actor, $correlationId: correlation_id, $causationId: causation_id } = metadata;
  const truth = { position, merchant_id, occurred_on, actor, correlation_id, causation_id, data: opened };
  const wrong = Object.entries(truth).find(([name, value]) => JSON.stringify(event[name]) !== JSON.stringify(value));
  return wrong ? wrong[0] : null;
}

async function leafOf({ stream, revision, id, type, stored }) {
  const fields = ['chargebook event 1', stream, String(revision), id, type, stored.data, stored.metadata].map(bytesIn);
  return sha256(Uint8Array.of(0), ...fields.flatMap((field) => [lengthOf(field), field]));
}

/** Four bytes, big-endian. */
function lengthOf(field) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, field.length);
  return bytes;
}

const nodeOf = (left, right) => sha256(Uint8Array.of(1), left, right);
const half = (value) => Math.floor(value / 2);

/** RFC 9162, 2.1.3.2; undefined when the path has the wrong length for this tree. */
async function rootOfPath(leaf, index, size, path) {
  if (index >= size) return undefined;
  let [node, last, root] = [index, size - 1, leaf];
  for (const sibling of path) {
    if (last === 0) return undefined;
    if (node % 2 === 1 || node === last) {
      root = await nodeOf(sibling, root);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      root = await nodeOf(root, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 ? root : undefined;
}

/**
 * RFC 9162, 2.1.4.2.
 * @param {Root} first
 * @param {Root} second
 */
async function isAppended(first, second, path) {
  if (first.events < 1 || first.events > second.events) return false;
  if (first.events === second.events) return path.length === 0 && first.hash === second.hash;
  let [node, last] = [first.events - 1, second.events - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  // A first tree that is a complete subtree is itself the start of the path.
  const [begin, ...rest] = node === 0 ? [bytesOf(first.hash), ...path] : path;
  if (begin === undefined) return false;
  let [firstRoot, secondRoot] = [begin, begin];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      [firstRoot, secondRoot] = [await nodeOf(sibling, firstRoot), await nodeOf(sibling, secondRoot)];
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      secondRoot = await nodeOf(secondRoot, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && hexOf(firstRoot) === first.hash && hexOf(secondRoot) === second.hash;
}

/**
 * @param {string | null} publicKey
 * @param {Head} head
 * @returns {Promise<boolean | null>} null without a key
 */
async function hasSignedHead(publicKey, { events, hash, sealed_on, signature }) {
  return publicKey === null ? null : hasSigned(publicKey, `chargebook chain head 1\n${events}\n${hash}\n${sealed_on}\n`, signature);
}

async function hasSigned(publicKey, text, signature) {
  const key = await crypto.subtle.importKey('raw', bytesOf(publicKey), 'Ed25519', false, ['verify']);
  let bytes;
  try {
    bytes = Uint8Array.from(atob(signature), (each) => each.charCodeAt(0));
  } catch {
    return false;
  }
  return crypto.subtle.verify('Ed25519', key, bytes, bytesIn(text));
}

/** RFC 8785. */
function canonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`).join(',')}}`;
}

async function sha256(...parts) {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

const bytesIn = (text) => new TextEncoder().encode(text);
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @returns {any} undefined for a text that is no JSON */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isHash = (value) => typeof value === 'string' && HASH.test(value);
const isPath = (value) => Array.isArray(value) && value.length <= PATH_MAX && value.every(isHash);
const isRoot = (value) => isObject(value) && isCount(value.events) && isHash(value.hash);
const isHead = (value) => isRoot(value) && isCount(value.position) && areTexts(value, ['signature', 'sealed_on']);
/** An integer of any size. */
const isFigure = (value) => Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value));
const areTexts = (value, names) => names.every((name) => typeof value[name] === 'string');
const EVENT_TEXTS = ['stream', 'id', 'type', 'occurred_on', 'actor', 'correlation_id', 'causation_id'];

const isEvent = (value) =>
  isObject(value) &&
  isCount(value.position) &&
  isCount(value.revision) &&
  areTexts(value, EVENT_TEXTS) &&
  (value.merchant_id === null || typeof value.merchant_id === 'string') &&
  isObject(value.data) &&
  isObject(value.stored) &&
  areTexts(value.stored, ['data', 'metadata']);

const isEventProof = (value) =>
  isObject(value) && isEvent(value.event) && isCount(value.leaf_index) && isPath(value.audit_path) && isHead(value.head);

const isConsistency = (value) =>
  isObject(value) && isRoot(value.first) && isRoot(value.second) && isPath(value.consistency_path) && isHead(value.head);

const isAdvice = (value) =>
  isObject(value) && isHash(value.digest) && isHash(value.public_key) && typeof value.signature === 'string' && isDocument(value.document);

const isDocument = (value) =>
  isObject(value) &&
  typeof value.payout_id === 'string' &&
  isCount(value.position) &&
  isFigure(value.amount) &&
  isFigure(value.not_covered) &&
  Array.isArray(value.settlements) &&
  value.settlements.every((each) => isObject(each) && isFigure(each.used_here));

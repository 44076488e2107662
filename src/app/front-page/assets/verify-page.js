// @ts-check
/* The form of the page that verifies files. It adds texts to the page, never markup: a file may be forged. */
import { checkProof } from './check-proof.js';

/** A proof has a few KB; an advice has the lines of its settlements. */
const FILE_BYTES_MAX = 16 * 1_048_576;

const KINDS = {
  event: ['The event is in the log as it was sealed.', 'The event agrees with the head in the file.'],
  consistency: ['The log only grew between the two heads.', 'The two heads in the file agree.'],
  advice: ['The remittance advice is as it was signed, and its settlements add up to its amount.', 'The document agrees with its digest.'],
};
const UNPROVEN = 'This proves nothing yet: anyone can make such a file. Enter the public key or a head that you kept.';

/** @param {string} id @returns {any} */
const byId = (id) => document.getElementById(id);

/**
 * @param {string} tone
 * @param {string} words
 * @param {...Node} more
 */
function show(tone, words, ...more) {
  const verdict = element('p', words);
  verdict.className = `verdict ${tone}`;
  byId('result').replaceChildren(verdict, ...more);
}

/** @param {string} name @param {string} text */
function element(name, text) {
  const node = document.createElement(name);
  node.textContent = text;
  return node;
}

/** Characters that change the direction of the text around them are shown as their escapes. */
const plain = (/** @type {string} */ text) =>
  text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (each) => `\\u${each.charCodeAt(0).toString(16)}`);

/** Returns the text of a file in UTF-8, or in UTF-16 as some shells write it. */
async function textOf(/** @type {File} */ file) {
  if (file.size > FILE_BYTES_MAX) throw new Error('The file is too large for a proof or a remittance advice.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Error('The file is no text.');
  }
}

async function check() {
  const key = byId('key').value.trim().toLowerCase();
  const heads = byId('heads').value.toLowerCase().split(/\s+/).filter(Boolean);
  const hash = /^[0-9a-f]{64}$/;
  if (key !== '' && !hash.test(key)) return show('bad', 'The public key is 64 hexadecimal digits, as “audit key” prints it.');
  if (heads.some((/** @type {string} */ each) => !hash.test(each))) return show('bad', 'A head is the 64 hexadecimal digits of its hash.');
  const checked = await checkProof(byId('text').value, { publicKey: key === '' ? null : key, heads });
  if (!checked) return show('bad', 'This is neither a proof nor a remittance advice.');
  const { kind, fault, isTrusted, details, content } = checked;
  const list = document.createElement('dl');
  for (const [name, value] of details) list.append(element('dt', name), element('dd', plain(value)));
  const parts = [list];
  if (content !== null)
    parts.push(element('h2', 'Content, amounts in the smallest unit of their currency'), element('pre', plain(JSON.stringify(content, null, 2))));
  parts.at(-1)?.setAttribute('tabindex', '0');
  const [proven, agrees] = KINDS[kind];
  if (fault !== null) show('bad', fault);
  else if (isTrusted) show('good', proven ?? '', ...parts);
  else show('warn', `${agrees} ${UNPROVEN}`, ...parts);
}

const run = (/** @type {() => Promise<void>} */ work) =>
  work().catch((error) =>
    show('bad', error.name === 'NotSupportedError' ? 'This browser has no Ed25519: use a newer one, or the command line.' : error.message),
  );

if (globalThis.crypto?.subtle === undefined) {
  show('bad', 'Browsers check signatures only on pages of https and in saved files: save this page, and open the file.');
} else {
  byId('form').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    void run(check);
  });
  byId('file').addEventListener('change', () =>
    run(async () => {
      const [file] = byId('file').files;
      if (!file) return;
      byId('text').value = await textOf(file);
      await check();
    }),
  );
}

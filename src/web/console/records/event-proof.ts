import type { ChainProof } from '../../../transparency-log/chain-proof.js';
import { leafOfTexts } from '../../../transparency-log/leaf.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { Links } from '../shared/links.js';
import { code, details, time } from '../shared/components.js';

/** The event as proven just now; not sealed yet; or the fault of an event that differs from the sealed one. */
export type EventProof = ChainProof | { readonly fault: string } | undefined;

/** Whether the event is sealed, its proof as a file, and the command that checks the file without the service. */
export function eventProof(links: Links, position: number, proof: EventProof): Html {
  return html`<section aria-labelledby="proof">
    <h2 id="proof">Proof</h2>
    ${proofContent(links, position, proof)}
  </section>`;
}

function proofContent(links: Links, position: number, proof: EventProof): Html {
  if (proof === undefined) return html`<p class="alert warn">Not sealed yet: a worker seals every event within a second.</p>`;
  if ('fault' in proof)
    return html`<p class="alert bad" role="alert">
      <strong>Not as it was sealed.</strong> ${proof.fault}: it reads the whole log and names every place.
    </p>`;
  const { event, leaf_index, audit_path, head } = proof;
  const file = proofFile(position);
  return html`<p class="alert good">
      <strong>Sealed.</strong> Read from the log just now, hashed, and found under the signed head of ${head.events} events.
    </p>
    ${details([
      ['Leaf', `${leaf_index}, counted from 0`],
      ['Hash of the leaf', code(leafOfTexts(event, event.stored).toString('hex'))],
      ['Hashes from the leaf up to the head', audit_path.length],
      ['Head: hash', code(head.hash)],
      ['Head sealed (UTC)', time(head.sealed_on)],
    ])}
    <p><a href="${links.event(position)}/proof.json" download="${file}">Download the proof</a></p>
    <p class="hint">
      The file and the head can be checked on any machine, without this service:
      <code>chargebook audit verify --offline ${file} --head ${head.hash}</code>. Without a command line, <a href="${links.service}/verify">a page</a>
      checks it in the browser, also offline.
    </p>`;
}

export const proofFile = (position: number): string => `proof-of-event-${position}.json`;

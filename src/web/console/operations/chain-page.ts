import type { ChainHead } from '../../../transparency-log/chain-keys.js';
import { TRANSPARENCY_LOG_LATE_SECONDS, type TransparencyLogState } from '../../../transparency-log/transparency-log-watch.js';
import type { NewestVerification } from '../../../transparency-log/verify-newest.js';
import { html, type Html } from '../../../platform/html/html.js';
import type { Links } from '../shared/links.js';
import { code, details, duration, time } from '../shared/components.js';

export interface ChainPageOptions {
  /** Newest head; undefined before the first event is sealed. */
  readonly head: ChainHead | undefined;
  /** Number of events that the service knows. */
  readonly events: number;
  readonly transparencyLog: TransparencyLogState;
  /** Public key in hex. */
  readonly publicKey: string;
  readonly verified: NewestVerification | undefined;
}

/** Warns when the oldest unsealed event is older than it ever is while sealing works. */
export function transparencyLogWarning({ unsealed_events, oldest_unsealed_seconds: seconds, stopped_at }: TransparencyLogState): Html | false {
  if (seconds <= TRANSPARENCY_LOG_LATE_SECONDS) return false;
  return html`<p class="alert bad" role="alert">
    <strong>Sealing of the log has stopped.</strong> ${unsealed_events} ${unsealed_events === 1 ? 'event is' : 'events are'} not sealed, the oldest
    for ${duration(seconds)}; a worker seals every event within a second. Until it does again, changes of these events leave no trace.
    ${stopped_at && `Event ${stopped_at.position} is of the type ${stopped_at.type}, which this build does not know: a newer one can seal it.`}
  </p>`;
}

export function chainPage(links: Links, { head, events, transparencyLog, publicKey, verified }: ChainPageOptions): Html {
  if (!head)
    return html`${transparencyLogWarning(transparencyLog)}
      <p class="empty">Nothing is sealed yet. A worker seals every event within a second.</p>`;
  const lag = Math.max(0, events - head.events);
  return html`${transparencyLogWarning(transparencyLog)}
    <p class="lead">
      Every event is sealed into a Merkle tree (RFC 9162) over the stored bytes. Keep the head: it proves later that no event sealed so far has
      changed.
    </p>
    ${verified && verdict(verified)}
    <section aria-labelledby="head">
      <h2 id="head">Head</h2>
      ${details([
        ['Events sealed', head.events],
        ['Not sealed yet', lag === 0 ? 'none' : lag],
        ['Oldest of these', lag === 0 ? '–' : duration(transparencyLog.oldest_unsealed_seconds)],
        ['Sealed (UTC)', time(head.sealed_on)],
        ['Newest event', html`<a href="${links.event(head.events)}">Event ${head.events}</a>`],
        ['Hash', code(head.hash)],
        ['Signature (Ed25519)', code(head.signature)],
        ['Public key', code(publicKey)],
      ])}
    </section>
    <form method="post" action="${links.to('chain/verify')}">
      <button class="primary">Verify</button>
    </form>
    <p class="hint">
      This checks the head, the newest 1,000 events and some older ones, in about two seconds. To read the whole log again:
      <code>chargebook audit verify --head ${head.hash.slice(0, 12)}…</code>
    </p>`;
}

function verdict({ head, newest: [first, last], older, fault }: NewestVerification): Html {
  if (fault !== null) {
    return html`<p class="alert bad" role="alert">
      <strong>Not as it was sealed.</strong> ${fault} Run <code>audit verify</code>: it reads the whole log and names every place.
    </p>`;
  }
  const rest = first - 1 - new Set(older).size;
  return html`<div class="alert good" role="status">
    <p><strong>As it was sealed.</strong> Verified just now, against the head over ${head.events} events:</p>
    <ul>
      <li>The service’s signature of the head.</li>
      <li>
        Events ${first} to ${last}: read from the log again and hashed; with the stored hashes of all events before them they give the head’s hash,
        and the stored hashes above them are right.
      </li>
      <li>
        ${
          older.length === 0
            ? 'There are no older events.'
            : html`${older.length} older events, picked at random, each read from the log and proven to be under the head: ${older.join(', ')}.`
        }
      </li>
    </ul>
    ${rest > 0 && html`<p>Not read again: ${rest} other events. <code>audit verify</code> reads them all.</p>`}
  </div>`;
}

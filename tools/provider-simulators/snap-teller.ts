import { randomUUID } from 'node:crypto';
import { pause } from '../../src/platform/async/waiting.js';
import type { SnapProfile } from '../../src/rails/snap/profiles.js';
import { Courier } from './courier.js';
import type { Draws } from './faults.js';
import type { SnapAccess } from './snap-access.js';
import type { QrCode, SnapBook } from './snap-book.js';
import { paymentNotification } from './snap-words.js';

/** The client's token is renewed before it expires. */
const TOKEN_KEPT_MS = 600_000;
/** Tries for a token from a client that returns none. */
const TRIES = 5;
const RETRY_MS = 500;
const OLD_MS = 10 * 60_000;

export interface SnapTellerOptions {
  /** `…/notifications` of the rail: its token route is beside it. */
  readonly callbackUrl: string;
  readonly lateMs: number;
  /** Deviation of a wrong amount, minor units. */
  readonly wrongBy: number;
}

/** Notifies the client of payments, signed by the profile's method, and with the selected faults. */
export class SnapTeller {
  readonly #courier: Courier;
  readonly #closed = new AbortController();
  #token: { readonly value: string; readonly until: number } | undefined;

  constructor(
    private readonly profile: SnapProfile,
    private readonly access: SnapAccess,
    private readonly book: SnapBook,
    private readonly draws: Draws,
    private readonly options: SnapTellerOptions,
  ) {
    const { callbackUrl, lateMs } = options;
    this.#courier = new Courier({ url: callbackUrl, lateMs, retryMs: RETRY_MS }, draws);
  }

  close(): void {
    this.#closed.abort();
    this.#courier.close();
  }

  /** Draws at once, in the order of events, so that later deliveries depend on no timing. */
  tellPaid(code: QrCode): void {
    const wrongBy = this.draws.happens('wrong-amount') ? this.options.wrongBy : 0;
    const told = paymentNotification(code, code.payment!, code.payment!.amount + wrongBy);
    const forged = this.draws.happens('forge') ? this.#forged() : undefined;
    const [isAlsoOld, isAlsoUnsigned] = [this.draws.happens('old-timestamp'), this.draws.happens('bad-signature')];
    void this.#send(async () => {
      const token = await this.#tokenOfClient();
      if (isAlsoOld) this.#post(told, token, Date.now() - OLD_MS);
      if (isAlsoUnsigned) this.#post(told, token, Date.now(), true);
      this.#post(told, token, Date.now());
      if (forged) this.#post(forged, token, Date.now());
    });
  }

  /** Correctly signed, but reports an unpaid code as paid. */
  #forged(): object | undefined {
    const unpaid = [...this.book.codes.values()].filter(({ payment }) => payment === null);
    const code = unpaid[this.draws.below(Math.max(1, unpaid.length))];
    return code && paymentNotification(code, { reference: randomUUID() }, code.amount);
  }

  #post(body: object, token: string | null, at: number, isTampered = false): void {
    const path = this.profile.paths['52'];
    if (path === undefined) return;
    const text = JSON.stringify(body);
    const headers = this.access.notificationHeaders(path, isTampered ? `${text} false` : text, token, at);
    this.#courier.send({ path, headers, body: text });
  }

  async #send(action: () => Promise<void>): Promise<void> {
    for (let attempt = 1; attempt <= TRIES && !this.#closed.signal.aborted; attempt += 1) {
      try {
        return await action();
      } catch {
        await pause(RETRY_MS * attempt, this.#closed.signal);
      }
    }
  }

  /** null for notifications without a token. @throws when the client returns none */
  async #tokenOfClient(): Promise<string | null> {
    if (this.profile.notify === 'asymmetric') return null;
    if (this.#token && Date.now() < this.#token.until) return this.#token.value;
    const url = this.options.callbackUrl.replace(/\/notifications$/, '/access-token/b2b');
    const body = JSON.stringify({ grantType: 'client_credentials' });
    const answer = await fetch(url, { method: 'POST', headers: this.access.tokenHeaders(Date.now()), body, signal: this.#closed.signal });
    const { accessToken } = (await answer.json()) as { accessToken?: unknown };
    if (!answer.ok || typeof accessToken !== 'string') throw new Error(`no access token: ${answer.status}`);
    this.#token = { value: accessToken, until: Date.now() + TOKEN_KEPT_MS };
    return accessToken;
  }
}

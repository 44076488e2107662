import type { Service, SnapProfile } from '../../src/rails/snap/profiles.js';
import { snapProfile } from '../../src/rails/snap/profiles.js';
import { TOKEN_REQUEST, withOddKeys, withoutDecimals } from './snap-words.js';
import { readFields } from '../../src/rails/snap/answer.js';
import {
  SimulatorClock,
  SimulatorServer,
  type SimulatedAnswer,
  type SimulatedProvider,
  type SimulatedRequest,
  type SimulatorServerOptions,
} from './simulator-server.js';
import { Draws } from './faults.js';
import { SnapAccess, type SnapAgreement } from './snap-access.js';
import { SnapBook, type QrCode, type Transfer } from './snap-book.js';
import { SnapServices, type Said } from './snap-services.js';
import { SnapTeller } from './snap-teller.js';

export interface SnapSimulatorOptions extends SimulatorServerOptions {
  /** One of SNAP_PROFILE_NAMES: the bank's memory, signatures and paths are those of the profile. */
  readonly profile: string;
  readonly agreement: SnapAgreement;
  /** `…/notifications` of the rail; null: no notifications are sent. */
  readonly callbackUrl: string | null;
  /** Maximum requests of one service per second; further ones are answered 429. */
  readonly perSecond: number;
  /** Delay of a late notification; ms. */
  readonly lateMs: number;
  /** Time after which a transfer is paid by itself, ms; null: /control/settle decides. */
  readonly settlesAfterMs: number | null;
  /** Holder of every account that /control/holders does not name. */
  readonly holder: string;
}

type Given = Readonly<Record<string, unknown>>;

const SECOND_MS = 1_000;
const DUE_EVERY_MS = 250;
/** Initial balance of the house account, minor units: Rp 100 billion. */
const BALANCE = 10_000_000_000_000;
/** Rp 100. */
const WRONG_BY = 10_000;
const TOKEN_SERVICE = '73';

const MESSAGES: Readonly<Record<string, string>> = {
  '20000': 'Successful',
  '40000': 'Bad Request',
  '40001': 'Invalid Field Format',
  '40002': 'Invalid Mandatory Field',
  '40100': 'Unauthorized. [Signature]',
  '40101': 'Invalid Token (B2B)',
  '40306': 'Feature Not Allowed At This Time. [Reason]',
  '40314': 'Insufficient Funds',
  '40315': 'Transaction not permitted',
  '40401': 'Transaction Not Found',
  '40411': 'Invalid Account',
  '40413': 'Invalid Amount',
  '40418': 'Inconsistent Request',
  '40900': 'Conflict',
  '40901': 'Duplicate partnerReferenceNo',
  '42900': 'Too Many Requests',
  '50000': 'General Error',
  '50400': 'Timeout',
};

/** A simulated bank of SNAP: stateful, on this machine, with the selected faults. */
export class SnapSimulator implements SimulatedProvider {
  readonly control: SimulatedProvider['control'];
  readonly #profile: SnapProfile;
  readonly #services: ReadonlyMap<string, Service>;
  /** The bank's business clock; signatures go by the real one. */
  readonly #clock = new SimulatorClock();
  readonly #book: SnapBook;
  readonly #access: SnapAccess;
  readonly #counter: SnapServices;
  readonly #teller: SnapTeller | undefined;
  readonly #holders = new Map<string, string>();
  readonly #due: NodeJS.Timeout;
  #server: SimulatorServer;
  #second = { from: 0, calls: new Map<string, number>() };

  private constructor(
    private readonly options: SnapSimulatorOptions,
    private readonly draws: Draws,
  ) {
    const profile = snapProfile(options.profile);
    if (!profile) throw new RangeError(`unknown SNAP profile: ${options.profile}`);
    const { lateMs, callbackUrl, agreement, settlesAfterMs } = options;
    this.#profile = profile;
    this.#services = new Map(Object.entries(profile.paths).map(([service, path]) => [path, service as Service]));
    this.#book = new SnapBook(profile, this.#clock.now, settlesAfterMs, BALANCE);
    this.#access = new SnapAccess(profile, agreement);
    const holder = (account: string): string => this.#holders.get(account) ?? options.holder;
    this.#counter = new SnapServices(profile, this.#book, this.#clock.now, draws, { holder, wrongBy: WRONG_BY });
    if (callbackUrl !== null) this.#teller = new SnapTeller(profile, this.#access, this.#book, draws, { callbackUrl, lateMs, wrongBy: WRONG_BY });
    this.control = {
      pay: (given) => this.#pay(given),
      settle: (given) => this.#settle(given),
      holders: (given) => this.#setHolders(given),
      clock: (given) => this.#clock.control(given, () => this.#doDue()),
      truth: () => this.#truth(),
    };
    this.#due = setInterval(() => this.#doDue(), DUE_EVERY_MS);
  }

  /** @throws RangeError when there is no such profile */
  static async listen(options: SnapSimulatorOptions): Promise<SnapSimulator> {
    const draws = new Draws(options.seed, options.faults);
    const simulator = new SnapSimulator(options, draws);
    simulator.#server = await SimulatorServer.listen(simulator, draws, options);
    return simulator;
  }

  get url(): string {
    return this.#server.url;
  }

  async close(): Promise<void> {
    clearInterval(this.#due);
    this.#teller?.close();
    await this.#server.close();
  }

  handle(request: SimulatedRequest): SimulatedAnswer {
    if (request.method !== 'POST') return { status: 404, body: {} };
    if (request.path === this.#profile.token_path) return this.#grant(request);
    const service = this.#services.get(request.path);
    if (service === undefined) return { status: 404, body: {} };
    if (this.#isTooMany(service)) return this.tooMany(request);
    const refusal = this.#access.refusal(request, this.draws.happens('token-dies'));
    if (refusal !== undefined) return this.#answer(service, refusal);
    const externalId = String(request.headers['x-external-id']);
    if (!this.#book.takeExternalId(externalId)) return this.#answer(service, [409, '00']);
    return this.#answer(service, this.#counter.serve(service, request.body, externalId));
  }

  tooMany(request: SimulatedRequest): SimulatedAnswer {
    return { ...this.#answer(this.#serviceOf(request), [429, '00']), headers: { 'Retry-After': '1' } };
  }

  failed(request: SimulatedRequest): SimulatedAnswer {
    return this.#answer(this.#serviceOf(request), this.draws.below(2) === 0 ? [500, '00'] : [504, '00']);
  }

  #serviceOf({ path }: SimulatedRequest): string {
    return this.#services.get(path) ?? TOKEN_SERVICE;
  }

  #grant(request: SimulatedRequest): SimulatedAnswer {
    if (!TOKEN_REQUEST.safeParse(readFields(request.body)).success) return this.#answer(TOKEN_SERVICE, [400, '02']);
    const accessToken = this.#access.grant(request);
    if (accessToken === undefined) return this.#answer(TOKEN_SERVICE, [401, '00']);
    return this.#answer(TOKEN_SERVICE, [200, '00', { accessToken, tokenType: 'Bearer', expiresIn: '900' }]);
  }

  #answer(service: string, [http, caseCode, fields]: Said): SimulatedAnswer {
    const responseCode = `${http}${service}${caseCode}`;
    const plain: unknown = { responseCode, responseMessage: MESSAGES[`${http}${caseCode}`] ?? 'General Error', ...fields };
    const counted = this.draws.happens('no-decimals') ? withoutDecimals(plain) : plain;
    return { status: http, body: this.draws.happens('odd-keys') ? withOddKeys(counted, this.draws) : counted };
  }

  #isTooMany(service: Service): boolean {
    const now = Date.now();
    if (now - this.#second.from >= SECOND_MS) this.#second = { from: now, calls: new Map() };
    const calls = (this.#second.calls.get(service) ?? 0) + 1;
    this.#second.calls.set(service, calls);
    return calls > this.options.perSecond;
  }

  /** Settles due transfers, and pays expired codes with the fault for that. */
  #doDue(): void {
    this.#book.settleDue();
    for (const code of this.#book.codes.values()) {
      if (code.is_overdue || code.payment || code.expires > this.#clock.now()) continue;
      code.is_overdue = true;
      if (this.draws.happens('paid-after-expired')) this.#paid(code, code.amount);
    }
  }

  /** Pays the newest unpaid code with this `reference`, whole or its beginning; `amount` in minor units, by default the requested one. */
  #pay({ reference, amount }: Given): unknown {
    if (typeof reference !== 'string') throw new Error('reference is of a QR code, or its beginning');
    const codes = [...this.#book.codes.values()].filter(({ partner_reference, payment }) => partner_reference.startsWith(reference) && !payment);
    const code = codes.at(-1);
    if (!code) throw new Error('there is no such code that is not paid');
    if (amount !== undefined && !(Number.isSafeInteger(amount) && Number(amount) > 0)) throw new Error('amount is of minor units');
    return this.#paid(code, amount === undefined ? code.amount : Number(amount));
  }

  #paid(code: QrCode, amount: number): unknown {
    const payment = this.#book.pay(code, amount);
    this.#teller?.tellPaid(code);
    return payment;
  }

  /** Settles transfers under way: all, or those of `reference`; `status` is paid, failed or returned. */
  #settle({ reference, status = 'paid' }: Given): unknown {
    if (status !== 'paid' && status !== 'failed' && status !== 'returned') throw new Error('status is paid, failed or returned');
    const from: readonly Transfer['status'][] = status === 'returned' ? ['paying', 'paid'] : ['paying'];
    const found = this.#book.transfers.filter(
      (each) => from.includes(each.status) && (reference === undefined || each.partner_reference === reference),
    );
    for (const transfer of found) this.#book.settle(transfer, status);
    return found;
  }

  /** Sets names by account number. */
  #setHolders(given: Given): unknown {
    for (const [account, name] of Object.entries(given)) this.#holders.set(account, String(name));
    return { holders: this.#holders.size };
  }

  /** Returns the true state for tests, in minor units. */
  #truth(): unknown {
    this.#book.settleDue();
    return { transfers: this.#book.transfers, codes: [...this.#book.codes.values()], balance: this.#book.balance };
  }
}

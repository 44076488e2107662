/**
 * A payout through a bank's API (decision 61): one payout, two workers, because an old leader may still run, and one bank. The bank
 * forgets external ids at midnight and partner references after a window, loses responses, executes late, and finds nothing while a
 * request is still on its way. Workers crash between any two steps and pause for any time. A tick of the clock is a fraction of a day.
 */
import { fails, holds, type Case, type Model, type Step } from './explorer.js';

const MIDNIGHT = 2;
/** Ticks after which a request has arrived or is lost, at a bank that is not late. */
const SETTLING = 2;
/** Ticks for which references and inquiries are good. */
const WINDOW = 4;
/** The bank's statement is final. */
const END = 6;
const LAST_TICK_OF_NEW_ATTEMPT = 3;
const ATTEMPTS_MAX = 2;

const RULES = {
  attemptFirst: 'PayoutAttempted is stored before the call',
  expectsRevision: 'PayoutAttempted expects the revision that was read',
  inquires: 'after an attempt the bank is only asked about it',
  settles: '"not found" counts only after the settling time',
  ageOfInquiry: '… as of the moment when the inquiry was sent',
  atOnce: 'a request leaves at once after its attempt was stored, or never',
  window: 'a second attempt is made only inside the window of references',
  sameReference: 'the second attempt has the reference of the first',
  profile: 'a second attempt is made only where the memory of the bank allows it',
  silenceIsUnknown: 'no response is an unknown outcome',
  duplicateIsUnknown: 'a duplicate is an unknown outcome',
  refusalOfOnlyAttempt: 'a refusal ends the payout only as the response to its only attempt',
  notFoundIsNoFailure: '"not found" never fails a payout',
  decidesInStream: 'the verdict is stored in transfer-<id> before the account records it',
  holds: 'a payout that no rule decides is held and reported',
  finalStatement: 'an operator decides from a final statement only',
} as const;
type Rule = keyof typeof RULES;

interface Options {
  readonly bank: { readonly isLate: boolean; readonly remembers: 'all' | 'paid' | 'nothing' };
  readonly workers?: number;
  readonly crashes?: number;
  readonly refuses?: boolean;
  /** The bank may reject a request for now, which closes the attempt. */
  readonly postpones?: boolean;
  readonly without?: Rule;
}

type Ending = 'SUCCEEDED' | 'FAILED';
type TransferEvent =
  | { readonly type: 'Attempted'; readonly attempt: number; readonly reference: number; readonly externalId: number; readonly tick: number }
  | { readonly type: 'Closed'; readonly attempt: number }
  | { readonly type: 'Decided'; readonly ending: Ending }
  | { readonly type: 'Held' };
type Attempt = TransferEvent & { readonly type: 'Attempted' };
interface Request {
  readonly reference: number;
  readonly externalId: number;
  readonly tick: number;
}
interface Payment {
  readonly reference: number;
  status: 'paying' | 'paid' | 'failed';
  readonly tick: number;
  isRemembered: boolean;
}
interface Worker {
  at: 'idle' | 'attempt' | 'send' | 'close' | 'inquire' | 'judge' | 'decide' | 'record' | 'hold';
  revision: number;
  attempt: number;
  reference: number;
  externalId: number;
  /** Ticks at which the attempt was stored and the bank was asked. */
  storedAt: number;
  inquiredAt: number;
  ending: Ending | '';
}
interface State {
  tick: number;
  readonly transfer: TransferEvent[];
  account: Ending | '';
  readonly network: Request[];
  externalIds: number[];
  readonly payments: Payment[];
  paid: number;
  crashes: number;
  readonly workers: Worker[];
}

const IDLE: Worker = { at: 'idle', revision: -1, attempt: 0, reference: 0, externalId: 0, storedAt: -1, inquiredAt: -1, ending: '' };
const rest = (worker: Worker): void => void Object.assign(worker, IDLE);
const attemptsOf = (events: readonly TransferEvent[]): Attempt[] => events.filter((event) => event.type === 'Attempted');
const openAttempts = (events: readonly TransferEvent[]): Attempt[] =>
  attemptsOf(events).filter(({ attempt }) => !events.some((event) => event.type === 'Closed' && event.attempt === attempt));
const isHeld = (events: readonly TransferEvent[]): boolean => events.some(({ type }) => type === 'Held');

function railModel({ bank, without, workers = 2, crashes = 1, refuses = true, postpones = false }: Options): Model<State> {
  const has = (rule: Rule): boolean => rule !== without;
  const mayPayAgain = !has('profile') || bank.remembers === 'all' || (bank.remembers === 'paid' && !bank.isLate);

  const isDuplicate = ({ externalIds, payments }: State, request: Request): boolean =>
    externalIds.includes(request.externalId) ||
    payments.some(
      ({ reference, status, isRemembered }) =>
        reference === request.reference && isRemembered && (bank.remembers === 'all' || (bank.remembers === 'paid' && status === 'paid')),
    );
  function arrive(next: State, request: Request): void {
    if (isDuplicate(next, request)) return;
    next.externalIds.push(request.externalId);
    next.payments.push({ reference: request.reference, status: 'paying', tick: next.tick, isRemembered: true });
  }
  const statusOf = ({ payments }: State, reference: number): Payment['status'] | 'not found' => {
    const known = payments.filter((payment) => payment.isRemembered && payment.reference === reference).map(({ status }) => status);
    return (['paid', 'paying', 'failed'] as const).find((status) => known.includes(status)) ?? 'not found';
  };
  /** Appends to the transfer's stream at the revision that the worker read. */
  function store({ transfer }: State, { revision }: Worker, event: TransferEvent): boolean {
    const isExpected = transfer.length - 1 === revision;
    if (isExpected) transfer.push(event);
    return isExpected;
  }

  function begin(worker: Worker, next: State): void {
    const open = openAttempts(next.transfer);
    const last = open.at(-1);
    const decided = next.transfer.find((event) => event.type === 'Decided');
    worker.revision = next.transfer.length - 1;
    if (last === undefined) return beginAttempt(worker, next);
    if (decided) return void Object.assign(worker, { at: 'record', ending: decided.ending });
    Object.assign(worker, { at: 'inquire', reference: last.reference, externalId: last.externalId, attempt: open.length });
    if (!has('inquires') && !isHeld(next.transfer)) Object.assign(worker, { at: 'send', storedAt: next.tick });
  }
  function beginAttempt(worker: Worker, next: State): void {
    const attempt = attemptsOf(next.transfer).length + 1;
    if (attempt > ATTEMPTS_MAX || (attempt > 1 && next.tick > LAST_TICK_OF_NEW_ATTEMPT)) {
      worker.at = has('holds') && !isHeld(next.transfer) ? 'hold' : 'idle';
      return;
    }
    const externalId = 10 * (next.workers.indexOf(worker) + 1) + attempt;
    Object.assign(worker, {
      at: has('attemptFirst') ? 'attempt' : 'send',
      attempt,
      reference: 1,
      externalId,
      storedAt: next.tick,
      inquiredAt: next.tick,
    });
  }
  function storeAttempt(worker: Worker, next: State): void {
    const { attempt, reference, externalId } = worker;
    if (has('atOnce') && worker.inquiredAt !== next.tick) return rest(worker);
    if (!has('expectsRevision')) worker.revision = next.transfer.length - 1;
    if (!store(next, worker, { type: 'Attempted', attempt, reference, externalId, tick: next.tick })) return rest(worker);
    Object.assign(worker, { at: 'send', revision: next.transfer.length - 1, storedAt: next.tick });
    if (!has('attemptFirst')) rest(worker);
  }

  function send(
    state: State,
    { reference, externalId, storedAt }: Worker,
    act: (label: string, change: (worker: Worker, next: State) => void) => void,
  ): void {
    const request: Request = { reference, externalId, tick: state.tick };
    if (has('atOnce') && storedAt !== state.tick) return act('is too late to send', rest);
    act('sends; the request is on its way, no response', (worker, next) => {
      next.network.push(request);
      interpret(worker, next, 'none');
    });
    if (isDuplicate(state, request)) return act('sends: duplicate', (worker, next) => interpret(worker, next, 'duplicate'));
    for (const response of ['accepted', 'none'] as const)
      act(`sends: accepted, response ${response}`, (worker, next) => {
        arrive(next, request);
        interpret(worker, next, response);
      });
    if (postpones) act('sends: not now', (worker) => (worker.at = 'close'));
    if (refuses) act('sends: refused', (worker, next) => interpret(worker, next, 'refused'));
  }
  function interpret(worker: Worker, next: State, response: 'accepted' | 'none' | 'duplicate' | 'refused'): void {
    const open = openAttempts(next.transfer).length;
    if (!has('attemptFirst') && open === 0) return void Object.assign(worker, { at: 'attempt', inquiredAt: next.tick });
    const isFailure = {
      accepted: false,
      none: !has('silenceIsUnknown'),
      duplicate: !has('duplicateIsUnknown'),
      refused: open <= 1 || !has('refusalOfOnlyAttempt'),
    };
    if (isFailure[response]) Object.assign(worker, { at: 'decide', ending: 'FAILED' });
    else rest(worker);
  }

  function inquire(worker: Worker, next: State): void {
    const status = statusOf(next, worker.reference);
    worker.inquiredAt = next.tick;
    if (status === 'paying') return rest(worker);
    if (status === 'not found') worker.at = 'judge';
    else Object.assign(worker, { at: 'decide', ending: status === 'paid' ? 'SUCCEEDED' : 'FAILED' });
  }
  function judgeNotFound(worker: Worker, next: State): void {
    const read = next.transfer.slice(0, worker.revision + 1);
    const open = openAttempts(read);
    const [first, last] = [open[0]!, open.at(-1)!];
    if (!has('notFoundIsNoFailure')) return void Object.assign(worker, { at: 'decide', ending: 'FAILED' });
    const asked = has('ageOfInquiry') ? worker.inquiredAt : next.tick;
    if (isHeld(read) || (has('settles') && asked < last.tick + SETTLING)) return rest(worker);
    const isInWindow = !has('window') || asked < first.tick + WINDOW;
    const attempt = attemptsOf(next.transfer).length + 1;
    if (mayPayAgain && isInWindow && open.length < ATTEMPTS_MAX && attempt <= ATTEMPTS_MAX) {
      const externalId = 10 * (next.workers.indexOf(worker) + 1) + attempt;
      Object.assign(worker, { at: 'attempt', attempt, reference: has('sameReference') ? first.reference : 2, externalId, inquiredAt: asked });
    } else if (has('holds')) worker.at = 'hold';
    else rest(worker);
  }
  function decide(worker: Worker, next: State): void {
    const ending = worker.ending as Ending;
    if (!has('decidesInStream')) return record(worker, next);
    if (store(next, worker, { type: 'Decided', ending })) worker.at = 'record';
    else rest(worker);
  }
  function record(worker: Worker, next: State): void {
    if (next.account === '') next.account = worker.ending;
    rest(worker);
  }

  function workerSteps(state: State, index: number, step: Step<State>): void {
    const worker = state.workers[index]!;
    const act = (label: string, change: (worker: Worker, next: State) => void): void =>
      step(`worker ${index} ${label}`, (next) => change(next.workers[index]!, next));
    const storeAndRest = (event: TransferEvent) => (each: Worker, next: State) => {
      store(next, each, event);
      rest(each);
    };
    if (worker.at !== 'idle' && state.crashes > 0)
      act('crashes', (each, next) => {
        next.crashes -= 1;
        rest(each);
      });
    if (worker.at === 'idle' && state.account === '') act('reads transfer-<id>', begin);
    if (worker.at === 'attempt') act('stores PayoutAttempted', storeAttempt);
    if (worker.at === 'send') send(state, worker, act);
    if (worker.at === 'close') act('stores that the bank said "not now"', storeAndRest({ type: 'Closed', attempt: worker.attempt }));
    if (worker.at === 'inquire') act(`asks the bank: ${statusOf(state, worker.reference)}`, inquire);
    if (worker.at === 'judge') act('judges "not found"', judgeNotFound);
    if (worker.at === 'decide') act(`decides ${worker.ending}`, decide);
    if (worker.at === 'record') act(`records ${worker.ending} on the account`, record);
    if (worker.at === 'hold') act('stores PayoutHeld', storeAndRest({ type: 'Held' }));
  }

  function bankSteps({ network, payments }: State, step: Step<State>): void {
    network.forEach((request, index) => {
      step('a request on its way is lost', (next) => void next.network.splice(index, 1));
      step('a request on its way reaches the bank', (next) => {
        next.network.splice(index, 1);
        arrive(next, request);
      });
    });
    payments.forEach(({ status }, index) => {
      if (status !== 'paying') return;
      step('the bank fails the payment', (next) => (next.payments[index]!.status = 'failed'));
      step('the bank pays', (next) => {
        next.payments[index]!.status = 'paid';
        next.paid += 1;
      });
    });
  }
  function timePasses(next: State): void {
    next.tick += 1;
    if (next.tick === MIDNIGHT) next.externalIds = [];
    for (const payment of next.payments) if (next.tick >= payment.tick + WINDOW && payment.status !== 'paying') payment.isRemembered = false;
  }
  function worldSteps(state: State, step: Step<State>): void {
    const { tick, transfer, network, payments } = state;
    const mustArrive = network.some((request) => tick + 1 >= (bank.isLate ? END : request.tick + SETTLING));
    if (tick < END && transfer.length + payments.length + network.length > 0 && !mustArrive) step(`time passes to ${tick + 1}`, timePasses);
    // After the window of inquiries an operator need not wait until a worker has stored PayoutHeld.
    const newest = openAttempts(transfer).at(-1);
    const isSilent = newest !== undefined && tick >= newest.tick + WINDOW;
    const isFinal = tick === END && network.length === 0 && !payments.some(({ status }) => status === 'paying');
    const isUndecided = state.account === '' && !transfer.some(({ type }) => type === 'Decided');
    if (isUndecided && (isHeld(transfer) || isSilent) && (isFinal || !has('finalStatement')))
      step('an operator decides from the statement', (next) => next.transfer.push({ type: 'Decided', ending: next.paid ? 'SUCCEEDED' : 'FAILED' }));
  }

  return {
    initial: {
      tick: 0,
      transfer: [],
      account: '',
      network: [],
      externalIds: [],
      payments: [],
      paid: 0,
      crashes,
      workers: Array<Worker>(workers).fill(IDLE),
    },
    steps(state, step) {
      for (const index of state.workers.keys()) workerSteps(state, index, step);
      bankSteps(state, step);
      worldSteps(state, step);
    },
    violation({ paid, account }) {
      if (paid > 1) return `paid ${paid} times`;
      if (account === 'SUCCEEDED' && paid === 0) return 'SUCCEEDED, and never paid';
      return account === 'FAILED' && paid > 0 ? 'FAILED, and paid' : undefined;
    },
    isFinished: ({ account, transfer }) => account !== '' || isHeld(transfer),
  };
}

const PUNCTUAL = { isLate: false, remembers: 'paid' } as const;
const LATE = { isLate: true, remembers: 'all' } as const;
const WEAK = { isLate: true, remembers: 'paid' } as const;
const FORGETFUL = { isLate: true, remembers: 'nothing' } as const;
const mutant = (without: Rule, options: Options = { bank: PUNCTUAL }): Case =>
  fails(`without: ${RULES[without]}`, railModel({ ...options, without }));

export const RAIL: readonly Case[] = [
  holds('a punctual bank that remembers payments: a second attempt is allowed', railModel({ bank: PUNCTUAL })),
  holds('a late bank that remembers every reference: a second attempt is allowed', railModel({ bank: LATE, crashes: 0 })),
  holds('the same, one worker that crashes twice', railModel({ bank: LATE, workers: 1, crashes: 2 })),
  holds('a late bank that remembers payments only: never a second attempt', railModel({ bank: WEAK })),
  holds('a late bank that remembers nothing: never a second attempt', railModel({ bank: FORGETFUL })),
  holds('a punctual bank that may say "not now"', railModel({ bank: PUNCTUAL, crashes: 0, postpones: true, refuses: false })),
  mutant('attemptFirst'),
  mutant('expectsRevision'),
  mutant('inquires'),
  mutant('inquires', { bank: PUNCTUAL, refuses: false, crashes: 0 }),
  mutant('settles'),
  mutant('ageOfInquiry'),
  mutant('atOnce'),
  mutant('window'),
  mutant('sameReference', { bank: LATE }),
  mutant('profile', { bank: WEAK }),
  mutant('profile', { bank: FORGETFUL }),
  mutant('silenceIsUnknown'),
  mutant('duplicateIsUnknown', { bank: LATE }),
  mutant('refusalOfOnlyAttempt', { bank: LATE }),
  mutant('decidesInStream'),
  mutant('notFoundIsNoFailure'),
  mutant('holds'),
  mutant('finalStatement', { bank: LATE }),
];

/**
 * Refunds, settlements and disputes of one charge of 10 (decisions 51, 57, 88). The charge's stream decides how much can go back; once a
 * settlement has claimed the charge, the account's stream decides whether the merchant has the money. Fees are left out. Requests and the
 * worker work on both streams: they crash between any two steps, responses of the store are lost, and appends land late. All others decide
 * on one stream and append to it at the revision that they read, again after a conflict: one step each.
 */
import { fails, holds, type Case, type Model, type Step } from './explorer.js';
import {
  accountOf,
  balancesOf,
  chargeOf,
  isEnded,
  linesOf,
  PAID,
  placeOf,
  violationOf,
  type Account,
  type Charge,
  type Event,
  type Line,
} from './refund-streams.js';
import { append, appending, delayedAppends, streamOf, type Outcome, type Store } from './store.js';

const PAYOUT = 6;

const RULES = {
  amountsOfClaims: 'a settlement closes with the amounts of its claims, not of its opened list',
  looksAgain: 'the charge is read again once the revision of the account is fixed',
  resumesReservation: 'an open reservation of the refund is continued',
  reserveExpects: 'a reservation expects the revision of the account',
  budgetAtClaim: 'the charge decides again when a reservation is claimed',
  declineRecorded: 'the charge records a declined reservation before the account releases it',
  forgetsAfterClaim: 'the account forgets a reservation once the charge has its claim or its decline',
  pendingExpects: 'a refund from pending expects the revision of the charge',
  claimExpects: 'the claim of a reservation expects the revision of the charge',
  claimsStored: 'the claim copies the stored reservation',
  newIds: 'the id of a reservation is new for each attempt',
  submittedFirst: 'a refund is submitted in the stream before the processor is called',
  idempotencyKey: 'the processor takes the id of the refund as its idempotency key',
  definiteFailure: 'only a definite refusal fails a refund',
  returnsByClaim: 'the charge as it stands decides where the money of a failed refund returns to',
  holdsRest: 'a dispute holds at most what is left',
} as const;
type Rule = keyof typeof RULES;

interface Options {
  /** A settlement has claimed and paid the charge. */
  readonly isSettled?: boolean;
  readonly otherFunds?: number;
  /** Requests: refund and amount. Those of one refund have one key. */
  readonly requests?: readonly (readonly [number, number])[];
  readonly workers?: number;
  readonly crashes?: number;
  readonly timeouts?: number;
  readonly cancels?: number;
  readonly payouts?: number;
  /** The results that the processor may give. */
  readonly results?: readonly ('paid' | 'refused')[];
  /** Number of disputes, one after the other. */
  readonly disputes?: number;
  readonly without?: Rule;
}

/** A request, or the worker that continues a reservation. `charge` and `account` are the revisions that it read. */
interface Process {
  readonly kind: 'request' | 'worker';
  readonly refund: number;
  readonly amount: number;
  readonly at: 'read' | 'claim' | 'load' | 'decide' | 'reserve' | 'find' | 'claimReserved' | 'release' | 'forget' | 'done';
  readonly charge?: number;
  readonly account?: number;
  readonly reservation?: string;
  readonly answer?: number | 'refused';
}
interface State {
  readonly store: Store<Event>;
  readonly processes: Process[];
  /** The processor's result for each refund, and how often it paid. */
  readonly processor: ('paid' | 'refused' | '')[];
  readonly payments: number[];
  crashes: number;
  cancels: number;
  payouts: number;
  disputes: number;
}

const event = (stream: string, type: string, id: string, data: Partial<Event> = {}): Event => Object.freeze({ stream, id, type, ...data });
const WORKER: Process = { kind: 'worker', refund: 0, amount: 0, at: 'done' };
const [CHARGE_LINE]: Line[] = [{ key: 'charge', amount: PAID }];
const SETTLED: readonly Event[] = [
  event('account', 'FundsSettled', 'funds-1', { number: 1, lines: [CHARGE_LINE!] }),
  event('charge', 'LineClaimed', 'charge.1', { number: 1, key: 'charge', amount: PAID }),
  event('settlement-1', 'Opened', 'open', { lines: [CHARGE_LINE!] }),
  event('settlement-1', 'Closed', 'close', { lines: [CHARGE_LINE!] }),
];

function refundModel(options: Options): Model<State> {
  const { isSettled = false, otherFunds = 0, without } = options;
  const has = (rule: Rule): boolean => rule !== without;
  const chargeIn = ({ store }: State, revision?: number): Charge => chargeOf(streamOf(store, 'charge'), revision);
  const accountIn = ({ store }: State, revision?: number): Account => accountOf(streamOf(store, 'account'), otherFunds, revision);
  const revisionIn = ({ store }: State, stream: string): number => streamOf(store, stream).length - 1;
  const permits = ({ rest, dispute }: Charge, amount: number): boolean => amount <= rest && dispute !== 'OPEN';

  /** The charge's decision about a reservation. */
  function claimOf(charge: Charge, refund: number, reservation: string, amount: number): Event | null {
    const isPermitted = !has('budgetAtClaim') || (permits(charge, amount) && !charge.refunds[refund]);
    if (isPermitted) return event('charge', 'RefundClaimed', `claim-${reservation}`, { refund, reservation, amount });
    return has('declineRecorded') ? event('charge', 'RefundDeclined', `decline-${reservation}`, { refund, reservation }) : null;
  }
  /** A refund that fails: its money returns to the merchant, or goes to the open dispute that lacks it. */
  function failureOf(charge: Charge, refund: number, type: 'RefundFailed' | 'RefundCancelled'): Event[] {
    const { amount, reservation } = charge.refunds[refund]!;
    const isSource = reservation === '' ? 'pending' : 'returns';
    const to = has('returnsByClaim') ? placeOf(charge) : isSource;
    const lacks = charge.dispute === 'OPEN' && type === 'RefundFailed' ? PAID - charge.held : 0;
    const held = event('charge', 'DisputeHeld', `held-${refund}`, { amount: Math.min(lacks, amount), to });
    return [event('charge', type, `${type}-${refund}`, { refund, amount, to }), ...(lacks > 0 ? [held] : [])];
  }
  /** A dispute cancels refunds that were not submitted, and holds what is left. */
  function disputeOf(charge: Charge, id: number): Event[] {
    const cancelled = charge.refunds.flatMap(({ status }, refund) => (status === 'PENDING' ? failureOf(charge, refund, 'RefundCancelled') : []));
    const rest = charge.rest + cancelled.reduce((total, { amount }) => total + amount!, 0);
    const held = event('charge', 'DisputeHeld', `hold-${id}`, { amount: has('holdsRest') ? rest : PAID, to: placeOf(charge) });
    return [event('charge', 'DisputeOpened', `dispute-${id}`), ...cancelled, ...(held.amount! > 0 ? [held] : [])];
  }

  function processSteps(state: State, index: number, step: Step<State>): void {
    const process = state.processes[index]!;
    const { kind, at, refund, amount, charge = -1, account = -1, reservation = '' } = process;
    const who = `${kind} ${index}`;
    const isWorker = kind === 'worker';
    const set = (next: State, change: Partial<Process>): void =>
      void (next.processes[index] = isWorker && change.at === 'done' ? WORKER : { kind, refund, amount, at, ...change });
    const act = (label: string, change: (next: State) => Partial<Process>): void => step(`${who} ${label}`, (next) => set(next, change(next)));
    const appends = (expected: number | 'any', stored: Event, then: Record<Outcome, Partial<Process>>): void =>
      appending(step, state, `${who} appends ${stored.type}`, { expected, events: [stored] }, (next, outcome) => set(next, then[outcome]));
    const finish = (answer: number | 'refused', next: 'done' | 'forget' = 'done'): Partial<Process> => ({ at: next, answer, reservation });
    const answered = process.answer ? { answer: process.answer } : {};
    const confirmed = ({ refunds }: Charge): Partial<Process> | undefined =>
      refunds[refund] && finish(refunds[refund].amount, reservation !== '' && refunds[refund].reservation === reservation ? 'forget' : 'done');

    if (at !== 'done' && at !== 'read' && state.crashes > 0)
      act('crashes', (next) => {
        next.crashes -= 1;
        return { at: 'done', ...answered };
      });
    if (isWorker && at === 'done')
      for (const open of accountIn(state).open) {
        const taken = { kind, refund: open.refund!, amount: open.amount!, reservation: open.reservation! };
        step(
          `${who} continues ${open.reservation}`,
          (next) => (next.processes[index] = { ...taken, at: has('forgetsAfterClaim') ? 'find' : 'forget' }),
        );
      }
    if (at === 'read')
      act('reads the charge', (next) => {
        const read = chargeIn(next);
        if (read.refunds[refund]) return confirmed(read)!;
        if (read.settlement > 0) return { at: 'load' };
        return permits(read, amount) ? { at: 'claim', charge: revisionIn(next, 'charge') } : finish('refused');
      });
    if (at === 'claim') {
      const claim = event('charge', 'RefundClaimed', `claim-${index}.${charge}`, { refund, reservation: '', amount });
      appends(has('pendingExpects') ? charge : 'any', claim, { done: finish(amount), conflict: { at: 'read' }, unknown: process });
    }
    if (at === 'load') act('loads the account', (next) => ({ at: 'decide', account: revisionIn(next, 'account') }));
    if (at === 'decide')
      act('reads the charge again, and decides', (next) => {
        const read = chargeIn(next);
        const { open, available } = accountIn(next, account);
        const reserved = open.find((stored) => stored.refund === refund);
        if (has('looksAgain') && read.refunds[refund]) return confirmed(read)!;
        if (has('resumesReservation') && reserved) return { at: 'find', reservation: reserved.reservation!, account };
        if ((has('looksAgain') && !permits(read, amount)) || available < amount) return finish('refused');
        return { at: 'reserve', account, charge: revisionIn(next, 'charge') };
      });
    if (at === 'reserve') {
      const made = `${index}.${account}`;
      const reserve = event('account', 'Reserved', has('newIds') ? `reserve-${made}` : `reserve-${refund}`, { refund, reservation: made, amount });
      const done: Partial<Process> = { at: 'claimReserved', reservation: made, charge };
      appends(has('reserveExpects') ? account : 'any', reserve, { done, conflict: { at: 'load' }, unknown: process });
    }
    if (at === 'find')
      act('looks for the claim', (next) => {
        const read = chargeIn(next);
        if (isWorker ? read.refunds[refund]?.reservation === reservation : read.refunds[refund])
          return isWorker ? { at: 'forget', reservation } : confirmed(read)!;
        return read.declined.includes(reservation)
          ? { at: 'release', reservation }
          : { at: 'claimReserved', reservation, charge: revisionIn(next, 'charge') };
      });
    if (at === 'claimReserved') {
      const stored = streamOf(state.store, 'account').find((each) => each.type === 'Reserved' && each.reservation === reservation);
      const claim = claimOf(chargeIn(state, charge), refund, reservation, has('claimsStored') && stored ? stored.amount! : amount);
      const found: Partial<Process> = { at: 'find', reservation };
      if (claim) appends(has('claimExpects') ? charge : 'any', claim, { done: found, conflict: found, unknown: process });
      else act('finds no budget', () => ({ at: 'release', reservation }));
    }
    if (at === 'forget' || at === 'release') {
      const after: Partial<Process> = { at: at === 'release' && !isWorker ? 'load' : 'done', ...answered };
      const open = accountIn(state).open.find((stored) => stored.reservation === reservation);
      if (open === undefined) act('finds that the account has forgotten it', () => after);
      else if (account < 0) act('loads the account', (next) => ({ ...process, account: revisionIn(next, 'account') }));
      else {
        const stored = event('account', at === 'release' ? 'Released' : 'Forgotten', `${at}-${reservation}`, { reservation, amount: open.amount! });
        const { account: _, ...again } = process;
        appends(account, stored, { done: after, conflict: again, unknown: again });
      }
    }
  }

  function processorSteps(state: State, charge: Charge, step: Step<State>): void {
    charge.refunds.forEach(({ status }, refund) => {
      const result = state.processor[refund]!;
      const put = (label: string, events: readonly Event[]): void =>
        step(`refund ${refund} ${label}`, (next) => void append(next.store, { expected: 'any', events }));
      const submit = event('charge', 'RefundSubmitted', `submit-${refund}`, { refund });
      if (status === 'PENDING') put('is submitted', [submit]);
      if (status === 'PROCESSING' || (status === 'PENDING' && !has('submittedFirst'))) {
        if (result === '' || !has('idempotencyKey'))
          for (const answer of options.results ?? (['paid', 'refused'] as const))
            step(`the processor answers ${answer} for refund ${refund}`, (next) => {
              next.processor[refund] = answer;
              next.payments[refund]! += Number(answer === 'paid');
            });
      }
      if (status !== 'PROCESSING') return;
      if (result === 'paid')
        put('succeeds', [event('charge', 'RefundSucceeded', `succeed-${refund}`, { refund, amount: charge.refunds[refund]!.amount })]);
      if (result === 'refused' || (result === 'paid' && !has('definiteFailure'))) put('fails', failureOf(charge, refund, 'RefundFailed'));
    });
  }

  function settlementSteps({ store }: State, charge: Charge, account: Account, step: Step<State>): void {
    const number = account.settlement + 1;
    const stream = `settlement-${number}`;
    const [opened, closed] = streamOf(store, stream);
    const put = (label: string, stored: Event): void =>
      step(`settlement ${number} ${label}`, (next) => void append(next.store, { expected: 'any', events: [stored] }));
    const candidates = linesOf(charge).filter(({ key }) => charge.claims[key] === undefined);
    if (!opened) return candidates.length > 0 ? put('is opened', event(stream, 'Opened', 'open', { lines: candidates })) : undefined;
    if (closed) return put('reaches the account', event('account', 'FundsSettled', `funds-${number}`, { number, lines: closed.lines! }));
    const claimable = candidates.filter(({ key }) => opened.lines!.some((line) => line.key === key));
    for (const { key, amount } of claimable) put(`claims ${key}`, event('charge', 'LineClaimed', `${key}.${number}`, { number, key, amount }));
    const amountOf = (line: Line): number => (has('amountsOfClaims') ? charge.claims[line.key]!.amount : line.amount);
    const claimed = opened.lines!.filter(({ key }) => charge.claims[key]?.number === number);
    const lines = claimed.map((line) => ({ key: line.key, amount: amountOf(line) }));
    if (claimable.length === 0) put('closes', event(stream, 'Closed', 'close', { lines }));
  }

  function worldSteps(state: State, charge: Charge, account: Account, step: Step<State>): void {
    const { cancels, payouts, disputes } = state;
    const revision = revisionIn(state, 'charge');
    const put = (label: string, budget: 'cancels' | 'payouts' | 'disputes' | null, events: readonly Event[]): void =>
      step(label, (next) => {
        if (budget) next[budget] -= 1;
        append(next.store, { expected: 'any', events });
      });
    charge.refunds.forEach(({ status }, refund) => {
      if (cancels > 0 && status === 'PENDING') put('the merchant cancels the refund', 'cancels', failureOf(charge, refund, 'RefundCancelled'));
    });
    if (payouts > 0 && account.available >= PAYOUT)
      put('a payout takes 6', 'payouts', [event('account', 'PaidOut', `payout-${payouts}`, { amount: PAYOUT })]);
    if (charge.dispute === 'OPEN') {
      put('the dispute is won', null, [event('charge', 'DisputeWon', `won-${revision}`, { amount: charge.held, to: placeOf(charge) })]);
      put('the dispute is lost', null, [event('charge', 'DisputeLost', `lost-${revision}`, { amount: charge.held })]);
    } else if (disputes > 0 && charge.dispute !== 'LOST') put('a dispute is opened', 'disputes', disputeOf(charge, revision));
  }

  return {
    initial: {
      store: { log: [...(isSettled ? SETTLED : [])], keepsOrder: false, timeouts: options.timeouts ?? 0, delayed: [] },
      processes: [
        ...(options.requests ?? [[0, 6]]).map(([refund, amount]): Process => ({ kind: 'request', refund, amount, at: 'read' })),
        ...Array<Process>(options.workers ?? 1).fill(WORKER),
      ],
      processor: ['', ''],
      payments: [0, 0],
      crashes: options.crashes ?? 1,
      cancels: options.cancels ?? 0,
      payouts: options.payouts ?? 0,
      disputes: options.disputes ?? 0,
    },
    steps(state, step) {
      const charge = chargeIn(state);
      const account = accountIn(state);
      for (const index of state.processes.keys()) processSteps(state, index, step);
      processorSteps(state, charge, step);
      settlementSteps(state, charge, account, step);
      worldSteps(state, charge, account, step);
      delayedAppends(step, state);
    },
    violation: (state) => violationOf(state, chargeIn(state), accountIn(state), otherFunds),
    isFinished(state) {
      const charge = chargeIn(state);
      const { pending, refunding, returns } = balancesOf(state.store.log, otherFunds);
      const isOver = state.processes.every(({ at }) => at === 'done') && state.store.delayed.length === 0 && charge.refunds.every(isEnded);
      return isOver && accountIn(state).open.length === 0 && pending === 0 && refunding === 0 && returns === 0;
    },
  };
}

const ask = (refund: number, amount: number): readonly [number, number] => [refund, amount];
const TWO = [ask(0, 6), ask(1, 6)];
const REPEATED = [ask(0, 6), ask(0, 6)];
const CHANGED = [ask(0, 6), ask(0, 4)];
const LATE: Options = { isSettled: true, crashes: 0, otherFunds: 4 };
const mutant = (without: Rule, options: Options): Case => fails(`without: ${RULES[without]}`, refundModel({ ...options, without }));

export const REFUND: readonly Case[] = [
  holds('two refunds of 6, crash', refundModel({ requests: TWO })),
  holds('a refund of 6 with the same key twice, cancel, crash', refundModel({ requests: REPEATED, cancels: 1 })),
  holds('a refund of 6, unknown outcome', refundModel({ crashes: 0, timeouts: 1 })),
  holds('settled: the same key twice, payout, crash', refundModel({ isSettled: true, requests: REPEATED, payouts: 1 })),
  holds('settled: the same key twice, unknown outcome, crash', refundModel({ isSettled: true, requests: REPEATED, timeouts: 1, results: ['paid'] })),
  holds('settled: two refunds of 6, other funds', refundModel({ ...LATE, requests: TWO, results: ['paid'] })),
  holds('settled: a refund of 6, two workers, unknown outcome', refundModel({ isSettled: true, workers: 2, crashes: 0, timeouts: 1 })),
  holds('settled: one key with two bodies, crash', refundModel({ isSettled: true, requests: CHANGED, results: ['paid'] })),
  holds('a refund of 6, dispute', refundModel({ disputes: 1, crashes: 0 })),
  holds('two disputes, one after the other', refundModel({ requests: [], disputes: 2 })),
  mutant('amountsOfClaims', { crashes: 0 }),
  mutant('looksAgain', { ...LATE, requests: REPEATED }),
  mutant('resumesReservation', { ...LATE, requests: REPEATED }),
  mutant('reserveExpects', { ...LATE, requests: TWO, otherFunds: 0 }),
  mutant('budgetAtClaim', { ...LATE, requests: TWO }),
  mutant('declineRecorded', { ...LATE, requests: TWO }),
  mutant('forgetsAfterClaim', { ...LATE, requests: REPEATED }),
  mutant('pendingExpects', { crashes: 0, requests: TWO }),
  mutant('claimExpects', { ...LATE, requests: TWO }),
  mutant('claimsStored', { ...LATE, requests: CHANGED }),
  mutant('newIds', { ...LATE, requests: CHANGED }),
  mutant('submittedFirst', { cancels: 1, crashes: 0 }),
  mutant('idempotencyKey', { crashes: 0 }),
  mutant('definiteFailure', { crashes: 0 }),
  mutant('returnsByClaim', { crashes: 0 }),
  mutant('holdsRest', { crashes: 0, disputes: 1 }),
];

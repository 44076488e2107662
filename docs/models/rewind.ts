/**
 * A store that was restored, or failed over, loses its newest events under living processes, and grows again. First (decisions 15, 35) two
 * processes hold an account folded and decide payouts of 6 on it. Then (decision 42) processes append to one stream what follows from
 * another: a payout is requested on the account, registered in its own stream, ended on the account and returned in its stream.
 */
import { fails, holds, type Case, type Model, type Step } from './explorer.js';

const PAYOUT = 6;
const SETTLEMENT = 10;

const RULES = {
  appendNamesId: 'an append names the event that it follows by its id, not by its revision alone',
  refreshNamesId: 'new events are added to a folded account only if its newest event is still there',
  readsPayoutAgain: 'the stream of the payout is read again once the base of the decision is fixed',
  confirmsRefusal: 'an account that was loaded after the request came confirms a refusal',
  Registered: 'a registration depends on the request',
  Succeeded: 'an end depends on the registration',
  Returned: 'a return depends on the end',
} as const;
type Rule = keyof typeof RULES;

interface Event {
  readonly stream: string;
  readonly id: string;
  readonly type: 'Funds' | 'Requested' | 'Spent' | 'Registered' | 'Succeeded' | 'Returned';
  readonly payout?: number;
  /** The event of the other stream from which this one follows. */
  readonly follows?: string;
}
const streamOf = (log: readonly Event[], stream: string): Event[] => log.filter((event) => event.stream === stream);

/** The store loses any number of its newest events, but keeps the first. */
function losses<State extends { readonly log: Event[]; losses: number }>(state: State, step: Step<State>): void {
  if (state.losses === 0) return;
  for (let lost = 1; lost < state.log.length; lost += 1)
    step(`THE STORE LOSES ${lost} EVENTS`, (next) => {
      next.losses -= 1;
      next.log.length -= lost;
    });
}

interface AccountOptions {
  /** Process and payout of each request; equal payouts are one key. */
  readonly requests?: readonly (readonly [number, number])[];
  readonly funds?: number;
  readonly losses?: number;
  readonly settlements?: number;
  readonly others?: number;
  readonly without?: Rule;
}
interface Request {
  readonly process: number;
  readonly payout: number;
  at: 'new' | 'read' | 'decide' | 'append' | 'register' | 'done';
  answer: '' | 'accepted' | 'refused';
  /** The account had too little at some moment since the request came. */
  wasShort: boolean;
}
interface AccountState {
  readonly log: Event[];
  events: number;
  losses: number;
  settlements: number;
  /** Payouts of other processes. */
  others: number;
  readonly cached: Event[][];
  /** Whether the cached account was loaded after the request came. */
  readonly isFresh: boolean[];
  readonly requests: Request[];
}

function accountModel(options: AccountOptions = {}): Model<AccountState> {
  const { funds = 10, without } = options;
  const has = (rule: Rule): boolean => rule !== without;
  const accountIn = (log: readonly Event[]): Event[] => streamOf(log, 'account');
  const isRegistered = (log: readonly Event[], payout: number): boolean => streamOf(log, `payout-${payout}`).length > 0;
  const isOpen = (account: readonly Event[], payout: number): boolean =>
    account.findLast((event) => event.payout === payout && (event.type === 'Requested' || event.type === 'Succeeded'))?.type === 'Requested';
  const availableIn = (account: readonly Event[]): number =>
    account.reduce((sum, { type, id }) => sum + (type !== 'Funds' ? (type === 'Succeeded' ? 0 : -PAYOUT) : id === 'first' ? funds : SETTLEMENT), 0);
  const put = (next: AccountState, event: Omit<Event, 'id'>): Event => {
    const stored = Object.freeze({ ...event, id: `event-${(next.events += 1)}` });
    next.log.push(stored);
    return stored;
  };
  function refresh(next: AccountState, process: number): void {
    const account = accountIn(next.log);
    const cached = next.cached[process]!;
    const newest = cached.at(-1);
    const isThere = !newest || (has('refreshNamesId') ? account[cached.length - 1]?.id === newest.id : account.length >= cached.length);
    next.cached[process] = isThere ? [...cached, ...account.slice(cached.length)] : account;
    next.isFresh[process] = true;
  }

  function requestSteps(state: AccountState, request: Request, index: number, plainStep: Step<AccountState>): void {
    const { process, payout, at } = request;
    const cached = state.cached[process]!;
    const stream = `payout-${payout}`;
    const step = (label: string, change: (each: Request, next: AccountState) => void): void =>
      plainStep(`request ${index} at process ${process} ${label}`, (next) => {
        change(next.requests[index]!, next);
        markShort(next);
      });
    const answer = (each: Request, result: Request['answer']): void => void Object.assign(each, { at: 'done', answer: result });
    const lookAgain = (each: Request, next: AccountState): void => {
      refresh(next, process);
      each.at = 'read';
    };
    const isBusy = state.requests.some((other) => other.process === process && other.at !== 'new' && other.at !== 'done');
    if (at === 'new' && !isBusy)
      step('comes', (each, next) => {
        if (isRegistered(next.log, payout)) return answer(each, 'accepted');
        Object.assign(each, { at: 'read', wasShort: false });
        next.isFresh[process] = false;
        if (cached.length === 0) refresh(next, process);
      });
    if (at === 'read')
      step('reads the payout', (each, next) => {
        if (has('readsPayoutAgain') && isRegistered(next.log, payout)) answer(each, 'accepted');
        else each.at = 'decide';
      });
    if (at === 'decide') {
      const isFresh = state.isFresh[process]!;
      if (isOpen(cached, payout)) step('finds it open', (each, next) => (isFresh ? (each.at = 'register') : lookAgain(each, next)));
      else if (availableIn(cached) >= PAYOUT) step('accepts', (each) => (each.at = 'append'));
      else if (has('confirmsRefusal') && !isFresh) step('would refuse, and looks again', lookAgain);
      else step('refuses', (each) => answer(each, 'refused'));
    }
    if (at === 'append')
      step('appends', (each, next) => {
        const account = accountIn(next.log);
        const isSame = !has('appendNamesId') || account.at(-1)?.id === cached.at(-1)?.id;
        if (account.length !== cached.length || !isSame) return lookAgain(each, next);
        next.cached[process]!.push(put(next, { stream: 'account', type: 'Requested', payout }));
        each.at = 'register';
      });
    if (at === 'register')
      step('registers the payout', (each, next) => {
        if (!isRegistered(next.log, payout)) put(next, { stream, type: 'Registered', payout });
        answer(each, 'accepted');
      });
  }
  function markShort(next: AccountState): void {
    if (availableIn(accountIn(next.log)) >= PAYOUT) return;
    for (const each of next.requests) if (each.at !== 'new' && each.at !== 'done') each.wasShort = true;
  }
  function worldSteps(state: AccountState, step: Step<AccountState>): void {
    const account = accountIn(state.log);
    const act = (label: string, change: (next: AccountState) => void): void =>
      step(label, (next) => {
        change(next);
        markShort(next);
      });
    for (const payout of [0, 1])
      if (isOpen(account, payout)) {
        if (isRegistered(state.log, payout)) act(`payout ${payout} succeeds`, (next) => put(next, { stream: 'account', type: 'Succeeded', payout }));
        else act(`the worker registers payout ${payout}`, (next) => put(next, { stream: `payout-${payout}`, type: 'Registered', payout }));
      }
    if (state.settlements > 0)
      act('another process settles 10', (next) => {
        next.settlements -= 1;
        put(next, { stream: 'account', type: 'Funds' });
      });
    if (state.others > 0 && availableIn(account) >= PAYOUT)
      act('another process, which has just read, spends 6', (next) => {
        next.others -= 1;
        put(next, { stream: 'account', type: 'Spent' });
      });
    losses(state, act as Step<AccountState>);
  }

  return {
    initial: {
      log: [{ stream: 'account', id: 'first', type: 'Funds' }],
      ...{ events: 0, losses: options.losses ?? 1, settlements: options.settlements ?? 1, others: options.others ?? 1 },
      cached: [[], []],
      isFresh: [false, false],
      requests: (options.requests ?? ONE_EACH).map(([process, payout]) => ({ process, payout, at: 'new', answer: '', wasShort: false })),
    },
    steps(state, step) {
      state.requests.forEach((request, index) => requestSteps(state, request, index, step));
      worldSteps(state, step);
    },
    violation({ log, requests }) {
      const account = accountIn(log);
      const requested = account.flatMap(({ type, payout }) => (type === 'Requested' ? [payout] : []));
      if (account.some((_, index) => availableIn(account.slice(0, index + 1)) < 0)) return 'available is below zero';
      if (new Set(requested).size < requested.length) return 'a payout is requested twice';
      const isWrong = requests.some(({ answer, wasShort }) => answer === 'refused' && !wasShort);
      return isWrong ? 'refused, although enough was there from the request to its answer' : undefined;
    },
    isFinished: ({ log, requests }) => requests.every(({ at }) => at === 'done') && ![0, 1].some((payout) => isOpen(accountIn(log), payout)),
  };
}

/** The stages of a payout, and the stream of each. */
const STAGES = [
  ['Requested', 'account'],
  ['Registered', 'payout'],
  ['Succeeded', 'account'],
  ['Returned', 'payout'],
] as const;
interface Process {
  /** The stage to append, -1 while idle; the last event of its stream, and the event from which it follows. */
  readonly stage: number;
  readonly after: string;
  readonly follows: string;
}
interface StagesState {
  readonly log: Event[];
  events: number;
  losses: number;
  crashes: number;
  readonly processes: Process[];
}
const IDLE: Process = { stage: -1, after: '', follows: '' };

function stagesModel({
  lost = 1,
  crashes = 0,
  without,
}: { readonly lost?: number; readonly crashes?: number; readonly without?: Rule } = {}): Model<StagesState> {
  const find = (log: readonly Event[], stage: number): Event | undefined => log.find(({ type }) => type === STAGES[stage]?.[0]);
  const newestOf = (log: readonly Event[], stage: number): string => streamOf(log, STAGES[stage]?.[1] ?? '').at(-1)?.id ?? '';
  /** The next process step: read both streams, or append if the events that were read are still there. */
  function appendStage(next: StagesState, index: number): void {
    const { stage, after, follows } = next.processes[index]!;
    const [type, stream] = STAGES[stage]!;
    const stands = stage === 0 || type === without || next.log.some(({ id }) => id === follows);
    const isNewest = newestOf(next.log, stage) === after;
    next.processes[index] = IDLE;
    if (!stands) return;
    if (isNewest) {
      const id = `event-${(next.events += 1)}`;
      next.log.push(Object.freeze({ stream, id, type, follows }));
      if (stage < STAGES.length - 1) next.processes[index] = { stage: stage + 1, after: newestOf(next.log, stage + 1), follows: id };
    } else if (stage > 1 && find(next.log, stage - 2) && !find(next.log, stage))
      next.processes[index] = { stage, follows, after: newestOf(next.log, stage) };
  }
  return {
    initial: { log: [{ stream: 'account', id: 'first', type: 'Funds' }], events: 0, losses: lost, crashes, processes: [IDLE, IDLE] },
    steps(state, step) {
      state.processes.forEach((process, index) => {
        const stage = STAGES.findIndex((_, each) => !find(state.log, each));
        if (process.stage >= 0) step(`process ${index} appends ${STAGES[process.stage]![0]}`, (next) => appendStage(next, index));
        else if (stage >= 0)
          step(`process ${index} reads both streams`, (next) => {
            next.processes[index] = { stage, after: newestOf(next.log, stage), follows: find(next.log, stage - 1)?.id ?? '' };
          });
        if (process.stage >= 0 && state.crashes > 0)
          step(`process ${index} crashes`, (next) => {
            next.crashes -= 1;
            next.processes[index] = IDLE;
          });
      });
      losses(state, step);
    },
    violation({ log }) {
      const orphan = log.find(({ type, follows }, index) => {
        const stage = STAGES.findIndex(([each]) => each === type);
        return stage > 0 && !log.slice(0, index).some((event) => event.type === STAGES[stage - 1]![0] && (stage > 1 || event.id === follows));
      });
      return orphan && `${orphan.type}, although the event from which it follows is lost`;
    },
    isFinished: ({ log }) => find(log, STAGES.length - 1) !== undefined,
  };
}

const ONE_EACH = [
  [0, 0],
  [1, 1],
] as const;
const SAME_KEY = [
  [0, 0],
  [1, 0],
] as const;
const ONE_PROCESS = [
  [0, 0],
  [0, 1],
] as const;
const mutant = (without: Rule, options: AccountOptions = {}): Case => fails(`without: ${RULES[without]}`, accountModel({ ...options, without }));

export const REWIND: readonly Case[] = [
  holds('two processes, two payouts, one loss', accountModel()),
  holds('one payout requested at both, one loss', accountModel({ requests: SAME_KEY })),
  holds('two requests at one process, one at another', accountModel({ requests: [...ONE_PROCESS, [1, 0]], settlements: 0, others: 0, funds: 20 })),
  holds('two processes, two losses', accountModel({ losses: 2, settlements: 0 })),
  holds('no loss', accountModel({ losses: 0 })),
  mutant('appendNamesId'),
  mutant('appendNamesId', { requests: ONE_PROCESS }),
  mutant('refreshNamesId'),
  mutant('refreshNamesId', { requests: ONE_PROCESS }),
  mutant('readsPayoutAgain', { requests: SAME_KEY }),
  mutant('confirmsRefusal', { requests: ONE_PROCESS, funds: 0, losses: 0, others: 0 }),
  holds('stages of a payout, two processes, one loss', stagesModel()),
  holds('stages of a payout, two losses, a crash', stagesModel({ lost: 2, crashes: 1 })),
  ...(['Registered', 'Succeeded', 'Returned'] as const).map((without) => fails(`without: ${RULES[without]}`, stagesModel({ without }))),
];

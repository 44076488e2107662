/** mulberry32: a number in [0, 1) from a 32-bit seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A process that can be killed between any two of its steps. */
export interface Killable {
  readonly name: string;
  readonly isAlive: boolean;
}

interface Step {
  readonly owner: Killable | null;
  readonly label: string;
  /** True for a step that mostly runs when no other step is ready. */
  readonly isIdle: boolean;
  /** Count of steps before which it does not go: a message that takes its time. */
  readonly notBefore: number;
  readonly go: () => void;
}

/** How often an idle step goes although others wait. */
const IDLE_TURNS = 0.12;
/** How often a step is slow, and by how many steps of others at most. */
const SLOW_STEPS = 0.04;
const SLOWNESS_MAX = 120;

/** No step is left to run, and yet a caller waits. */
export class Stuck extends Error {
  override readonly name = 'Stuck';
}

/**
 * Plays concurrent code one step at a time. Code under simulation waits for a step before everything that could take time; which of
 * the waiting goes next is drawn from the seed. Between two steps everything that can run, runs.
 */
export class Scheduler {
  readonly random: () => number;
  /** Labels of the steps in their order: the same for the same seed. */
  readonly trace: string[] = [];
  #ready: Step[] = [];
  readonly #pausedUntil = new Map<Killable, number>();

  constructor(seed: number) {
    this.random = randomFrom(seed);
  }

  /** An integer from 0 to `count` − 1. */
  below(count: number): number {
    return Math.floor(this.random() * count);
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** Resolves when it is this step's turn; never, when its owner dies before. */
  step(owner: Killable | null, label: string): Promise<void> {
    return this.#wait(owner, label, false);
  }

  /** A step of a process that only looks for work. */
  idleStep(owner: Killable | null, label: string): Promise<void> {
    return this.#wait(owner, label, true);
  }

  /** Stops a process for a number of steps of others; it then continues unaware. */
  pause(owner: Killable, steps: number): void {
    this.#pausedUntil.set(owner, this.trace.length + steps);
  }

  /** Removes the waiting steps of dead processes. */
  bury(): void {
    this.#ready = this.#ready.filter(({ owner }) => owner === null || owner.isAlive);
  }

  /** @param between called before each step. @throws Stuck when `isDone` does not come true within `stepsMax` steps. */
  async run(isDone: () => boolean, between: () => void, stepsMax: number): Promise<void> {
    for (let steps = 0; ; steps += 1) {
      await settled();
      if (isDone()) return;
      if (steps >= stepsMax) throw new Stuck(`not done after ${stepsMax} steps`);
      between();
      if (this.#ready.length === 0) throw new Stuck('nobody has anything left to do');
      const step = this.#take();
      this.trace.push(`${step.owner?.name ?? 'world'} ${step.label}`);
      step.go();
    }
  }

  #wait(owner: Killable | null, label: string, isIdle: boolean): Promise<void> {
    const notBefore = this.trace.length + (this.chance(SLOW_STEPS) ? this.below(SLOWNESS_MAX) : 0);
    return new Promise((go) => this.#ready.push({ owner, label, isIdle, notBefore, go }));
  }

  #take(): Step {
    const awake = orAll(this.#ready, ({ owner, notBefore }) => notBefore <= this.trace.length && !this.#isPaused(owner));
    const step = this.pick(this.chance(IDLE_TURNS) ? awake : orAll(awake, ({ isIdle }) => !isIdle));
    this.#ready.splice(this.#ready.indexOf(step), 1);
    return step;
  }

  #isPaused(owner: Killable | null): boolean {
    return owner !== null && (this.#pausedUntil.get(owner) ?? 0) > this.trace.length;
  }
}

/** Those that match; all when none does. */
function orAll<T>(items: readonly T[], matches: (item: T) => boolean): readonly T[] {
  const matching = items.filter(matches);
  return matching.length > 0 ? matching : items;
}

/** Resolves when every promise that can continue has continued. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Explores a protocol: every interleaving of the steps of its processes, breadth first, so that the first violation has a shortest trace.
 * States are plain data. Two of them count as one when the 53 bits of their hashes are equal: improbable below ten million states.
 */
export interface Model<State> {
  readonly initial: State;
  /** Offers every atomic step that a process, or the world around it, can take in `state`. */
  steps(state: State, step: Step<State>): void;
  /** Returns the rule that `state` breaks. */
  violation(state: State): string | undefined;
  /** From every state some continuation must reach a finished one; undefined where only violations matter. */
  readonly isFinished?: ((state: State) => boolean) | undefined;
}

/** `change` works on a copy of the state. */
export type Step<State> = (label: string, change: (next: State) => void) => void;

export interface Verdict {
  readonly states: number;
  /** The broken rule and the labels of the steps that lead to it. */
  readonly failure?: { readonly why: string; readonly trace: readonly string[] };
}

/** A model and its expected verdict: `holds`, or false for a mutant, a model without one of its rules. */
export interface Case {
  readonly name: string;
  readonly holds: boolean;
  readonly verdict: () => Verdict;
}

export const holds = <State>(name: string, model: Model<State>): Case => ({ name, holds: true, verdict: () => explore(model) });
export const fails = <State>(name: string, model: Model<State>): Case => ({ name, holds: false, verdict: () => explore(model) });

export function explore<State>(model: Model<State>): Verdict {
  const ids = new Map<number, number>([[hashOf(model.initial), 0]]);
  const parents = [-1];
  const edges: { readonly from: number[]; readonly to: number[] } = { from: [], to: [] };
  const canFinish = [model.isFinished?.(model.initial) ?? true];
  const fail = (why: string, id: number): Verdict => ({ states: ids.size, failure: { why, trace: traceTo(model, id, ids, parents) } });
  let frontier: [number, State][] = [[0, model.initial]];
  while (frontier.length > 0) {
    const next: [number, State][] = [];
    for (const [from, state] of frontier) {
      for (const { state: reached } of successors(model, state)) {
        const hash = hashOf(reached);
        const known = ids.get(hash);
        const id = known ?? ids.size;
        edges.from.push(from);
        edges.to.push(id);
        if (known !== undefined) continue;
        ids.set(hash, id);
        parents.push(from);
        canFinish.push(model.isFinished?.(reached) ?? true);
        const why = model.violation(reached);
        if (why !== undefined) return fail(why, id);
        next.push([id, reached]);
      }
    }
    frontier = next;
  }
  spreadBackwards(canFinish, edges);
  const stuck = canFinish.indexOf(false);
  return stuck < 0 ? { states: ids.size } : fail('stuck: no continuation ends well', stuck);
}

function successors<State>(model: Model<State>, state: State): { readonly label: string; readonly state: State }[] {
  const found: { label: string; state: State }[] = [];
  model.steps(state, (label, change) => {
    const next = copyOf(state);
    change(next);
    found.push({ label, state: next });
  });
  return found;
}

/** Marks the states from which an edge leads to a marked one. Ids grow along most edges, so few passes are enough. */
function spreadBackwards(marked: boolean[], { from, to }: { readonly from: readonly number[]; readonly to: readonly number[] }): void {
  for (let isDone = false; !isDone;) {
    isDone = true;
    for (let edge = from.length - 1; edge >= 0; edge -= 1) {
      if (!marked[to[edge]!] || marked[from[edge]!]) continue;
      marked[from[edge]!] = true;
      isDone = false;
    }
  }
}

function traceTo<State>(model: Model<State>, last: number, ids: ReadonlyMap<number, number>, parents: readonly number[]): string[] {
  const path: number[] = [];
  for (let id = last; id > 0; id = parents[id]!) path.unshift(id);
  let state = model.initial;
  return path.map((id) => {
    const taken = successors(model, state).find((each) => ids.get(hashOf(each.state)) === id)!;
    state = taken.state;
    return taken.label;
  });
}

/** Frozen objects, which events are, are shared between states. */
function copyOf<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  const copy: Record<string, unknown> = {};
  for (const key in value) copy[key] = copyOf(value[key]);
  return copy as T;
}

/** Returns 53 bits of a hash of the state as JSON (cyrb53). */
function hashOf(state: unknown): number {
  const text = JSON.stringify(state);
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = Math.imul(a ^ code, 2_654_435_761);
    b = Math.imul(b ^ code, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return 4_294_967_296 * (b & 0x1fffff) + (a >>> 0);
}

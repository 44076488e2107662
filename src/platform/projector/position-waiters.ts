import type { Position } from '../event-store/event-store.js';

interface Waiter {
  readonly position: Position;
  /** Cleared once it was answered. */
  resolve: ((reached: boolean) => void) | undefined;
  readonly timeout: NodeJS.Timeout;
}

/** Below this many, expired waiters are not worth a sweep. */
const SWEEP_FROM = 64;

/** Waiting requests by position: a binary heap, so that thousands cost a few comparisons each, in whatever order they arrive and leave. */
export class PositionWaiters {
  #heap: Waiter[] = [];
  #answered = 0;

  /** Number of waiters. */
  get size(): number {
    return this.#heap.length - this.#answered;
  }

  /** Number of entries: the waiters, and some that have expired. */
  get held(): number {
    return this.#heap.length;
  }

  /** Resolves to true once `reached` was called with this position or a later one; to false when `timeoutMs` is over before. */
  add(position: Position, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiter: Waiter = { position, resolve, timeout: setTimeout(() => this.#expire(waiter), timeoutMs) };
      this.#heap.push(waiter);
      this.#rise(this.#heap.length - 1);
    });
  }

  reached(position: Position): void {
    for (let first = this.#heap[0]; first && (first.position <= position || !first.resolve); first = this.#heap[0]) {
      this.#removeFirst();
      if (first.resolve) this.#answer(first, true);
      else this.#answered--;
    }
  }

  /** Answers all waiters with false. */
  giveUp(): void {
    for (const waiter of this.#heap) this.#answer(waiter, false);
    this.#heap = [];
    this.#answered = 0;
  }

  #answer(waiter: Waiter, reached: boolean): void {
    clearTimeout(waiter.timeout);
    waiter.resolve?.(reached);
    waiter.resolve = undefined;
  }

  /** Leaves the waiter in the heap, because a removal would cost a search; the heap is swept when half of it has expired. */
  #expire(waiter: Waiter): void {
    this.#answer(waiter, false);
    this.#answered++;
    if (this.#answered < SWEEP_FROM || this.#answered * 2 < this.#heap.length) return;
    // An array in ascending order is a heap.
    this.#heap = this.#heap.filter(({ resolve }) => resolve).sort((a, b) => (a.position < b.position ? -1 : 1));
    this.#answered = 0;
  }

  #rise(from: number): void {
    const heap = this.#heap;
    const waiter = heap[from]!;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]!.position <= waiter.position) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = waiter;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const waiter = heap.pop()!;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]!.position < heap[child]!.position) child++;
      if (heap[child]!.position >= waiter.position) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = waiter;
  }
}

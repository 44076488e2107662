import { StoreUnavailable } from './event-store.js';

/** Returns the answer. @throws StoreUnavailable when it is not there by the deadline, on the clock of `performance.now()` */
export async function inTime<T>(deadline: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable('no answer in time')), deadline - performance.now());
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

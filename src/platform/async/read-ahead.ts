import { handledLater } from './waiting.js';

/** Yields the items in their order. The next one is prepared while the caller works on the last one. */
export async function* readAhead<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const source = items[Symbol.asyncIterator]();
  let next = handledLater(source.next());
  try {
    for (;;) {
      const read = await next;
      if (read.done) return;
      next = handledLater(source.next());
      yield read.value;
    }
  } finally {
    // Nothing is under way when the caller continues.
    await next.catch(() => undefined);
    await source.return?.();
  }
}

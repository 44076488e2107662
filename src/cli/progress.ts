/** Progress of a long command. */
export interface Progress {
  advance(by: number): void;
  /** Removes the line. */
  end(): void;
}

const REDRAW_MS = 100;
const BAR_WIDTH = 30;

/** Redraws one line; prints nothing when the stream is no terminal. */
export function progressOn(stream: NodeJS.WriteStream, label: string, total: number): Progress {
  if (!stream.isTTY) return { advance: () => undefined, end: () => undefined };
  const startedAt = performance.now();
  let done = 0;
  let drawnAt = -Infinity;
  return {
    advance(by) {
      done += by;
      const now = performance.now();
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      stream.write(`\r\x1b[K${progressLine(label, done, total, (now - startedAt) / 1000)}`);
    },
    end() {
      stream.write('\r\x1b[K');
    },
  };
}

/** Prints one line for a step of unknown length; nothing when the stream is no terminal. */
export function statusOn(stream: NodeJS.WriteStream, words: string): Progress {
  if (stream.isTTY) stream.write(`\r\x1b[K${words} …`);
  return {
    advance: () => undefined,
    end: () => void (stream.isTTY && stream.write('\r\x1b[K')),
  };
}

/** Returns a line such as `charges  ██████░░░░  60 %  6,000 of 10,000  3,000/s  1 s left`. */
export function progressLine(label: string, done: number, total: number, seconds: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * BAR_WIDTH);
  const rate = seconds > 0 ? done / seconds : 0;
  const left = rate > 0 ? `  ${Math.ceil((total - done) / rate)} s left` : '';
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  const count = (value: number): string => Math.round(value).toLocaleString('en');
  return `${label}  ${bar}  ${Math.floor(share * 100)} %  ${count(done)} of ${count(total)}  ${count(rate)}/s${left}`;
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { timeLimit } from '../../src/platform/waiting.js';

describe('a time limit', () => {
  it('comes below another signal, too, however often memory is collected before', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const signal = AbortSignal.any([new AbortController().signal, timeLimit(100)]);
    const over = new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)));
    const collecting = setInterval(collect, 10);
    await expect(over).resolves.toMatchObject({ name: 'TimeoutError' });
    clearInterval(collecting);
  });
});

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli, startCli } from '../support/run-cli.js';

const NOT_RUN = 'rails simulate';
const PLACES = ['Works on the ledger itself, with the environment of the service', 'Calls the service over REST, from any machine.'];

describe('the help of commands', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chargebook-help-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const cli = (...args: string[]) => runCli(args, { DATA_DIR: join(folder, 'none'), PORT: '1' }, folder);
  const helpOf = async (...words: string[]): Promise<string> => (await cli(...words, '--help')).stdout;
  const childrenIn = (help: string): string[] =>
    [...(/^Commands:\n((?: .*\n)+)/m.exec(help)?.[1] ?? '').matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name!).filter((name) => name !== 'help');

  it('each group has an example that the command line accepts', async () => {
    const groups = childrenIn(await helpOf());
    expect(groups.length).toBeGreaterThan(20);
    for (const group of groups) {
      const help = await helpOf(group);
      if (childrenIn(help).length === 0) continue;
      const example = /^Example:\n {2}chargebook (.*)$/m.exec(help)?.[1] ?? `no example of ${group}`;
      expect([group, example.startsWith(`${group} `)]).toEqual([group, true]);
      if (example.startsWith(NOT_RUN)) continue;
      const words = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!);
      const { code, stderr } = await cli(...words);
      // Exit code 2 is wrong usage. Here are no ledger, no service and no file.
      expect([example, code, /no ledger|no such file|no published exchanges|is missing/.test(stderr)]).toEqual([example, 1, true]);
    }
  });

  it('the example of a simulated provider starts one', async () => {
    const [, words] = /^Example:\n {2}chargebook (.*)$/m.exec(await helpOf('rails'))!;
    const simulator = startCli([...words!.split(' '), '--port', '0'], {}, folder);
    for await (const line of createInterface(simulator.stdout)) if (/http:\/\/127\.0\.0\.1:\d+/.test(line)) break;
    simulator.kill('SIGTERM');
    expect((await once(simulator, 'close'))[0]).toBe(0);
  });

  it('each command names the place of its work', async () => {
    const placed: Record<string, string[]> = {};
    for (const group of childrenIn(await helpOf())) {
      const children = childrenIn(await helpOf(group));
      for (const words of children.length === 0 ? [[group]] : children.map((child) => [group, child])) {
        const help = (await helpOf(...words)).replaceAll(/\s+/g, ' ');
        const place = PLACES.findIndex((each) => help.includes(each));
        (placed[place] ??= []).push(words.join(' '));
        expect([words, help.includes('--url <address>') && place === 0 && !help.includes('For a proposal')]).toEqual([words, false]);
      }
    }
    expect(placed['-1']).toEqual([NOT_RUN, 'recon profiles', 'completion']);
    expect(placed['0']).toEqual(expect.arrayContaining(['recon import', 'recon close', 'audit verify', 'merchant create', 'fee set', 'seed']));
    expect(placed['1']).toEqual(expect.arrayContaining(['proposal list', 'period close', 'payout approve', 'policy propose', 'listen', 'trigger']));
    expect(await cli('recon', 'status', '--url', 'http://127.0.0.1:3000')).toMatchObject({
      code: 2,
      stderr: "error: unknown option '--url': this command works on the ledger itself\n",
    });
  });
});

import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { built } from '../support/built.js';

/** Scripts that print a shell's completions of the last of `words`. They load the program's own script as the shell does at its start. */
const SHELLS: Readonly<Record<string, { readonly args: readonly string[]; readonly script: (words: readonly string[]) => string }>> = {
  bash: {
    args: ['--norc', '-c'],
    script: (words) => `source <(chargebook completion bash)
      complete -p chargebook
      COMP_WORDS=(chargebook ${words.map((word) => `'${word}'`).join(' ')})
      COMP_CWORD=${words.length}
      _chargebook
      printf '%s\\n' "\${COMPREPLY[@]}"`,
  },
  // zsh completes only in a terminal, so it runs in a pseudo-terminal. The list of completions is read as zsh draws it.
  zsh: {
    args: ['-f', '-c'],
    script: (words) => `zmodload zsh/zpty
      zpty z zsh -f -i
      zpty -w z 'autoload -Uz compinit; compinit -u -D; source <(chargebook completion zsh); stty columns 200; setopt list_ambiguous no_beep; PS1=READ; PS1=$PS1"Y "'
      zpty -r -m z line '*READY *'
      zpty -w -n z $'chargebook ${words.join(' ')}\\t\\t'
      zpty -r -m z line "$EXPECTED"
      print -r -- $line`,
  },
  'zsh, out of fpath': {
    args: ['-f', '-c'],
    script: (words) => `chargebook completion zsh > $HOME/_chargebook
      zmodload zsh/zpty
      zpty z zsh -f -i
      zpty -w z 'fpath=($HOME $fpath); autoload -Uz compinit; compinit -u -D; stty columns 200; setopt list_ambiguous no_beep; PS1=READ; PS1=$PS1"Y "'
      zpty -r -m z line '*READY *'
      zpty -w -n z $'chargebook ${words.join(' ')}\\t\\t'
      zpty -r -m z line "$EXPECTED"
      print -r -- $line`,
  },
  fish: { args: ['--no-config', '-c'], script: (words) => `chargebook completion fish | source; complete -C 'chargebook ${words.join(' ')}'` },
};

const run = promisify(execFile);
let bin: string;

beforeAll(async () => {
  bin = await mkdtemp(join(tmpdir(), 'chargebook-completion-'));
  const file = join(bin, 'chargebook');
  await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${built('src/cli/main.js')}' "$@"\n`);
  await chmod(file, 0o755);
});
afterAll(() => rm(bin, { recursive: true, force: true }));

describe.each(Object.entries(SHELLS))('the completion script of %s', (name, { args, script }) => {
  const shell = name.split(',')[0]!;
  const isInstalled = spawnSync(shell, ['--version']).status === 0;
  const offered = async (words: readonly string[], expected: string): Promise<string> => {
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, HOME: bin, EXPECTED: `*${expected}*` };
    return (await run(shell, [...args, script(words)], { env })).stdout;
  };

  (isInstalled ? it : it.skip).each([
    { words: ['fi'], first: 'finance-key', also: 'finance-key' },
    { words: ['projections', 're'], first: 'rebuild', also: 'retry' },
    { words: ['events', 'export', '--format', ''], first: 'csv', also: 'ndjson' },
    { words: ['trigger', 'payout.c'], first: 'payout.cancelled', also: 'payout.created' },
    { words: ['key', 'issue', '--merchant', 'x', '--'], first: '--expires', also: '--scopes' },
  ])(`offers $first and $also behind $words${isInstalled ? '' : ` (skipped: ${shell} is not installed)`}`, async ({ words, first, also }) => {
    const text = await offered(words, [...new Set([first, also])].sort().join('*'));
    expect(text).toContain(first);
    expect(text).toContain(also);
    expect(text).not.toContain('merchant create');
  });
});

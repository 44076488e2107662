import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { transform } from '@swc/core';
import { signedHeaders, verificationSecret } from '../../src/domain/webhooks/signing.js';

/** A language's program around the block of docs/webhooks.md: it reads cases, and prints for each the type of its event, or `refused`. */
interface Language {
  readonly block: string;
  readonly installed: readonly [command: string, ...args: string[]];
  /** Files by name; CODE stands for the block. */
  readonly files: Readonly<Record<string, string>>;
  readonly run: readonly [command: string, ...args: string[]];
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  TypeScript: {
    block: 'typescript',
    installed: [process.execPath, '--version'],
    files: {
      'verify.mjs': 'CODE',
      'main.mjs': `import { readFileSync } from 'node:fs';
import { verify } from './verify.mjs';
for (const { secret, headers, body } of JSON.parse(readFileSync('cases.json', 'utf8'))) {
  try { console.log(verify(secret, headers, body).type); } catch (error) { console.log('refused'); }
}`,
    },
    run: [process.execPath, 'main.mjs'],
  },
  Python: {
    block: 'python',
    installed: ['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 9))'],
    files: {
      'main.py': `CODE
for case in json.load(open("cases.json", encoding="utf8")):
    try:
        print(verify(case["secret"], case["headers"], case["body"].encode())["type"])
    except ValueError:
        print("refused")
`,
    },
    run: ['python3', 'main.py'],
  },
  PHP: {
    block: 'php',
    installed: ['php', '--version'],
    files: {
      'main.php': `CODE
foreach (json_decode(file_get_contents('cases.json'), true) as $case) {
    try {
        echo verify($case['secret'], $case['headers'], $case['body'])['type'], "\\n";
    } catch (RuntimeException) {
        echo "refused\\n";
    }
}
`,
    },
    run: ['php', 'main.php'],
  },
  Go: {
    block: 'go',
    installed: ['go', 'version'],
    files: {
      'go.mod': 'module example\n\ngo 1.18\n',
      'webhook/webhook.go': 'CODE',
      'main.go': `package main

import (
	"encoding/json"
	"example/webhook"
	"fmt"
	"net/http"
	"os"
)

func main() {
	var cases []struct {
		Secret  string
		Headers map[string]string
		Body    string
	}
	text, _ := os.ReadFile("cases.json")
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	for _, one := range cases {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		if event, err := webhook.Verify(one.Secret, header, []byte(one.Body)); err != nil {
			fmt.Println("refused")
		} else {
			fmt.Println(event.Type)
		}
	}
}
`,
    },
    run: ['go', 'run', '.'],
  },
};

const KEY = Buffer.from('a secret of 16 or more');
const OTHER = Buffer.from('another secret of mine');
const BODY = JSON.stringify({
  id: 'an-id',
  type: 'charge.succeeded',
  sequence: 2,
  previous_sequence: 1,
  data: { description: 'Kopi “senja” 😀', amount: 10000 },
});

function cases() {
  const now = Math.floor(Date.now() / 1000);
  const secret = verificationSecret(KEY);
  const good = { secret, headers: signedHeaders([KEY], 'an-id', now, BODY), body: BODY };
  const without = (name: string) => ({ ...good, headers: Object.fromEntries(Object.entries(good.headers).filter(([each]) => each !== name)) });
  return {
    genuine: good,
    'after a change of key': { ...good, headers: signedHeaders([OTHER, KEY], 'an-id', now, BODY) },
    'another key': { ...good, headers: signedHeaders([OTHER], 'an-id', now, BODY) },
    'an altered body': { ...good, body: BODY.replace('10000', '99999') },
    'an altered id': { ...good, headers: { ...good.headers, 'webhook-id': 'other' } },
    'too old': { ...good, headers: signedHeaders([KEY], 'an-id', now - 330, BODY) },
    'from the future': { ...good, headers: signedHeaders([KEY], 'an-id', now + 330, BODY) },
    'a time that is none': { ...good, headers: signedHeaders([KEY], 'an-id', NaN, BODY) },
    'no signature': without('webhook-signature'),
    'no time': without('webhook-timestamp'),
    'an empty signature': { ...good, headers: { ...good.headers, 'webhook-signature': 'v1,' } },
  };
}

const run = promisify(execFile);
let text: string;
const folders: string[] = [];
beforeAll(async () => {
  text = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
});
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function codeOf({ block }: Language): Promise<string> {
  const code = text.split(`\`\`\`${block}\n`)[1]!.split('```')[0]!;
  return block === 'typescript'
    ? (await transform(code, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'es6' } })).code
    : code;
}

describe('the code that verifies a webhook, as docs/webhooks.md has it', () => {
  for (const [name, language] of Object.entries(LANGUAGES)) {
    const [command, ...args] = language.installed;
    const isInstalled = spawnSync(command, args).status === 0;
    (isInstalled ? it : it.skip)(
      `takes what the service signs and nothing else, in ${name}${isInstalled ? '' : ' (skipped: it is not installed)'}`,
      async () => {
        const folder = await mkdtemp(join(tmpdir(), 'chargebook-snippet-'));
        folders.push(folder);
        const code = await codeOf(language);
        const files = { ...language.files, 'cases.json': JSON.stringify(Object.values(cases())) };
        for (const [file, content] of Object.entries(files)) {
          await mkdir(join(folder, dirname(file)), { recursive: true });
          await writeFile(
            join(folder, file),
            content.replace('CODE', () => code),
          );
        }
        const [program, ...rest] = language.run;
        const env = { ...process.env, GOCACHE: join(tmpdir(), 'chargebook-go-cache'), GO111MODULE: 'on', GOFLAGS: '-mod=mod' };
        const { stdout } = await run(program, rest, { cwd: folder, env });
        const outcome = Object.fromEntries(Object.keys(cases()).map((each, index) => [each, stdout.split('\n')[index]]));
        const refused = Object.fromEntries(Object.keys(cases()).map((each) => [each, 'refused']));
        expect(outcome).toEqual({ ...refused, genuine: 'charge.succeeded', 'after a change of key': 'charge.succeeded' });
      },
    );
  }
});

import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setChannel } from '../../src/domain/merchants/merchant.commands.js';
import { leftToNight } from '../support/nightly.js';
import { documentsOf } from '../support/openapi.js';
import { startTestService, type TestMerchant, type TestService } from '../support/service.js';

const run = promisify(execFile);

/** Tools and libraries come from there. */
const PACKAGES = 'https://api.nuget.org/v3/index.json';
const isReachable = (): Promise<boolean> =>
  fetch(PACKAGES, { signal: AbortSignal.timeout(10_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
async function findLack(): Promise<string> {
  if (leftToNight !== '') return leftToNight;
  if (spawnSync('dotnet', ['--version']).status !== 0) return ' (skipped: no .NET SDK is installed)';
  return (await isReachable()) ? '' : ` (skipped: ${PACKAGES} is not reachable)`;
}
const lack = await findLack();

/** No server of the compiler stays behind. */
const ENV = { ...process.env, DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1', MSBUILDDISABLENODEREUSE: '1', UseSharedCompilation: 'false' };
const NAMES: Readonly<Record<string, string>> = {
  'openapi.json': 'Merchants',
  'openapi/audit.json': 'Finance',
  'openapi/processors.json': 'Processors',
};
const BUILT_WITHIN_MS = 900_000;

/** Passes 2^31, and so do its settlement, its payout and the balances. */
const AMOUNT = 6_000_000_000;
const FEE = AMOUNT * 0.007;

(lack === '' ? describe : describe.skip)(`the clients that NSwag and Kiota generate in C#${lack}`, () => {
  let service: TestService;
  let folder: string;
  const dotnet = async (...args: readonly string[]): Promise<string> => {
    try {
      return (await run('dotnet', args, { cwd: folder, env: ENV, maxBuffer: 2 ** 26 })).stdout;
    } catch (error) {
      throw new Error(`dotnet ${args.join(' ')}: ${(error as { readonly stdout?: string }).stdout}`, { cause: error });
    }
  };

  beforeAll(async () => {
    service = await startTestService();
    folder = await mkdtemp(join(tmpdir(), 'chargebook-dotnet-'));
    await cp('test/client/dotnet', folder, { recursive: true });
    await dotnet('tool', 'restore');
    for (const [file, document] of await documentsOf(service.url)) {
      const name = NAMES[file]!;
      const input = join(folder, `${name}.json`);
      await writeFile(input, JSON.stringify(document));
      await dotnet(
        ...['nswag', 'openapi2csclient', `/input:${input}`, `/output:NSwag/${name}.cs`],
        ...[`/namespace:Chargebook.NSwag.${name}`, `/classname:${name}Client`],
      );
      await dotnet('kiota', 'generate', '-l', 'CSharp', '-d', input, '-o', `Kiota/${name}`, '-n', `Chargebook.Kiota.${name}`, '-c', `${name}Client`);
    }
  }, BUILT_WITHIN_MS);
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  it(
    'of all documents compile without a warning, and charge, pay, refund, pay out and list',
    async () => {
      expect(await dotnet('build', '--output', 'built', '--verbosity', 'quiet')).toMatch(/ 0 Warning\(s\)\n\s+0 Error\(s\)/);
      const merchants: TestMerchant[] = [];
      for (const name of ['NSwag', 'Kiota']) {
        const merchant = await service.newMerchant({ name });
        await setChannel(service.deps, merchant.merchant_id, 'QR_QRIS', { max_amount: AMOUNT });
        merchants.push(merchant);
      }
      const { body: channels } = await service.call('GET', '/v1/merchants/me/channels', { key: merchants[0]!.key });
      const withoutRefund = (channels as { readonly refund: unknown }[]).filter(({ refund }) => refund === null).length;
      expect(withoutRefund).toBeGreaterThan(0);
      const lines = (await dotnet('built/Clients.dll', service.url, String(AMOUNT), ...merchants.map(({ key }) => key))).trim().split('\n');
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
        ['NSwag', 'Kiota'].map((Client) => ({
          Client,
          HasWebHook: false,
          ChannelsWithoutRefund: withoutRefund,
          HasAddress: false,
          City: 'Bandung',
          Paid: 'SUCCEEDED SETTLED',
          Settled: AMOUNT - FEE,
          Refunded: expect.stringMatching(/^[A-Z]+ REQUESTED_BY_CUSTOMER$/),
          RefundedAmount: 4_000,
          PayoutNet: AMOUNT / 2 - 250_000,
          PayoutStatus: expect.stringMatching(/^(PENDING|PROCESSING)$/),
          HasApproval: false,
          Available: AMOUNT / 2 - FEE - 3_972,
          Lists: [1, 1, 1, 1, 2],
          Events: 1,
          Refusal: '404 There is no such record or path',
        })),
      );
    },
    BUILT_WITHIN_MS,
  );
});

import { Command, InvalidArgumentError } from 'commander';
import type { Verification } from '../../audit/recount.js';
import { loadEncryptionKey } from '../../encryption-key.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';

type Verified = Verification & { readonly met: ReadonlyMap<string, number> };

export const auditVerify = (cli: Cli): Command =>
  new Command('verify')
    .description('read the whole log again and compare it with what was sealed; exit 1 when anything is wrong')
    .option('--offline <file>', 'check an export (NDJSON) or a proof instead, without any database; needs --head')
    .option('--head <hash>', 'a head that was kept: it must be the root of a beginning of the log (may be given several times)', headHash, [])
    .action(async ({ offline, head }: { readonly offline?: string; readonly head: readonly string[] }, command: Command) => {
      if (offline !== undefined && head.length === 0) command.error("error: option '--offline <file>' needs '--head <hash>'");
      const { met, ...verified } = await (offline === undefined ? online(cli, head) : verifyOffline(cli, offline, head));
      await cli.answer(verified, () => inWords(verified, met));
      if (verified.fault !== null)
        throw new CommandFailed(verified.broken_at === null ? verified.fault : `broken at ${verified.broken_at}: ${verified.fault}`);
    });

function headHash(text: string, before: readonly string[]): readonly string[] {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('It is no head: 64 hexadecimal digits.');
  return [...before, text.toLowerCase()];
}

async function verifyOffline(cli: Cli, file: string, heads: readonly string[]): Promise<Verified> {
  const { verifyFile } = await import('../../audit/verify-file.js');
  return verifyFile(file, heads, cli.signal);
}

async function online(cli: Cli, heads: readonly string[]): Promise<Verified> {
  const [{ verifyLog }, { ChainKeys }, { findHead }, { loadServiceSecret }, { createPool }] = await Promise.all([
    import('../../audit/verify-log.js'),
    import('../../audit/chain-keys.js'),
    import('../../audit/chain.js'),
    import('../../service-secret.js'),
    import('../../platform/postgres/pool.js'),
  ]);
  return cli.withStores(async ({ config, databaseUrl, eventStore: store }) => {
    const keys = new ChainKeys(await loadServiceSecret(databaseUrl, await loadEncryptionKey(config, databaseUrl)));
    const pool = createPool({ url: databaseUrl, applicationName: 'chargebook-verify', statementTimeoutMs: 60_000, maxConnections: 2 });
    const progress = cli.progress('events', (await findHead(pool))?.events ?? 0);
    try {
      return await verifyLog({ pool, store, keys, heads, signal: cli.signal, onProgress: (events) => progress.advance(events) });
    } finally {
      progress.end();
      await pool.end();
    }
  });
}

function inWords({ events, head, trial_balance_difference, unsealed, fault }: Verification, met: ReadonlyMap<string, number>): string {
  const count = (value: number): string => value.toLocaleString('en');
  return [
    `${count(events)} events, ${count(events - unsealed)} under a head, ${count(unsealed)} behind it.`,
    `Head ${head ?? '– (nothing is sealed)'}`,
    `Trial balance difference ${trial_balance_difference}`,
    ...[...met].map(([hash, size]) => `${hash} is the root of the first ${count(size)}.`),
    fault === null ? 'Everything is as it was sealed.' : `Broken: ${fault}.`,
  ].join('\n');
}

import { Command, InvalidArgumentError } from 'commander';
import type { KeptHead, KeptHeads, Verification } from '../../transparency-log/recount.js';
import { loadEncryptionKey } from '../../app/encryption-key.js';
import type { Cli } from '../cli.js';
import { CommandFailed } from '../failures.js';

type Verified = Verification & { readonly met: ReadonlyMap<string, number> };

interface Options {
  readonly offline?: string;
  readonly head: readonly string[];
  readonly from: readonly string[];
  readonly key?: string;
}

export const auditVerify = (cli: Cli): Command =>
  new Command('verify')
    .description('read the whole log again and compare it with the sealed heads; exit 1 on any difference')
    .option(
      '--offline <file>',
      'check an export (NDJSON), a proof or a remittance advice instead, without a database; needs --head or --from, or --key for an advice',
    )
    .option('--head <hash>', 'a head that you kept: it must be the root of a beginning of the log (may be given several times)', headHash, [])
    .option(
      '--from <head>',
      'a head that you kept: the log must have been only appended to since (a file with the response of /audit/chain/head, or EVENTS:HASH; may be given several times)',
      (text: string, before: readonly string[]) => [...before, text],
      [],
    )
    .option('--key <hex>', 'the public key that "audit key" prints: an advice must be signed with it', publicKey)
    .action(async ({ offline, head, from, key }: Options, command: Command) => {
      if (key !== undefined && (offline === undefined || head.length + from.length > 0))
        command.error("error: option '--key <hex>' can only be used with '--offline <file>'");
      if (offline !== undefined && key !== undefined) return answerAdvice(cli, offline, key);
      if (offline !== undefined && head.length + from.length === 0)
        command.error("error: option '--offline <file>' needs '--head <hash>' or '--from <head>', or '--key <hex>' for a remittance advice");
      const kept = { hashes: head, from: await Promise.all(from.map(readHead)) };
      const { met, ...verified } = await (offline === undefined ? online(cli, kept) : verifyOffline(cli, offline, kept));
      await cli.answer(verified, () => inWords(verified, met));
      if (verified.fault !== null)
        throw new CommandFailed(verified.broken_at === null ? verified.fault : `broken at ${verified.broken_at}: ${verified.fault}`);
    });

function headHash(text: string, before: readonly string[]): readonly string[] {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('Must be a head of 64 hexadecimal digits.');
  return [...before, text.toLowerCase()];
}

function publicKey(text: string): string {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('Must be a public key of 64 hexadecimal digits.');
  return text.toLowerCase();
}

/** @throws CommandFailed when the file does not contain an advice, or not the signed one */
async function answerAdvice(cli: Cli, file: string, key: string): Promise<void> {
  const { verifyAdvice } = await import('../../transparency-log/verify-file.js');
  const verified = await verifyAdvice(file, key);
  if (!verified) throw new CommandFailed(`${file} is not a remittance advice`);
  const { payout_id, position, fault } = verified;
  const words = fault === null ? 'It is as it was signed.' : `Broken: ${fault}.`;
  await cli.answer(verified, () => `Remittance advice of payout ${payout_id}, event ${position}.\n${words}`);
  if (fault !== null) throw new CommandFailed(fault);
}

/** @throws CommandFailed when the text is no head */
async function readHead(text: string): Promise<KeptHead> {
  const [, events, hash] = /^([1-9]\d{0,15}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (events !== undefined && hash !== undefined) return { events: Number(events), hash: hash.toLowerCase() };
  const [{ keptHead }, { readText, UnreadableText }] = await Promise.all([
    import('../../transparency-log/verify-file.js'),
    import('../../platform/text-file.js'),
  ]);
  const content = await readText(text).catch((error: unknown) => {
    if (error instanceof UnreadableText) throw error;
    return undefined;
  });
  const head = content === undefined ? undefined : keptHead(content);
  if (!head) throw new CommandFailed(`--from ${text}: must be a file with a response of /audit/chain/head, or EVENTS:HASH`);
  return { events: head.events, hash: head.hash, signed: head };
}

async function verifyOffline(cli: Cli, file: string, kept: KeptHeads): Promise<Verified> {
  const { verifyFile } = await import('../../transparency-log/verify-file.js');
  return verifyFile(file, kept, cli.signal);
}

async function online(cli: Cli, kept: KeptHeads): Promise<Verified> {
  const [{ verifyLog }, { ChainKeys }, { findHead }, { loadServiceSecret }, { createPool }] = await Promise.all([
    import('../../transparency-log/verify-log.js'),
    import('../../transparency-log/chain-keys.js'),
    import('../../transparency-log/chain.js'),
    import('../../app/service-secret.js'),
    import('../../platform/postgres/pool.js'),
  ]);
  return cli.withStores(async ({ config, databaseUrl, eventStore: store }) => {
    const keys = new ChainKeys(await loadServiceSecret(databaseUrl, await loadEncryptionKey(config, databaseUrl)));
    const pool = createPool({ url: databaseUrl, applicationName: 'chargebook-verify', statementTimeoutMs: 60_000, maxConnections: 2 });
    const progress = cli.progress('events', (await findHead(pool))?.events ?? 0);
    try {
      return await verifyLog({ pool, store, keys, kept, signal: cli.signal, onProgress: (events) => progress.advance(events) });
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

import { Command, InvalidArgumentError } from 'commander';
import type { KeptHead, KeptHeads, Verification } from '../../transparency-log/recount.js';
import type { VerifiedContent } from '../../transparency-log/verify-file.js';
import { storesInWords } from '../../app/stores-in-words.js';
import { loadEncryptionKey } from '../../app/encryption-key.js';
import type { Cli } from '../cli.js';
import { CommandFailed, emptyOption, requireEvents, whyUnreadable } from '../failures.js';

/** A result, the kind of content that was checked, and both in words. */
type Verified = Verification & { readonly checked: 'log' | VerifiedContent['kind']; readonly words: readonly string[] };

interface Options {
  readonly offline?: string;
  readonly head: readonly string[];
  readonly from: readonly string[];
  readonly key?: string;
  readonly empty?: true;
}

export const auditVerify = (cli: Cli): Command =>
  new Command('verify')
    .description('read the whole log again and compare it with the sealed heads; exit 1 on any difference')
    .option(
      '--offline <file>',
      'check an export (NDJSON), a proof or a remittance advice instead, without a database; needs --head or --from, or --key for an advice',
    )
    .option(
      '--head <hash>',
      'a head that you kept: it must be the root of a beginning of the log; EVENTS:HASH, as in As-Of-Head, of that beginning (may be given several times)',
      headHash,
      [],
    )
    .option(
      '--from <head>',
      'a head that you kept: the log must have been only appended to since (a file with the response of /audit/chain/head, or EVENTS:HASH; may be given several times)',
      (text: string, before: readonly string[]) => [...before, text],
      [],
    )
    .option('--key <hex>', 'the public key that "audit key" prints: an advice must be signed with it', publicKey)
    .addOption(emptyOption())
    .action(async ({ offline, head, from, key, empty }: Options, command: Command) => {
      if (key !== undefined && (offline === undefined || head.length + from.length > 0))
        command.error("error: option '--key <hex>' can only be used with '--offline <file>'");
      if (offline !== undefined && key !== undefined) return answerAdvice(cli, offline, key);
      if (offline !== undefined && head.length + from.length === 0)
        command.error("error: option '--offline <file>' needs '--head <hash>' or '--from <head>', or '--key <hex>' for a remittance advice");
      const [counted, hashes] = [head.filter((each) => each.includes(':')), head.filter((each) => !each.includes(':'))];
      const kept = { hashes, from: await Promise.all([...counted, ...from].map(readHead)) };
      const { words, ...verified } = offline === undefined ? await online(cli, kept) : await verifyOffline(cli, offline, kept);
      await cli.answer(verified, () => words.join('\n'));
      if (verified.fault !== null)
        throw new CommandFailed(verified.broken_at === null ? verified.fault : `broken at ${verified.broken_at}: ${verified.fault}`);
      requireEvents(verified.events, empty);
    });

function headHash(text: string, before: readonly string[]): readonly string[] {
  if (!/^(?:[1-9]\d{0,15}:)?[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('Must be a head of 64 hexadecimal digits, or EVENTS:HASH.');
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
    import('../../platform/text/text-file.js'),
  ]);
  const content = await readText(text).catch((error: unknown) => {
    if (error instanceof UnreadableText) throw error;
    throw new CommandFailed(`--from ${text}: ${whyUnreadable(error)}; it must be a file with a response of /audit/chain/head, or EVENTS:HASH`);
  });
  const head = keptHead(content);
  if (!head) throw new CommandFailed(`--from ${text}: it must be a file with a response of /audit/chain/head, or EVENTS:HASH`);
  return { events: head.events, hash: head.hash, signed: head };
}

async function verifyOffline(cli: Cli, file: string, kept: KeptHeads): Promise<Verified> {
  const { verifyFile } = await import('../../transparency-log/verify-file.js');
  const { met, content, ...verified } = await verifyFile(file, kept, cli.signal);
  return { ...verified, checked: content.kind, words: fileInWords(verified, met, content) };
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
      const read = { pool, store, keys, kept, signal: cli.signal, onProgress: (events: number) => progress.advance(events) };
      const { met, ...verified } = await verifyLog(read);
      return { ...verified, checked: 'log', words: logInWords(storesInWords(config), verified, met) };
    } finally {
      progress.end();
      await pool.end();
    }
  });
}

type Met = ReadonlyMap<string, number>;

function logInWords(ledger: string, { trial_balance_difference, ...log }: Verification, met: Met): string[] {
  return [`Ledger ${ledger}`, ...eventsInWords(log), `Trial balance difference ${trial_balance_difference}`, ...headsInWords(met), verdict(log)];
}

/** Names the content that the file proves, and nothing else. */
function fileInWords(verified: Verification, met: Met, content: VerifiedContent): string[] {
  if (content.kind === 'export')
    return [...eventsInWords(verified), `Debits and credits differ by ${verified.trial_balance_difference}`, ...headsInWords(met), verdict(verified)];
  if (verified.fault !== null) return [verdict(verified)];
  if (content.kind === 'consistency') {
    const { first, second } = content;
    return [
      ...headsInWords(met),
      `The first ${count(first.events)} of ${count(second.events)} events are those of the earlier head: the log was only appended to.`,
      'Events themselves were not checked.',
    ];
  }
  const { position, type, id } = content;
  return [...headsInWords(met), `Event ${count(position)}, ${type} ${id}, is as it was sealed under this head.`, 'No other event was checked.'];
}

const eventsInWords = ({ events, unsealed, head }: Pick<Verification, 'events' | 'unsealed' | 'head'>): string[] => [
  `${count(events)} events, ${count(events - unsealed)} under a head, ${count(unsealed)} behind it.`,
  `Head ${head ?? '– (nothing is sealed)'}`,
];
const headsInWords = (met: Met): string[] => [...met].map(([hash, size]) => `${hash} is the root of the first ${count(size)}.`);
const verdict = ({ fault }: Pick<Verification, 'fault'>): string => (fault === null ? 'Everything is as it was sealed.' : `Broken: ${fault}.`);
const count = (value: number): string => value.toLocaleString('en');

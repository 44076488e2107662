import { Command, CommanderError } from 'commander';
import { Cli } from './cli.js';
import { atClose } from './commands/at-close.js';
import { atList } from './commands/at-list.js';
import { atOpen } from './commands/at-open.js';
import { auditKey } from './commands/audit-key.js';
import { auditVerify } from './commands/audit-verify.js';
import { calendarSet } from './commands/calendar-set.js';
import { calendarShow } from './commands/calendar-show.js';
import { channelSet } from './commands/channel-set.js';
import { disputeEraseEvidence } from './commands/dispute-erase-evidence.js';
import { encryptionKeyRetire } from './commands/encryption-key-retire.js';
import { encryptionKeyRotate } from './commands/encryption-key-rotate.js';
import { eventsCopy } from './commands/events-copy.js';
import { eventsExport } from './commands/events-export.js';
import { eventsShow } from './commands/events-show.js';
import { eventsTypes } from './commands/events-types.js';
import { feeSet } from './commands/fee-set.js';
import { financeKeyIssue } from './commands/finance-key-issue.js';
import { complete, completion } from './commands/completion.js';
import { financeKeyList } from './commands/finance-key-list.js';
import { keyList } from './commands/key-list.js';
import { keyIssue } from './commands/key-issue.js';
import { keyRevoke } from './commands/key-revoke.js';
import { keyRotate } from './commands/key-rotate.js';
import { listen } from './commands/listen.js';
import { merchantCreate } from './commands/merchant-create.js';
import { merchantList } from './commands/merchant-list.js';
import { merchantRail } from './commands/merchant-rail.js';
import { merchantShow } from './commands/merchant-show.js';
import { operatorAdd } from './commands/operator-add.js';
import { operatorKey } from './commands/operator-key.js';
import { operatorList } from './commands/operator-list.js';
import { operatorRestore } from './commands/operator-restore.js';
import { operatorRoles } from './commands/operator-roles.js';
import { operatorSuspend } from './commands/operator-suspend.js';
import { payoutAcceptName } from './commands/payout-accept-name.js';
import { payoutApprove, payoutDecline } from './commands/payout-approve.js';
import { payoutResolve } from './commands/payout-resolve.js';
import { periodClose } from './commands/period-close.js';
import { periodShow } from './commands/period-show.js';
import { policyPropose } from './commands/policy-propose.js';
import { policyShow } from './commands/policy-show.js';
import { projectionsRebuild } from './commands/projections-rebuild.js';
import { projectionsRetry } from './commands/projections-retry.js';
import { projectionsRollback } from './commands/projections-rollback.js';
import { projectionsSetAside } from './commands/projections-set-aside.js';
import { projectionsStatus } from './commands/projections-status.js';
import { projectionsVerify } from './commands/projections-verify.js';
import { proposalApprove, proposalReject, proposalWithdraw } from './commands/proposal-act.js';
import { proposalList } from './commands/proposal-list.js';
import { proposalMake } from './commands/proposal-make.js';
import { proposalShow } from './commands/proposal-show.js';
import { processorRecord } from './commands/processor-record.js';
import { railAllow } from './commands/rail-allow.js';
import { railCheck } from './commands/rail-check.js';
import { railList } from './commands/rail-list.js';
import { railPause } from './commands/rail-pause.js';
import { railResume } from './commands/rail-resume.js';
import { railRetireOld } from './commands/rail-retire-old.js';
import { railRotate } from './commands/rail-rotate.js';
import { railRoute } from './commands/rail-route.js';
import { railSet } from './commands/rail-set.js';
import { railStatement } from './commands/rail-statement.js';
import { railWithdraw } from './commands/rail-withdraw.js';
import { railsSimulate } from './commands/rails-simulate.js';
import { reconImport } from './commands/recon-import.js';
import { reconClose } from './commands/recon-close.js';
import { reconProfiles } from './commands/recon-profiles.js';
import { reconRun } from './commands/recon-run.js';
import { reconSource } from './commands/recon-source.js';
import { reconVerify } from './commands/recon-verify.js';
import { reconStatus } from './commands/recon-status.js';
import { settlementRefuseLine } from './commands/settlement-refuse-line.js';
import { simulatorFiles } from './commands/simulator-files.js';
import { psql } from './commands/psql.js';
import { seed } from './commands/seed.js';
import { triggerCommand } from './commands/trigger.js';
import { whatIf } from './commands/what-if.js';
import { VERSION } from '../app/version.js';
import { inOneLine } from './failures.js';
import { ON_THE_LEDGER } from './service-client.js';
import { OutputClosed } from './output.js';
import { connectPatiently } from '../platform/postgres/connect-timeout.js';

/**
 * The `chargebook` command. Exit codes: 0 done; 1 failed, with one line on standard error; 2 wrong usage; 3 an approval is needed; 130 and 143
 * interrupted; 141 the reader of the output has closed it; for psql, its own.
 */

type Make = (cli: Cli) => Command;

/** The id of a record in examples. */
const ID = '0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d';

const GROUPS: readonly { readonly name: string; readonly description: string; readonly example: string; readonly commands: readonly Make[] }[] = [
  {
    name: 'merchant',
    description: 'register merchants, list them, show the terms of one, choose its rails',
    example: 'merchant create --name "Kopi Kita" --country ID',
    commands: [merchantCreate, merchantList, merchantShow, merchantRail],
  },
  {
    name: 'key',
    description: 'API keys of merchants: list, issue, revoke, rotate',
    example: `key issue --merchant ${ID} --scopes charges:read,balances:read`,
    commands: [keyList, keyIssue, keyRevoke, keyRotate],
  },
  {
    name: 'finance-key',
    description: 'keys that read across merchants, and sign in to the console',
    example: 'finance-key issue --name Auditor',
    commands: [financeKeyList, financeKeyIssue],
  },
  {
    name: 'operator',
    description: 'operators, who prepare and approve changes: their roles and their keys',
    example: 'operator add --name Siti --email siti@bank.example --roles preparer --reason "joins the desk"',
    commands: [operatorAdd, operatorList, operatorRoles, operatorSuspend, operatorRestore, operatorKey],
  },
  {
    name: 'policy',
    description: 'approval policies: which payouts, adjustments and settings need how many approvals',
    example: 'policy show',
    commands: [policyShow, policyPropose],
  },
  {
    name: 'proposal',
    description: 'changes that one operator proposes and another approves or rejects',
    example: 'proposal list --status pending',
    commands: [proposalList, proposalShow, proposalMake, proposalApprove, proposalReject, proposalWithdraw],
  },
  {
    name: 'period',
    description: 'close a month of the books, and show it as closed and as corrected',
    example: 'period close 2026-01 --mode live --reason "January is complete"',
    commands: [periodClose, periodShow],
  },
  {
    name: 'encryption-key',
    description: 'replace ENCRYPTION_KEY, which seals personal data and signs addresses',
    example: 'encryption-key rotate',
    commands: [encryptionKeyRotate, encryptionKeyRetire],
  },
  {
    name: 'channel',
    description: 'payment channels of a merchant: switch one on or off, set its limits',
    example: `channel set qr_qris --merchant ${ID} --min 1000`,
    commands: [channelSet],
  },
  {
    name: 'calendar',
    description: 'holidays by which payments become due',
    example: 'calendar set --country ID --file docs/holidays.json',
    commands: [calendarSet, calendarShow],
  },
  { name: 'fee', description: 'fees of a merchant', example: `fee set --merchant ${ID} --channel qr_qris --percentage 0.7`, commands: [feeSet] },
  {
    name: 'rail',
    description: 'connections to payment providers and banks: set up, check, pause, rotate credentials, route money to',
    example: 'rail check xendit-sandbox',
    commands: [
      ...[railSet, railCheck, railList, railRotate, railRetireOld, railPause, railResume, railRoute, railAllow, railWithdraw],
      railStatement,
    ],
  },
  { name: 'rails', description: 'simulated providers, to try rails with', example: 'rails simulate --profile bca', commands: [railsSimulate] },
  {
    name: 'processor',
    description: 'record the answers of a provider’s sandbox',
    example: 'processor record xendit-sandbox --sandbox',
    commands: [processorRecord],
  },
  {
    name: 'events',
    description: 'the event log: show a stream, export it, copy it to another store',
    example: `events show charge-${ID}`,
    commands: [eventsShow, eventsExport, eventsCopy, eventsTypes],
  },
  {
    name: 'settlement',
    description: 'take a line that cannot be settled out of its settlement',
    example: `settlement refuse-line ${ID} 3 --reason "looked at with the processor"`,
    commands: [settlementRefuseLine],
  },
  {
    name: 'payout',
    description: 'payouts that wait for an operator: approve, decline, accept a name, record a result',
    example: `payout resolve ${ID} --paid --evidence "statement of 31 January" --by Siti`,
    commands: [payoutAcceptName, payoutResolve, payoutApprove, payoutDecline],
  },
  {
    name: 'dispute',
    description: 'destroy the key of a dispute’s evidence',
    example: `dispute erase-evidence ${ID}`,
    commands: [disputeEraseEvidence],
  },
  {
    name: 'recon',
    description: 'reconciliation: sources, files of banks and processors, days to close',
    example: 'recon import statement.xml --source live-bca',
    commands: [reconSource, reconProfiles, reconImport, reconRun, reconClose, reconVerify, reconStatus],
  },
  {
    name: 'simulator',
    description: 'statement files of the simulated processor and bank',
    example: 'simulator files --day 2026-01-31 --out files',
    commands: [simulatorFiles],
  },
  {
    name: 'audit',
    description: 'verify that no event was changed, with the database or from a file',
    example: 'audit verify --from head.json',
    commands: [auditKey, auditVerify],
  },
  {
    name: 'at',
    description: 'the whole service as of a past event, time or closed month: open, list, close',
    example: 'at open --time 2026-01-31T17:00:00+07:00 --wait',
    commands: [atOpen, atList, atClose],
  },
  {
    name: 'projections',
    description: 'read models: show progress, verify, rebuild, roll back, retry a stopped one',
    example: 'projections verify ledger',
    commands: [projectionsStatus, projectionsVerify, projectionsRebuild, projectionsRollback, projectionsRetry, projectionsSetAside],
  },
];
const SINGLE: readonly Make[] = [whatIf, seed, psql, listen, triggerCommand, completion];

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

async function main(): Promise<number> {
  const interrupted = new AbortController();
  let interruptedBy: keyof typeof SIGNALS | undefined;
  for (const signal of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) {
    // Handled once: a second Ctrl-C ends the process without a clean stop.
    process.once(signal, () => {
      interruptedBy = signal;
      interrupted.abort();
    });
  }
  const program = new Command('chargebook')
    .description('Chargebook’s command line. It reads the service’s environment and works while the service runs.')
    .version(VERSION, '--version', 'print the version')
    .option('--json', 'print one JSON document on standard output');
  connectPatiently();
  const cli = new Cli(() => program.opts<{ json?: true }>().json ?? false, interrupted.signal);
  for (const { name, description, example, commands } of GROUPS) {
    const group = new Command(name).description(description).addHelpText('after', `\nExample:\n  chargebook ${example}`);
    for (const make of commands) group.addCommand(withPlace(make(cli), name));
    program.addCommand(group);
  }
  for (const make of SINGLE) program.addCommand(withPlace(make(cli)));
  program.addCommand(complete(cli), { hidden: true });
  settle(program);
  try {
    await program.parseAsync();
    return cli.exitCode;
  } catch (error) {
    if (interruptedBy) return SIGNALS[interruptedBy];
    if (error instanceof OutputClosed) return 141;
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    await cli.note(`error: ${inOneLine(error)}`);
    return 1;
  }
}

/** Adds the place of a command's work to its help. Commands of a service's address have it already. */
function withPlace(command: Command, group = ''): Command {
  const isStatedOrHere = command.options.some(({ long }) => long === '--url') || STAND_ALONE.has(`${group} ${command.name()}`.trim());
  return isStatedOrHere ? command : command.addHelpText('after', `\n${ON_THE_LEDGER}`);
}

/** Some commands take the address of the service, and others its environment. */
const withHint = (text: string): string =>
  text.includes("unknown option '--url'") ? `${text.trim()}: this command works on the ledger itself` : text;

/** Commands without a ledger and without a service. */
const STAND_ALONE: ReadonlySet<string> = new Set(['rails simulate', 'recon profiles', 'completion']);

/** Commands that are created separately do not inherit the exit behaviour, output and help of the program around them. */
function settle(command: Command): void {
  command
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(`${inOneLine(withHint(text))}\n`) });
  for (const child of command.commands) settle(child);
}

process.exitCode = await main();

import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { ProposalDto } from '../web/finance-api/approvals/proposals.dto.js';
import type { Cli } from './cli.js';
import { answerProposal } from './approval-words.js';
import { CommandFailed } from './failures.js';
import { unreadable } from './json-file.js';
import type { Mode } from '../ledger/mode.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import * as argument from './arguments.js';
import { ServiceClient, withProposalOptions, type ServiceOptions } from './service-client.js';

export interface Proposing extends ServiceOptions {
  readonly reason: string;
  /** Paths of files. */
  readonly evidence?: readonly string[];
}

/** Makes a proposal and prints it; it needs an approval then. */
export async function propose(cli: Cli, kind: string, content: unknown, { reason, evidence = [], ...options }: Proposing): Promise<void> {
  const service = await ServiceClient.ofOperator(cli, options);
  const files = await Promise.all(evidence.map(async (path) => ({ name: basename(path), sha256: hash('sha256', await read(path)) })));
  await answerProposal(cli, await service.send<ProposalDto>('POST', '/audit/proposals', { kind, content, reason, evidence: files }));
}

/** Options of commands that make a proposal when settings need an approval. */
export interface MayPropose extends ServiceOptions {
  readonly reason?: string;
}

/** Adds the options of such a command. */
export const withProposing = (command: Command): Command =>
  withProposalOptions(command).option('--reason <text>', 'reason of the proposal, if settings need an approval ("policy show")', argument.reason);

/**
 * Makes a proposal if the policy of the merchant's mode requires an approval for settings; this needs a key and a reason.
 * @returns true when a proposal was made @throws CommandFailed
 */
export async function proposedInstead(
  cli: Cli,
  store: EventStore,
  kind: string,
  content: { readonly merchant_id: string },
  proposing: MayPropose,
): Promise<boolean> {
  const { loadMerchants } = await import('../domain/merchants/load-merchants.js');
  const mode = (await loadMerchants(store)).merchant(content.merchant_id)?.mode;
  if (mode === undefined || !(await settingsWait(store, mode))) return false;
  await proposeSettings(cli, kind, content, `settings of ${mode} merchants`, proposing);
  return true;
}

/** Does the same for settings of the whole installation, by the policy of live money. */
export async function proposedForHouse(cli: Cli, store: EventStore, kind: string, content: object, proposing: MayPropose): Promise<boolean> {
  if (!(await houseSettingsWait(store))) return false;
  await proposeSettings(cli, kind, content, 'settings', proposing);
  return true;
}

async function proposeSettings(cli: Cli, kind: string, content: object, settings: string, { reason, url, apiKey }: MayPropose): Promise<void> {
  if (reason === undefined) throw new CommandFailed(`${settings} need an approval: give the reason of the proposal with --reason`);
  await propose(cli, kind, content, { reason, ...(url && { url }), ...(apiKey !== undefined && { apiKey }) });
}

/** Whether settings of the whole installation need an approval. */
export const houseSettingsWait = (store: EventStore): Promise<boolean> => settingsWait(store, 'live');

async function settingsWait(store: EventStore, mode: Mode): Promise<boolean> {
  const { loadApprovalPolicies } = await import('../domain/operators/approval-policy.commands.js');
  return (await loadApprovalPolicies(store))[mode]?.settings === 1;
}

async function read(path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
}

/** Collects the values of an option that may be repeated. */
export const oneMore = (path: string, others: readonly string[] = []): readonly string[] => [...others, path];

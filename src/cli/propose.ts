import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ProposalDto } from '../audit/proposals.dto.js';
import type { Cli } from './cli.js';
import { answerProposal } from './desk-words.js';
import { CommandFailed } from './failures.js';
import { ServiceClient, type ServiceOptions } from './service-client.js';

export interface Proposing extends ServiceOptions {
  readonly reason: string;
  /** Files. */
  readonly evidence?: readonly string[];
}

/** Proposes, and answers with the proposal, which waits for approval then. */
export async function propose(cli: Cli, kind: string, content: unknown, { reason, evidence = [], ...options }: Proposing): Promise<void> {
  const service = await ServiceClient.ofOperator(cli, options);
  const files = await Promise.all(evidence.map(async (path) => ({ name: basename(path), sha256: hash('sha256', await read(path)) })));
  await answerProposal(cli, await service.send<ProposalDto>('POST', '/audit/proposals', { kind, content, reason, evidence: files }));
}

/** JSON of a file. @throws CommandFailed */
export async function jsonOf(path: string): Promise<unknown> {
  const text = (await read(path)).toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CommandFailed(`${path} holds no JSON`);
  }
}

async function read(path: string): Promise<Buffer> {
  return readFile(path).catch((error: unknown) => {
    throw new CommandFailed(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  });
}

/** For an option that may be given several times. */
export const oneMore = (path: string, others: readonly string[] = []): readonly string[] => [...others, path];

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { SnapAgreement } from '../../tools/provider-simulators/snap-access.js';
import type { SnapCredentials } from '../rails/snap/credentials.js';
import type { XenditCredentials } from '../rails/xendit/xendit-processor.js';
import { CommandFailed } from './failures.js';
import { readText } from '../platform/text/text-file.js';

/** File beside the credentials with the bank's signing key, which a client never has. */
const bankKeyFile = (file: string): string => `${file}.bank-key.pem`;

/** Returns the credentials that the simulator of Xendit accepts: those in `file`, or new ones that are written there. */
export async function xenditAgreement(file: string): Promise<XenditCredentials> {
  const { readCredentialsFile } = await import('../rails/settings/credentials-file.js');
  if (existsSync(file)) return (await readCredentialsFile(file, { kind: 'xendit', mode: 'sandbox' })) as unknown as XenditCredentials;
  const random = (): string => randomBytes(24).toString('hex');
  const credentials = { secret_key: `xnd_development_${random()}`, callback_token: random() };
  await writeSecret(file, `${JSON.stringify(credentials, null, 2)}\n`);
  return credentials;
}

/** Returns both sides of an agreement with a bank: from `file` and the bank's key beside it, or new ones that are written there. */
export async function snapAgreement(file: string): Promise<SnapAgreement> {
  const { readCredentialsFile } = await import('../rails/settings/credentials-file.js');
  if (existsSync(file)) {
    const credentials = (await readCredentialsFile(file, { kind: 'snap', mode: 'sandbox' })) as unknown as SnapCredentials;
    const bankKey = await readText(bankKeyFile(file)).catch(() => {
      throw new CommandFailed(`${bankKeyFile(file)} is missing: the bank of ${file} signs with it; another --credentials creates a new bank`);
    });
    return { credentials, bankKey };
  }
  const { newSnapAgreement } = await import('../../tools/provider-simulators/snap-access.js');
  const agreement = newSnapAgreement();
  await writeSecret(bankKeyFile(file), agreement.bankKey);
  await writeSecret(file, `${JSON.stringify(agreement.credentials, null, 2)}\n`);
  return agreement;
}

/** Writes a file that only its owner can read, and never overwrites one. */
async function writeSecret(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`${file} cannot be written: ${error.code ?? error.message}`);
  });
}

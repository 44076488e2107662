import { ConfigError } from '../platform/process/config-error.js';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'it is a file',
  EEXIST: 'it is a file',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the disk',
};

/** Runs `work` on files in DATA_DIR. @throws ConfigError with the reason when the directory cannot be used; other errors of `work` */
export async function inDataDirectory<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
    throw reason === undefined ? error : new ConfigError(`DATA_DIR: ${dataDir} cannot be used: ${reason}`);
  }
}

/** Returns undefined for a file that does not exist. @throws any other error */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

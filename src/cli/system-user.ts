import { userInfo } from 'node:os';

/** Returns the name of the operating system's user; its number when it has no name, as in a container of OpenShift. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.geteuid!());
  }
}

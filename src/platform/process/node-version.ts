/** Oldest minor version of each supported major one; later even and odd ones are supported from the last on. As `engines` in package.json. */
const OLDEST: Readonly<Record<number, number>> = { 20: 19, 22: 13 };
const NEWER_FROM = 24;

/** @param version such as 22.13.0 */
export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major >= NEWER_FROM || minor >= (OLDEST[major] ?? Infinity);
}

/** Ends the process with one line when Node cannot run the service. Its own error would be that of the first import that it cannot read. */
export function requireNode(): void {
  const { node } = process.versions;
  if (isSupportedNode(node)) return;
  process.stderr.write(`error: Node.js ${node} cannot run this; use 24, or one from 20.19 or 22.13 on\n`);
  process.exit(1);
}

/** What the operator asked for cannot be done. The message is one line. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

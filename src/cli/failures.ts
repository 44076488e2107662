/** The command cannot be carried out. The message is one line. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** A command cannot do its work, for a reason that its user can mend: the message is shown without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

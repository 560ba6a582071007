/** The command line cannot be carried out; the message is for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

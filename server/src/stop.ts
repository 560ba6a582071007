// Signals end the service in good order: what is under way is finished first.

/** Leaves one of the ten seconds that supervisors commonly grant before they kill. */
const patience = 9_000

/** A key press under npm reaches us twice, from the terminal and from npm; a person needs longer to press again. */
const sameKeyPress = 300

export const stopOnSignals = (close: () => Promise<void>): void => {
  let since: number | undefined
  const stop = async (): Promise<void> => {
    const now = performance.now()
    if (since !== undefined) {
      if (now - since > sameKeyPress) process.exit(1)
      return
    }
    since = now
    setTimeout(() => {
      console.error('Some requests did not end in time; stopping without them.')
      process.exit(1)
    }, patience).unref()
    try {
      await close()
      process.exit(0)
    } catch (error) {
      console.error(error)
      process.exit(1)
    }
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/**
 * Makes a value when it is first needed, and keeps it. A failure is not kept: the next call tries again.
 *
 * @example const gate = lazy(() => connectToGate())
 */
export const lazy = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | null = null
  return () => {
    made ??= make().catch(error => {
      made = null
      throw error
    })
    return made
  }
}

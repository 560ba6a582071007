// The access token lasts minutes, the session days: when a request is refused, the token is renewed once for all that wait.

const listeners = new Set<() => void>()
let running: Promise<boolean> | null = null

export const refreshSession = (): Promise<boolean> => {
  running ??= renew().finally(() => {
    running = null
  })
  return running
}

/** A device may also be remembered beyond its session: then reading the current user signs in anew. */
const renew = async (): Promise<boolean> => {
  const headers = { Accept: 'application/json' }
  try {
    const renewed = await fetch('/api/auth/jwt/refresh', { method: 'POST', headers })
    return renewed.ok || (await fetch('/api/auth/userDetails', { headers })).ok
  } catch {
    return false
  }
}

/** Notifies the pages that the session has ended. */
export const endSession = (): void => {
  for (const listener of listeners) listener()
}

export const onSessionEnd = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// Acts that need a recent sign-in wait here until the user has confirmed who they are, or does not want to.

let waiting: { readonly promise: Promise<boolean>; readonly settle: (isConfirmed: boolean) => void } | null = null
const listeners = new Set<() => void>()
const tellAll = (): void => {
  for (const listener of listeners) listener()
}

/** Acts that are refused at the same time share one question. */
export const confirmSignIn = (): Promise<boolean> => {
  if (waiting) return waiting.promise
  let settle: (isConfirmed: boolean) => void = () => {}
  const promise = new Promise<boolean>(resolve => {
    settle = resolve
  })
  waiting = { promise, settle }
  tellAll()
  return promise
}

/** Ends the question: the acts that wait go on, or fail as they did. */
export const settleSignIn = (isConfirmed: boolean): void => {
  waiting?.settle(isConfirmed)
  waiting = null
  tellAll()
}

export const isSignInAsked = (): boolean => waiting !== null

export const watchSignIn = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

// Components that follow what happens.

import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { type LiveChange, type LiveState, live } from './connection.ts'

export const useLiveState = (): LiveState => useSyncExternalStore(live.watch, live.state)

interface Handlers<M> {
  readonly onMessage: (body: M) => void
  /** Something was missed; by default nothing is done. */
  readonly onReload?: () => void
}

/** Listens while the component is shown. Null listens to nothing. */
export const useLive = <M>(destination: string | null, handlers: Handlers<M>): void => {
  const message = useEffectEvent((body: unknown) => handlers.onMessage(body as M))
  const reload = useEffectEvent(() => handlers.onReload?.())
  useEffect(() => {
    if (destination === null) return
    return live.listen(destination, { message: body => message(body), reload: () => reload() })
  }, [destination])
}

/** The changes of a resource, or of one of its records. */
export const useChanges = (
  { resource, pk }: { readonly resource: string; readonly pk?: string },
  handlers: Handlers<LiveChange>,
): void => useLive(`/topic/${resource}${pk === undefined ? '' : `/${pk}`}`, handlers)

/** Keeps the connection while the user is signed in: it shows others who is online. */
export const useLiveConnection = (userPk: string | null): void => {
  useEffect(() => {
    if (userPk === null) return
    void live.open()
    return () => void live.close()
  }, [userPk])
}

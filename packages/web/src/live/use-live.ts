// Components that follow what happens.

import type { LiveChange, LiveState } from '@plinth/client'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { client } from '../api/client.ts'

export const useLiveState = (): LiveState => useSyncExternalStore(client.live.watch, client.live.state)

interface Handlers<M> {
  readonly onMessage: (body: M) => void
  /** Is called when something was missed; by default nothing is done. */
  readonly onReload?: () => void
}

/** Listens while the component is shown. Null listens to nothing. */
export const useLive = <M>(destination: string | null, handlers: Handlers<M>): void => {
  const message = useEffectEvent((body: unknown) => handlers.onMessage(body as M))
  const reload = useEffectEvent(() => handlers.onReload?.())
  useEffect(() => {
    if (destination === null) return
    return client.live.listen(destination, { message: body => message(body), reload: () => reload() })
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
    void client.live.open()
    return () => void client.live.close()
  }, [userPk])
}

// The handshake at /ws: credentials as on any request, and no page of a foreign site.

import { formatsByName } from '../../core/formats/index.ts'
import type { Request, Route, Socket, SocketListener, SocketRoute } from '../../core/http/exchange.ts'
import { Problem } from '../../core/problem.ts'
import { isForeign } from '../../core/rest/own-site.ts'
import { signedIn } from '../../core/rest/permit.ts'
import { respond } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import { describeSocket } from './describe.ts'
import type { Realtime } from './realtime.ts'
import { StompConnection } from './stomp-connection.ts'

const path = '/ws'

/** For those who come without asking for a socket (RFC 9110, 15.5.22). */
export const plainRoute = (service: Service): Route => ({
  method: 'GET',
  path,
  describe: describeSocket,
  handler: respond(service, {
    resource: null,
    format: formatsByName.json,
    takesBody: false,
    permit: signedIn,
    run: () => {
      throw new Problem('upgrade_required', { headers: { Upgrade: 'websocket', Connection: 'Upgrade, close' } })
    },
  }),
})

export const stompRoute = (service: Service, realtime: Realtime): SocketRoute => {
  return {
    path,
    protocols: ['v12.stomp', 'v11.stomp', 'v10.stomp'],
    maxMessageBytes: 131_072,
    open: async request => {
      await mustComeFromHere(service, request)
      const caller = await service.identify(request)
      if (caller.pk === null) throw new Problem('unauthorized')
      const { pk } = caller
      realtime.userLimits.mustHaveRoom(pk)
      return socket => {
        // Others may have come in while this handshake was under way.
        if (realtime.userLimits.isFull(pk)) return turnAway(socket)
        const connection = new StompConnection(service, realtime, socket, { request, caller })
        realtime.connections.add(connection)
        realtime.clients.add(connection)
        return {
          message: data => connection.message(data),
          alive: () => connection.alive(),
          closed: () => connection.closed(),
        }
      }
    },
  }
}

/** Browsers send cookies with a handshake whoever made the page, and let the page read what comes: so `Origin` counts. */
const mustComeFromHere = async ({ allowsOrigin }: Service, request: Request): Promise<void> => {
  if (await isForeign(request, allowsOrigin)) throw new Problem('forbidden', 'Pages of this origin may not connect.')
}

/** 1013 is "try again later" (IANA, WebSocket Close Code Number Registry). */
const turnAway = (socket: Socket): SocketListener => {
  socket.close(1013, 'There are too many connections of this user.')
  return { message: () => {}, closed: () => {} }
}

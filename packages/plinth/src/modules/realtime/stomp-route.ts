// The handshake at /ws: credentials as on any request, and no page of a foreign site.

import type { Socket, SocketListener, SocketRoute } from '../../core/http/exchange.ts'
import { Problem } from '../../core/problem.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import type { Service } from '../../core/service.ts'
import type { Realtime } from './realtime.ts'
import { StompConnection } from './stomp-connection.ts'

const path = '/ws'

/** Answers requests that do not ask for a socket (RFC 9110, 15.5.22). */
export const plainSocketEndpoint = defineEndpoint({
  method: 'GET',
  path,
  id: 'openSocket',
  summary: 'Open a WebSocket for STOMP',
  description:
    'The handshake accepts the same credentials as other requests. Subscribe to `/topic/{resource}`, `/topic/{resource}/{pk}`, ' +
    '`/user/queue/friendships`, `/user/queue/updates/state` or `/user/queue/updates/activity`; the header `record:true` ' +
    'adds the records, and `last-sequence` resumes after the last event received.',
  tag: 'realtime',
  access: 'caller.signedIn',
  headers: { 'Sec-WebSocket-Protocol': { says: '`v12.stomp`, `v11.stomp` or `v10.stomp`.' } },
  answers: { 101: { about: 'The socket is open.', headers: { Upgrade: '`websocket`.' } } },
  problems: [401, 403, 426, 429],
  answer: () => {
    throw new Problem('upgrade_required', { headers: { Upgrade: 'websocket', Connection: 'Upgrade, close' } })
  },
})

export const stompRoute = (service: Service, realtime: Realtime): SocketRoute => {
  return {
    path,
    protocols: ['v12.stomp', 'v11.stomp', 'v10.stomp'],
    maxMessageBytes: 131_072,
    open: async request => {
      // Browsers send cookies with a handshake from any page, and let the page read what comes.
      await service.mustBeOwnSite(request)
      const caller = await service.authenticate(request)
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

/** 1013 is "try again later" (IANA, WebSocket Close Code Number Registry). */
const turnAway = (socket: Socket): SocketListener => {
  socket.close(1013, 'Too many connections of this user.')
  return { message: () => {}, closed: () => {} }
}

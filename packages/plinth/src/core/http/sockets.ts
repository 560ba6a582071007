// WebSockets: the handshake is a request like any other; what comes after it is handed to the route as messages.

import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { after, type Guard, reportFailed } from '../guarded.ts'
import { Problem } from '../problem.ts'
import type { Handler, Observation, Request, Socket, SocketOpening, SocketRoute } from './exchange.ts'
import type { Check } from './host-check.ts'
import { createRequestIds, Incoming, readTarget, type Seen } from './incoming.ts'
import type { Exchange } from './run.ts'

export interface SocketHost {
  readonly routes: readonly SocketRoute[]
  readonly check: Check
  readonly seen: Seen
  /** Answers a handshake that leads to no socket, as every other request is answered. */
  readonly answer: (exchange: Exchange, request: Request, reply: ServerResponse) => void
  /** Is called with every handshake that leads to one. */
  readonly opened: (done: Observation) => void
  readonly log: Guard['log']
}

export interface Sockets {
  /** Takes leave of every open socket. */
  close(): void
}

export const serveSockets = (node: Server, { routes, check, seen, answer, opened, log }: SocketHost): Sockets => {
  const guard = { name: 'a WebSocket', log }
  const ids = createRequestIds()
  const served = new Map(routes.map(route => [route.path, { route, server: createSocketServer(route) }]))
  if (routes.length > 0)
    node.on('upgrade', (raw, duplex, head) => {
      const began = performance.now()
      const reply = replyOn(raw, duplex)
      if (!isWebSocket(raw)) return ignoreUpgrade(node, raw, reply)
      const found = served.get(readTarget(raw).path)
      const route = found?.route ?? null
      const where = { ...seen(raw), route }
      const request = new Incoming({ id: ids(raw), params: null, body: null, raw }, reply, where)
      const end = (handler: Handler) => answer({ handler, route }, request, reply)
      const refused = check(raw)
      if (refused) return end(() => Promise.reject(refused))
      if (!found) return end(() => Promise.reject(new Problem('not_found')))
      const open = (opening: SocketOpening) => {
        reply.detachSocket(duplex as Parameters<ServerResponse['detachSocket']>[0])
        found.server.handleUpgrade(raw, duplex, head, socket => {
          attach({ socket, duplex, guard }, opening)
          opened({ request, route, status: 101, ms: performance.now() - began, completed: true })
        })
      }
      Promise.resolve(found.route.open(request))
        .then(
          outcome => (typeof outcome === 'function' ? open(outcome) : end(() => outcome)),
          error => end(() => Promise.reject(error)),
        )
        .catch(error => {
          reportFailed(guard, error)
          duplex.destroy()
        })
    })
  return {
    close: () => {
      for (const { server } of served.values()) for (const socket of server.clients) bidFarewell(socket, guard)
    },
  }
}

const createSocketServer = ({ protocols, maxMessageBytes }: SocketRoute): WebSocketServer =>
  new WebSocketServer({
    noServer: true,
    maxPayload: maxMessageBytes,
    // Compression of secrets beside what others chose tells of the secrets, and costs 300 kB for each connection.
    perMessageDeflate: false,
    handleProtocols: offered => protocols.find(protocol => offered.has(protocol)) ?? false,
  })

/** The way to answer on a connection that has left the HTTP parser; it ends with the answer. */
const replyOn = (raw: IncomingMessage, duplex: Duplex): ServerResponse => {
  const reply = new ServerResponse(raw)
  reply.shouldKeepAlive = false
  duplex.on('error', () => duplex.destroy())
  reply.assignSocket(duplex as Parameters<ServerResponse['assignSocket']>[0])
  reply.once('finish', () => duplex.end())
  return reply
}

const isWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'

/**
 * Ignores an upgrade, as other protocols may be (RFC 9110, 7.8). A body is out of reach by now, so who sends one is
 * refused.
 */
const ignoreUpgrade = (node: Server, raw: IncomingMessage, reply: ServerResponse): void => {
  const hasBody = raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length'] ?? 0) > 0
  if (hasBody) reply.writeHead(400).end()
  else node.emit('request', raw, reply)
}

interface Attached {
  readonly socket: WebSocket
  readonly duplex: Duplex
  readonly guard: Guard
}

const attach = (attached: Attached, opening: SocketOpening): void => {
  const { socket, guard } = attached
  const listener = opening(toSocket(attached))
  /** A listener that fails loses its own socket, and nothing else. */
  const safely = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      reportFailed(guard, error)
      socket.terminate()
    }
  }
  socket.on('message', (data: Buffer) => safely(() => listener.message(data)))
  socket.on('pong', () => safely(() => listener.alive?.()))
  socket.on('close', () => safely(() => listener.closed()))
  // A frame that breaks the protocol or is too large: the library has closed the connection already.
  socket.on('error', () => {})
}

/** Reasons take at most 123 bytes (RFC 6455, 5.5). */
const maxReason = 120

const toSocket = ({ socket, duplex, guard }: Attached): Socket => ({
  protocol: socket.protocol,
  get buffered() {
    return socket.bufferedAmount
  },
  send: text => socket.send(text),
  // Past the library, which would make the frame again for every socket. It writes at once as well, so the order stays.
  sendFrame: frame => {
    if (socket.readyState === socket.OPEN) duplex.write(frame)
  },
  ping: () => socket.ping(),
  close: (code, reason) => {
    socket.close(code, reason.slice(0, maxReason))
    terminateSoon(socket, guard)
  },
  terminate: () => socket.terminate(),
})

const bidFarewell = (socket: WebSocket, guard: Guard): void => {
  socket.close(1001, 'The service is shutting down.')
  terminateSoon(socket, guard)
}

/** How long the other side may take to answer a farewell. */
const farewellMs = 1000

const terminateSoon = (socket: WebSocket, guard: Guard): void => {
  after(farewellMs, guard, () => socket.terminate())
}

// A text message as one frame (RFC 6455, 5.2). What a server sends is not masked, so the same bytes can go to any number of clients,
// each with a single write.

export const toTextFrame = (text: string): Buffer => {
  const length = Buffer.byteLength(text)
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(head + length)
  frame[0] = 0x81
  if (head === 2) frame[1] = length
  else if (head === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, head)
  return frame
}

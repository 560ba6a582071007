// The open connections of a server, so that it can end: first those that are idle, in the end all.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface Connections {
  /** Closes what falls idle from now on, and what is left at the deadline; the answer stops this. */
  drain(deadlineMs: number): () => void
}

const sweepMs = 100

export const createConnections = (server: Server): Connections => {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const sweep = () => {
    server.closeIdleConnections()
    // Connected and never used, which the server does not count among the idle.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
  return {
    drain: deadlineMs => {
      const sweeping = setInterval(sweep, sweepMs)
      const deadline = setTimeout(() => {
        for (const socket of open) socket.destroy()
      }, deadlineMs)
      return () => {
        clearInterval(sweeping)
        clearTimeout(deadline)
      }
    },
  }
}

// The open connections of a server, so that it can end: first those that are idle, in the end all.

import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { after, every, type Guard } from '../guarded.ts'

export interface Connections {
  /** Closes what falls idle from now on, and what is left at the deadline; the answer stops this. */
  drain(deadlineMs: number): () => void
}

const sweepMs = 100

export const createConnections = (server: Server, log: Guard['log']): Connections => {
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
      const stopSweeping = every(sweepMs, { name: 'the sweep of idle connections', log }, sweep)
      const deadline = after(deadlineMs, { name: 'the end of the last connections', log }, () => {
        for (const socket of open) socket.destroy()
      })
      return () => {
        void stopSweeping()
        clearTimeout(deadline)
      }
    },
  }
}

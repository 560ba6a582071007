// Stops reading from a connection, and starts again.

import type { Socket } from 'node:net'

/** Why nothing is read from a connection for now: its requests wait, its body waits for its turn, or it does so itself. */
export type ReadingHold = 'requests' | 'body' | 'turn'

const holds = new WeakMap<Socket, Set<ReadingHold>>()

const pauseAgain = function (this: Socket): void {
  this.pause()
}

export const stopReading = (socket: Socket, hold: ReadingHold): void => {
  const all = holds.get(socket) ?? new Set()
  holds.set(socket, all.add(hold))
  if (all.size > 1) return
  // Node resumes a socket by itself: with each message that is complete, and whenever it drains.
  socket.on('resume', pauseAgain)
  socket.pause()
}

/** Reads again unless something else holds the connection. */
export const startReading = (socket: Socket, hold: ReadingHold): void => {
  const all = holds.get(socket)
  if (!all?.delete(hold) || all.size > 0) return
  socket.off('resume', pauseAgain)
  socket.resume()
}

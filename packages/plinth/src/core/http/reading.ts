// Stops reading from a connection, and starts again.

import type { Socket } from 'node:net'

const pauseAgain = function (this: Socket): void {
  this.pause()
}

/** Node resumes a socket by itself: at its beginning, with each message that is complete, and whenever it drains. */
export const stopReading = (socket: Socket): void => {
  socket.off('resume', pauseAgain)
  socket.on('resume', pauseAgain)
  socket.pause()
}

export const startReading = (socket: Socket): void => {
  socket.off('resume', pauseAgain)
  socket.resume()
}

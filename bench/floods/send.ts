// One flood of the benchmark, in a process of its own.

import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { isSmall } from '../support/size.ts'

const [url = '', kind = '', seconds = '10'] = process.argv.slice(2)
const { hostname, port } = new URL(url)
const end = performance.now() + Number(seconds) * 1000
const roundMs = 2000

const request = (path: string, lines: readonly string[] = []): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Accept: application/json', ...lines, '', ''].join('\r\n')

const post = (lines: readonly string[], body: string): string =>
  ['POST /api/rest/hosts HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...lines, '', body].join(
    '\r\n',
  )

interface Flood {
  readonly connections: number
  /** The text that all connections send at the same moment. */
  readonly text: string
  readonly reads: boolean
}

const bodyBytes = 1_000_000

const floods: Readonly<Record<string, Flood>> = {
  pipelines: { connections: 100, text: request('/api/rest/countries').repeat(300), reads: false },
  headers: {
    connections: 300,
    text: request(
      '/api/rest/countries/GR',
      Array.from({ length: 1900 }, (_, at) => `x${at}: a`),
    ),
    reads: true,
  },
  bodies: {
    connections: 300,
    text: post([`Content-Length: ${bodyBytes}`], 'x'.repeat(bodyBytes - 10)),
    reads: true,
  },
  chunks: {
    connections: 100,
    text: post(['Transfer-Encoding: chunked'], `${'1\r\nx\r\n'.repeat(8000)}0\r\n\r\n`),
    reads: true,
  },
}

/** A connection that was answered once. */
const open = (): Promise<Socket | null> =>
  new Promise(resolve => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => resolve(null))
    socket.once('data', () => resolve(socket))
    socket.write(request('/api/rest/countries/GR'))
  })

const flood = floods[kind]
if (!flood) throw new Error(`there is no flood '${kind}'`)
while (performance.now() < end) {
  const opened = await Promise.all(Array.from({ length: isSmall ? 10 : flood.connections }, open))
  const sockets = opened.filter(socket => socket !== null)
  for (const socket of sockets) {
    if (flood.reads) socket.resume()
    else socket.pause()
    socket.write(flood.text)
  }
  await sleep(roundMs)
  for (const socket of sockets) socket.destroy()
}

// A client that sends requests byte for byte as given, over connections that are kept alive.

import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

export interface RawRequest {
  readonly method: string
  /** The target as written in the request line. */
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | null
}

export interface HostileAnswer {
  readonly status: number
  /** The headers by name in lower case; several of one name are joined by a line feed. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: Buffer
  readonly ms: number
}

export interface RawClient {
  ask(request: RawRequest): Promise<HostileAnswer>
  close(): void
}

/** Requests beyond `connections` wait for their turn. */
export const createRawClient = (url: string, connections: number): RawClient => {
  const { port, host } = new URL(url)
  const idle: Socket[] = []
  /** What a connection carried last: it may be the reason for what happens to the next. */
  const carried = new WeakMap<Socket, string>()
  const waiting: (() => void)[] = []
  let open = 0
  const take = async (): Promise<Socket> => {
    while (idle.length === 0 && open >= connections) await new Promise<void>(resolve => waiting.push(resolve))
    const kept = idle.pop()
    if (kept && !kept.destroyed && kept.writable) return kept
    if (kept) open -= 1
    open += 1
    return connect(Number(port), '127.0.0.1').setNoDelay(true)
  }
  const give = (socket: Socket, isKept: boolean): void => {
    if (isKept) idle.push(socket)
    else {
      socket.destroy()
      open -= 1
    }
    waiting.shift()?.()
  }
  return {
    ask: async request => {
      const socket = await take()
      const start = performance.now()
      socket.write(toBytes(request, host))
      const { isKept, ...answer } = await read(socket, request.method === 'HEAD').catch(error => {
        const [ms, before] = [Math.round(performance.now() - start), carried.get(socket) ?? 'nothing']
        throw new Error(`${error.message} ${request.method} ${request.target} took ${ms} ms; before it came ${before}`)
      })
      carried.set(socket, `${answer.status} to ${toBytes(request, host).toString('latin1', 0, 4000)}`)
      give(socket, isKept)
      return { ...answer, ms: performance.now() - start }
    },
    close: () => {
      for (const socket of idle) socket.destroy()
    },
  }
}

const toBytes = ({ method, target, headers, body }: RawRequest, host: string): Buffer => {
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(header => header.join(': '))]
  if (!names.has('host')) lines.push(`Host: ${host}`)
  if (body) lines.push(`Content-Length: ${body.length}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}

type Parsed = Omit<HostileAnswer, 'ms'> & { readonly isKept: boolean }

const read = (socket: Socket, isHead: boolean): Promise<Parsed> =>
  new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    let reason = 'in order'
    const stop = () => {
      socket.off('data', more).off('close', ended).off('error', failed)
    }
    const settle = (isOver: boolean): void => {
      const parsed = parse(received, isHead, isOver)
      if (!parsed && !isOver) return
      stop()
      if (parsed) resolve(parsed)
      else reject(new Error(`The connection ended without an answer, after ${received.length} bytes (${reason}).`))
    }
    const more = (data: Buffer) => {
      received = received.length === 0 ? data : Buffer.concat([received, data])
      settle(false)
    }
    const ended = () => settle(true)
    const failed = (error: Error) => {
      reason = String(error)
    }
    socket.on('data', more).once('close', ended).on('error', failed)
  })

/** Returns null while bytes are missing. */
const parse = (received: Buffer, isHead: boolean, isOver: boolean): Parsed | null => {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [first = '', ...lines] = received.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const [name, value] = [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    headers.set(name, headers.has(name) ? `${headers.get(name)}\n${value}` : value)
  }
  const rest = received.subarray(end + 4)
  if (status === 100) return parse(rest, isHead, isOver)
  const closes = /(?:^|,)\s*close\s*(?:,|$)/i.test(headers.get('connection') ?? '')
  const done = (body: Buffer, isKept = !closes): Parsed => ({
    status,
    headers,
    body: decoded(body, headers.get('content-encoding')),
    isKept,
  })
  // Neither of these ends by itself.
  if (status === 101 || headers.get('content-type') === 'text/event-stream') return done(Buffer.alloc(0), false)
  if (isHead || status === 204 || status === 304) return done(Buffer.alloc(0))
  if (headers.get('transfer-encoding') === 'chunked') {
    const body = fromChunks(rest)
    return body && done(body)
  }
  const length = headers.get('content-length')
  if (length === undefined) return isOver ? done(rest, false) : null
  return rest.length < Number(length) ? null : done(rest.subarray(0, Number(length)))
}

const decoded = (body: Buffer, coding: string | undefined): Buffer => {
  if (body.length === 0 || coding === undefined) return body
  return coding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)
}

const fromChunks = (bytes: Buffer): Buffer | null => {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const from = lineEnd + 2
    if (bytes.length < from + size + 2) return null
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(bytes.subarray(from, from + size))
    at = from + size + 2
  }
}

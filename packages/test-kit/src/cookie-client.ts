// A visitor with a cookie jar and an address of its own: loopback has many.

import { type IncomingHttpHeaders, request } from 'node:http'
import type { Parsed } from '../../plinth/src/testing/client.ts'
import { waitingFor } from '../../plinth/src/testing/waiting.ts'

export interface SetCookie {
  readonly value: string
  /** The attributes by name in lower case; flags have an empty value. */
  readonly attributes: ReadonlyMap<string, string>
}

export interface BrowserResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Parsed
  readonly cookies: ReadonlyMap<string, SetCookie>
}

export interface BrowserRequest {
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** The cookies that are sent in place of what the jar holds. */
  readonly cookies?: Record<string, string>
}

export interface Browser {
  readonly jar: Map<string, string>
  ask(method: string, path: string, asking?: BrowserRequest): Promise<BrowserResponse>
  get(path: string, asking?: BrowserRequest): Promise<BrowserResponse>
  post(path: string, body?: unknown, asking?: BrowserRequest): Promise<BrowserResponse>
  /** Signs in by tokens; the password of the demo's people is their name. */
  signIn(username: string, password?: string): Promise<BrowserResponse>
  /** Returns another device that holds the same cookies. */
  copy(): Browser
}

export const openBrowser = (url: string, from = '127.0.0.1', jar = new Map<string, string>()): Browser => {
  const ask: Browser['ask'] = async (method, path, asking = {}) => {
    const cookies = Object.entries(asking.cookies ?? Object.fromEntries(jar)).map(([name, value]) => `${name}=${value}`)
    const reply = await send(new URL(path, url), {
      method,
      from,
      body: asking.body,
      headers: {
        ...(cookies.length > 0 && { Cookie: cookies.join('; ') }),
        ...(asking.body !== undefined && { 'Content-Type': 'application/json' }),
        ...asking.headers,
      },
    })
    for (const [name, { value, attributes }] of reply.cookies) {
      if (attributes.get('max-age') === '0') jar.delete(name)
      else jar.set(name, value)
    }
    return reply
  }
  const post: Browser['post'] = (path, body, asking) =>
    ask('POST', path, { ...asking, ...(body !== undefined && { body }) })
  return {
    jar,
    ask,
    get: (path, asking) => ask('GET', path, asking),
    post,
    signIn: (username, password = username) => post('/api/auth/jwt/access', { username, password }),
    copy: () => openBrowser(url, from, new Map(jar)),
  }
}

interface RequestParts {
  readonly method: string
  readonly from: string
  readonly headers: Record<string, string>
  readonly body: unknown
}

const send = (url: URL, parts: RequestParts): Promise<BrowserResponse> =>
  waitingFor(`the answer to ${parts.method} ${url.pathname}`, exchange(url, parts))

const exchange = (url: URL, { method, from, headers, body }: RequestParts): Promise<BrowserResponse> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, localAddress: from, agent: false }, reply => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', piece => {
        text += piece
      })
      reply.on('end', () => {
        const isJson = /json/.test(reply.headers['content-type'] ?? '')
        resolve({
          status: reply.statusCode ?? 0,
          headers: reply.headers,
          text,
          body: isJson && text ? JSON.parse(text) : undefined,
          cookies: readCookies(reply.headers['set-cookie'] ?? []),
        })
      })
    })
    sent.on('error', reject)
    if (body === undefined) return sent.end()
    const bytes = typeof body === 'string' ? body : JSON.stringify(body)
    // Node.js sends no length with the body of a DELETE by itself.
    sent.setHeader('Content-Length', Buffer.byteLength(bytes))
    sent.end(bytes)
  })

const readCookies = (lines: readonly string[]): ReadonlyMap<string, SetCookie> =>
  new Map(
    lines.map(line => {
      const [pair = '', ...attributes] = line.split('; ')
      const split = (text: string): [string, string] => {
        const sign = text.indexOf('=')
        return sign === -1 ? [text.toLowerCase(), ''] : [text.slice(0, sign), text.slice(sign + 1)]
      }
      const [name, value] = split(pair)
      const known = attributes.map(split).map(([key, of]): [string, string] => [key.toLowerCase(), of])
      return [name, { value, attributes: new Map(known) }]
    }),
  )

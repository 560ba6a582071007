// A receiver of webhooks on loopback, which verifies signatures as the documentation tells receivers to.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Parsed } from '../../src/testing/client.ts'

export interface ReceivedWebhook {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Parsed
}

export interface WebhookReceiver {
  readonly url: string
  readonly received: ReceivedWebhook[]
  /** What it responds with from now on. */
  respond(status: number, headers?: Record<string, string>): void
  stop(): Promise<void>
}

/** `isSilent`: it takes messages and never answers. */
export const startReceiver = async ({ isSilent = false } = {}): Promise<WebhookReceiver> => {
  const received: ReceivedWebhook[] = []
  let response: readonly [number, Record<string, string>] = [204, {}]
  const server = createServer(async (request, answer) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    received.push({ path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) })
    if (!isSilent) answer.writeHead(...response).end()
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    respond: (status, headers = {}) => {
      response = [status, headers]
    },
    stop: () => {
      const closed = new Promise<void>(resolve => void server.close(() => resolve()))
      if (isSilent) server.closeAllConnections()
      return closed
    },
  }
}

export const isSignedWith = (secret: string, { headers, text }: ReceivedWebhook): boolean => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  const signature = String(headers['webhook-signature'])
    .split(' ')
    .map(one => Buffer.from(one))
  return signature.some(one => one.length === expected.length && timingSafeEqual(one, expected))
}

// A request without `fetch`, which asks for compression and decompresses by itself.

import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { waitingFor } from '../../plinth/src/testing/waiting.ts'

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The bytes as sent, still compressed. */
  readonly bytes: Buffer
}

export const fetchRaw = (
  url: string,
  headers: Record<string, string> = {},
  { method = 'GET', body = '' } = {},
): Promise<RawAnswer> => {
  const answered = new Promise<RawAnswer>((resolve, reject) => {
    request(url, { headers, method, agent: false }, answer => {
      const { statusCode: status = 0, headers } = answer
      buffer(answer).then(bytes => resolve({ status, headers, bytes }), reject)
    })
      .on('error', reject)
      .end(body)
  })
  return waitingFor(`the answer to ${method} ${url}`, answered)
}

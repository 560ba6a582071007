// A request without the help of `fetch`, which unpacks what came compressed and asks for compression by itself.

import { type IncomingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** As they travelled. */
  readonly bytes: Buffer
}

export const fetchRaw = (
  url: string,
  headers: Record<string, string> = {},
  { method = 'GET', body = '' } = {},
): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    request(url, { headers, method, agent: false }, answer => {
      const { statusCode: status = 0, headers } = answer
      buffer(answer).then(bytes => resolve({ status, headers, bytes }), reject)
    })
      .on('error', reject)
      .end(body)
  })

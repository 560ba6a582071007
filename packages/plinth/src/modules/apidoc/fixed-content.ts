// Content that stays the same as long as the service runs: made when it is first asked for, then kept with its tag.

import { createHash } from 'node:crypto'
import type { Request, Response } from '../../core/http/exchange.ts'
import { pageHeaders } from '../../core/http/security-headers.ts'
import { isUnchanged } from '../../core/rest/write-answer.ts'

export interface Content {
  /** The same buffer each time, so that it is compressed once. */
  readonly body: Buffer
  readonly etag: string
}

export const toContent = (content: string | Buffer): Content => {
  const body = Buffer.from(content)
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}

export const sendContent = ({ headers }: Request, { body, etag }: Content, type: string): Response => {
  const status = isUnchanged(headers['if-none-match'], etag) ? 304 : 200
  return { status, headers: { ...pageHeaders(false), 'cache-control': 'no-cache', etag, 'content-type': type }, body }
}

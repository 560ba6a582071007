// What the HTTP library and the parser refuse, as problems; and the plainest answers, for when no other can be made.

import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../problem.ts'
import type { ProblemCode } from '../problem-types.ts'
import { inLanguage } from '../text.ts'
import { everyMethod } from './allow.ts'
import type { Response } from './exchange.ts'
import type { HeaderSet } from './security-headers.ts'

const codeOfStatus: ReadonlyMap<unknown, ProblemCode> = new Map([
  [400, 'bad_request'],
  [403, 'not_found'],
  [404, 'not_found'],
  [412, 'precondition_failed'],
  [413, 'too_large'],
  // A named part beyond the router's limit: no record has such an identifier.
  [414, 'not_found'],
  [415, 'unsupported_media_type'],
])

/** Errors of the library carry a status; any other error is passed on as it is. */
export const toProblem = (error: Error & { statusCode?: unknown }): Error => {
  const code = codeOfStatus.get(error.statusCode)
  return code === undefined || error instanceof Problem ? error : new Problem(code, { cause: error })
}

/** A problem document (RFC 9457) with nothing but what its code says. */
export const plainProblem = (problem: ProblemCode | Problem, headers: Response['headers'] = {}): Response => {
  const { code, type } = typeof problem === 'string' ? new Problem(problem) : problem
  const { status, title } = type
  return {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify({ type: 'about:blank', title: inLanguage(title, 'en'), status, code }),
  }
}

/** Writes the answer when even the answer to a fault cannot be written. */
export const writeLastResort = (reply: ServerResponse, security: HeaderSet): void => {
  if (reply.headersSent) {
    reply.destroy()
    return
  }
  const { status, headers, body } = plainProblem('internal')
  reply.writeHead(status, { ...security, ...headers }).end(body)
}

export type ParserError = Error & {
  readonly code?: string
  readonly rawPacket?: unknown
  /** How far the parser came in the packet. */
  readonly bytesParsed?: number
}

/** How long a caller may go on sending after it was refused; closing at once would reset the connection. */
const lingerMs = 1000

/** The connection is broken, or ending already: nothing can be answered any more. */
export const isLost = (error: ParserError, socket: Socket): boolean => error.code === 'ECONNRESET' || !socket.writable

/**
 * The parser could not make a request of what came: answers on the bare socket, and ends the connection. No response may be under
 * way.
 */
export const refuseConnection = (error: ParserError, socket: Socket, security: HeaderSet): void => {
  if (!socket.writable) return
  const { status, headers, body } = refusalOf(error)
  const head = Object.entries({ ...security, ...headers, connection: 'close' }).map(header => header.join(': '))
  const length = `content-length: ${Buffer.byteLength(String(body ?? ''))}`
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, length, '', body ?? ''].join('\r\n'))
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

const refusalOf = (error: ParserError): Response => {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return plainProblem('request_timeout')
  if (error.code === 'HPE_HEADER_OVERFLOW') return plainProblem('header_too_large')
  if (error.code === 'HPE_INVALID_VERSION' && lineOf(error).includes(' HTTP/'))
    return plainProblem('version_not_supported')
  if (error.code === 'HPE_INVALID_METHOD' && startsWithMethod(error)) {
    return plainProblem('method_not_allowed', { allow: everyMethod.join(', ') })
  }
  return plainProblem('bad_request')
}

/** Tells an unknown method from bytes that are no HTTP at all, such as a TLS greeting. */
const startsWithMethod = (error: ParserError): boolean => /^[A-Z-]{1,40} [/*h]/.test(lineOf(error).slice(0, 50))

/** The line that the parser refused. A packet may begin with earlier requests. */
const lineOf = ({ rawPacket, bytesParsed = 0 }: ParserError): string => {
  if (!Buffer.isBuffer(rawPacket)) return ''
  const [line = ''] = rawPacket.toString('latin1', rawPacket.lastIndexOf('\n', bytesParsed) + 1).split('\n', 1)
  return line
}

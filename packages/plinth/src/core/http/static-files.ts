// Files of the web client: hashed assets that browsers keep, and one page that takes every deep link.

import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HeaderSet } from './security-headers.ts'
import type { GeneratedFile, StaticFiles } from './static-folder.ts'

export interface StaticFilesHost {
  /** The headers of everything sent from a folder. */
  readonly headers: (request: FastifyRequest) => HeaderSet
  /** Is called with everything sent from a folder, when it begins. */
  readonly sending: (request: FastifyRequest, reply: FastifyReply) => void
  /** No such file, or not a method of files. */
  readonly notFound: (request: FastifyRequest, reply: FastifyReply) => void
}

type SendFile = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Compressed when it is first asked for. The tag differs by encoding (RFC 9110, 8.8.3). */
const senderOf = (path: string, { mediaType, content }: GeneratedFile): SendFile => {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  const encodings = new Map<string, Buffer>()
  const encoded = (encoding: 'br' | 'gzip'): Buffer => {
    const made = encodings.get(encoding) ?? (encoding === 'br' ? brotliCompressSync(content) : gzipSync(content))
    encodings.set(encoding, made)
    return made
  }
  return (request, reply) => {
    const accepted = String(request.headers['accept-encoding'] ?? '')
    const encoding = encodingIn(accepted)
    const tag = `"${encoding ? `${hash}-${encoding}` : hash}"`
    reply.headers({
      'content-type': mediaType,
      'cache-control': cachingOf(`/${path}`),
      vary: 'Accept-Encoding',
      etag: tag,
      ...(encoding && { 'content-encoding': encoding }),
    })
    if (itemsIn(request.headers['if-none-match'] ?? '').includes(tag)) return reply.code(304).send()
    return reply.send(encoding ? encoded(encoding) : content)
  }
}

const itemsIn = (header: string): readonly string[] => header.split(',').map(item => item.trim())

/** Returns the encoding of a file. `q=0`, which browsers never send, refuses it. */
const encodingIn = (accepted: string): 'br' | 'gzip' | null => {
  const encodings = itemsIn(accepted)
  return encodings.includes('br') ? 'br' : encodings.includes('gzip') ? 'gzip' : null
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

export const serveStaticFiles = (app: FastifyInstance, files: StaticFiles, host: StaticFilesHost): void => {
  const { prefix, folder, fallback = '', cleanUrls = false, generated = new Map<string, GeneratedFile>() } = files
  const hasPage = (): boolean => fallback !== '' && existsSync(join(folder, fallback))
  const page = hasPage() ? fallback : null
  const senders = new Map([...generated].map(([path, file]) => [path, senderOf(path, file)]))
  const sendPage = pageSender(files, senders.get(fallback) ?? ((_, reply) => reply.sendFile(fallback)), hasPage)
  app.register(
    async scope => {
      scope.addHook('onSend', async (request, reply) => {
        reply.headers(host.headers(request))
        host.sending(request, reply)
      })
      scope.setNotFoundHandler((request, reply) => {
        const isDeepLink =
          isRead(request.method) && looksLikePage(request.raw.url ?? '', { prefix, accept: request.headers.accept })
        if (sendPage !== null && isDeepLink) return sendPage(request, reply)
        host.notFound(request, reply)
      })
      for (const [path, send] of senders)
        for (const url of path === page ? ['/', `/${path}`] : [`/${path}`])
          scope.route({ method: ['GET', 'HEAD'], url, handler: send })
      await scope.register(fastifyStatic, {
        root: folder,
        serve: true,
        // A file's compressed forms lie beside it, made once by the build.
        preCompressed: true,
        dotfiles: 'ignore',
        ...(cleanUrls && { extensions: ['html'] }),
        acceptRanges: false,
        cacheControl: false,
        suppressWarning: true,
        setHeaders: (reply, path) => {
          reply.header('cache-control', cachingOf(path))
          reply.header('vary', 'Accept-Encoding')
        },
      })
    },
    { prefix },
  )
}

const pageSender = ({ placeholder }: StaticFiles, send: SendFile, hasPage: () => boolean): SendFile | null => {
  if (!placeholder) return hasPage() ? send : null
  const sendPlaceholder = senderOf('', placeholder)
  return (request, reply) => (hasPage() ? send : sendPlaceholder)(request, reply)
}

const hash = /^[\w-]{8,}$/

/** The build names files under `assets` after their content: `index-B1a_x9Cd.js`, `guide.md.B1a_x9Cd.lean.js`. */
const isHashed = (path: string): boolean => {
  const folders = path.split(/[/\\]/)
  const [first = '', ...endings] = (folders.pop() ?? '').split('.')
  if (!folders.includes('assets') || endings.length === 0) return false
  const dash = first.indexOf('-')
  return (dash >= 0 && hash.test(first.slice(dash + 1))) || endings.slice(0, -1).some(ending => hash.test(ending))
}

const cachingOf = (path: string): string => (isHashed(path) ? 'public, max-age=31536000, immutable' : 'no-cache')

/**
 * A missing asset must not be answered with a page. What has the ending of a file is a page only for a browser that
 * asks for one: identifiers may contain dots.
 */
const looksLikePage = (
  target: string,
  { prefix, accept }: { readonly prefix: string; readonly accept: string | undefined },
): boolean => {
  const path = target.split(/[?#]/, 1)[0] ?? ''
  if (`${path}/`.startsWith(posix.join(prefix, 'assets/')) || path.includes('/.')) return false
  const hasEnding = path.lastIndexOf('.') > path.lastIndexOf('/')
  return !hasEnding || (accept?.includes('text/html') ?? false)
}

// Files of the web client: hashed assets that browsers keep, and one page that takes every deep link.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HeaderSet } from './security-headers.ts'

export interface StaticFiles {
  /** Where the files appear, such as `/client`; not the root. */
  readonly prefix: string
  readonly folder: string
  /** The file that answers deep links, such as `index.html`. */
  readonly fallback?: string
  /** Do its pages make styles as they run? Scripts are never allowed inside a page. */
  readonly inlineStyles?: boolean
}

export interface StaticFilesHost {
  /** For everything sent from a folder. */
  readonly headers: (request: FastifyRequest) => HeaderSet
  /** Told of everything sent from a folder, when it begins. */
  readonly sending: (request: FastifyRequest, reply: FastifyReply) => void
  /** No such file, or not a method of files. */
  readonly notFound: (request: FastifyRequest, reply: FastifyReply) => void
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

export const serveStaticFiles = (app: FastifyInstance, files: StaticFiles, host: StaticFilesHost): void => {
  const { prefix, folder, fallback } = files
  const page = fallback !== undefined && existsSync(join(folder, fallback)) ? fallback : null
  app.register(
    async scope => {
      scope.addHook('onSend', async (request, reply) => {
        reply.headers(host.headers(request))
        host.sending(request, reply)
      })
      scope.setNotFoundHandler((request, reply) => {
        const isDeepLink = isRead(request.method) && looksLikePage(request.raw.url ?? '', request.headers.accept)
        if (page !== null && isDeepLink) return reply.sendFile(page)
        host.notFound(request, reply)
      })
      await scope.register(fastifyStatic, {
        root: folder,
        serve: true,
        // A file's compressed forms lie beside it, made once by the build.
        preCompressed: true,
        dotfiles: 'ignore',
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

/** The build names files under `assets` after their content, so that a name never changes its meaning. */
const hashed = /[/\\]assets[/\\][^/\\]+-[\w-]{8,}(?:\.\w+)+$/

const cachingOf = (path: string): string => (hashed.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache')

/**
 * A missing asset must not be answered with a page. What has the ending of a file is a page only for a browser that
 * asks for one: identifiers may contain dots.
 */
const looksLikePage = (target: string, accept: string | undefined): boolean => {
  const path = target.split(/[?#]/, 1)[0] ?? ''
  if (/\/(?:assets(?:\/|$)|\.)/.test(path)) return false
  const hasEnding = path.lastIndexOf('.') > path.lastIndexOf('/')
  return !hasEnding || (accept?.includes('text/html') ?? false)
}

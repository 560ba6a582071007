// Under `plinth dev`, the web client follows the pages of modules: it loads them again when they are bundled again.

import { on } from 'node:events'
import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Route } from '../../core/http/exchange.ts'
import { pagesAddress, pagesList } from './built-pages.ts'

export const pageChangesAddress = `${pagesAddress}/changes`

const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' }

/** The list as it is, and again each time it is written. */
export async function* listsIn(folder: string, signal: AbortSignal): AsyncGenerator<string> {
  const path = join(folder, pagesList)
  let last = ''
  const read = async (): Promise<string | null> => {
    const text = await readFile(path, 'utf8').catch(() => '')
    if (text === '' || text === last) return null
    last = text
    return `data: ${text}\n\n`
  }
  // Watching begins before the first reading, and events wait while one is read, so that nothing is missed in between.
  const changes = on(watch(folder, { signal }), 'change', { signal })
  try {
    yield (await read()) ?? ': waiting\n\n'
    for await (const _ of changes) {
      const event = await read()
      if (event !== null) yield event
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** The route of a service that stops with `closing`. */
export const pageChangesRoute = (folder: string, closing: AbortSignal): Route => ({
  method: 'GET',
  path: pageChangesAddress,
  isEssential: true,
  handler: ({ signal }) => ({
    status: 200,
    headers,
    body: listsIn(folder, AbortSignal.any([signal, closing])),
  }),
})

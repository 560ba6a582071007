// `plinth console`: a REPL on the records of an application. From a pipe it runs the text as one script.

import { text } from 'node:stream/consumers'
import { runInThisContext } from 'node:vm'
import type { App } from '../app.ts'

/** Resolves when the user leaves. Every resource is a name, as in `await records.find(books, { limit: 5 })`. */
export const runConsole = async ({ platform: { records, registry, clock } }: App): Promise<void> => {
  const definitions = Object.fromEntries(registry.resources.map(({ name, definition }) => [name, definition]))
  Object.assign(globalThis, definitions, { records, now: clock })
  if (!process.stdin.isTTY) return runInThisContext(`(async () => {${await text(process.stdin)}\n})()`)
  console.log(`Records, without permissions: await records.find(users, { limit: 5 })`)
  console.log(`Resources: ${Object.keys(definitions).join(', ')}`)
  // Loaded for this command alone: the module loads `node:domain`, which slows down every event emitter of the process.
  const { start } = await import('node:repl')
  const repl = start({ prompt: 'plinth> ', useGlobal: true, ignoreUndefined: true })
  await new Promise<void>(resolve => repl.once('exit', () => resolve()))
}

// `plinth console`: a REPL on the records of an application. From a pipe it runs the text as one script, and prints the values of
// expressions, as the prompt does.

import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { runInThisContext, Script } from 'node:vm'
import type { App } from '../app.ts'

/** Resolves when the user leaves. Every resource is a name, as in `await records.find(books, { limit: 5 })`. */
export const runConsole = async ({ platform: { records, registry, clock } }: App): Promise<void> => {
  const definitions = Object.fromEntries(registry.resources.map(({ name, definition }) => [name, definition]))
  Object.assign(globalThis, definitions, { records, now: clock })
  if (!process.stdin.isTTY) return runScript(await text(process.stdin))
  console.log(`Records, without permissions: await records.find(users, { limit: 5 })`)
  console.log(`Resources: ${Object.keys(definitions).join(', ')}`)
  // Loaded for this command alone: the module loads `node:domain`, which slows down every event emitter of the process.
  const { start } = await import('node:repl')
  const repl = start({ prompt: 'plinth> ', useGlobal: true, ignoreUndefined: true })
  await new Promise<void>(resolve => repl.once('exit', () => resolve()))
}

const runScript = async (script: string): Promise<void> => {
  const print = (value: unknown): void => void (value !== undefined && console.log(inspect(value)))
  const body = statementsIn(script).map(one => (isExpression(one) ? `print((${withoutEnd(one)}))\n` : one))
  await runInThisContext(`async print => {${body.join('')}}`, 'console')(print)
}

/** Lines that begin like this go on with the statement before them. */
const continues = /^\s*(?:\.\w|\?\.|[)\]}?:&|*/%,=<>]|else\b|catch\b|finally\b)/

const isExit = (line: string): boolean => line.trim() === '.exit'

/**
 * Splits a script into the shortest statements that can be compiled. What cannot is the last one, for the compiler to
 * report.
 */
const statementsIn = (script: string): readonly string[] => {
  const found: string[] = []
  let statement = ''
  const lines = script.split('\n')
  const end = lines.findIndex(isExit)
  for (const [at, line] of lines.slice(0, end < 0 ? undefined : end).entries()) {
    statement += `${line}\n`
    const next = lines[at + 1] ?? ''
    if ((continues.test(next) && !isExit(next)) || !compiles(`async () => {${statement}}`)) continue
    found.push(statement)
    statement = ''
  }
  return [...found, statement]
}

const isDeclaration = /^\s*(?:async\s+function|function|class)\b/

const isExpression = (statement: string): boolean =>
  !isDeclaration.test(statement) && compiles(`async () => (${withoutEnd(statement)})`)

/** The line stays: a comment may stand at its end. */
const withoutEnd = (statement: string): string => statement.replace(/;\s*$/, '\n')

const compiles = (code: string): boolean => {
  try {
    return Boolean(new Script(code))
  } catch {
    return false
  }
}

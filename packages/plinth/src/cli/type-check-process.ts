// The process of `plinth dev` in which the TypeScript of the application checks types. It ends when `plinth dev` ends, even by a kill.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [compilerFolder = '', ...args] = process.argv.slice(2)

process.once('disconnect', () => process.exit())

/** The module that names the compiler's file: from version 7 on, TypeScript is a program of its own. */
const programPlace = join(compilerFolder, 'lib', 'getExePath.js')

const importPath = (path: string): Promise<{ readonly default?: unknown }> => import(pathToFileURL(path).href)

const findProgram = async (): Promise<string> => {
  const { default: getPath } = await importPath(programPlace)
  return String(typeof getPath === 'function' ? getPath() : getPath)
}

const runProgram = async (): Promise<void> => {
  const child = spawn(await findProgram(), args, { stdio: 'inherit' })
  process.once('exit', () => child.kill())
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => process.exit())
  child.once('exit', code => process.exit(code ?? 1))
}

if (existsSync(programPlace)) {
  await runProgram()
} else {
  const compiler = join(compilerFolder, 'lib', 'tsc.js')
  process.argv = [process.execPath, compiler, ...args]
  await importPath(compiler)
}

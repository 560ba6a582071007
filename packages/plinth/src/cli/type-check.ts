// Type errors. The service runs without its types: under `plinth dev` a compiler beside it checks them, each time a file changes;
// `plinth build` has them checked once.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { styleText } from 'node:util'
import { cacheFolder, isTypeScript } from './app-file.ts'

/** Errors beyond these are only counted. */
const mostErrors = 20

const print = (style: 'red' | 'green' | 'dim', text: string): void =>
  console.error(process.stderr.isTTY ? styleText(style, text) : text)

/** `modules/books.ts(4,3): error …` as `modules/books.ts:4:3 - error …`, which terminals turn into links. */
const withPlace = (line: string): string => line.replace(/^([^()]+)\((\d+),(\d+)\): /, '$1:$2:$3 - ')

/** Prints the result of each check. The compiler writes its errors first, and then how many they are. */
class CheckReport {
  #lines: string[] = []
  #hadErrors: boolean | undefined

  add(line: string): void {
    const [, status, count] = / - (Starting compilation|File change detected|Found (\d+) errors?)/.exec(line) ?? []
    if (count !== undefined) this.#print(Number(count))
    if (status !== undefined) this.#lines = []
    else if (line.trim() !== '') this.#lines.push(line)
  }

  /** What the compiler has written before it ended: the reason. */
  get rest(): string {
    return this.#lines.join('\n')
  }

  #print(count: number): void {
    if (count > 0) {
      print('red', `\n${count === 1 ? 'One type error' : `${count} type errors`}. The service runs nevertheless.`)
      print('red', this.#errors(count).map(withPlace).join('\n'))
    } else if (this.#hadErrors !== false) print('green', 'No type errors.')
    this.#hadErrors = count > 0
  }

  /** Returns the errors with the indented lines that explain them. */
  #errors(count: number): string[] {
    const starts = this.#lines.flatMap((line, at) => (/^\S/.test(line) ? [at] : []))
    const end = starts[mostErrors]
    if (end === undefined) return this.#lines
    return [...this.#lines.slice(0, end), `… and ${count - mostErrors} more: run \`npx tsc --noEmit\`.`]
  }
}

const findCompiler = (source: string): string | undefined => {
  try {
    return dirname(createRequire(source).resolve('typescript/package.json'))
  } catch {
    return undefined
  }
}

/** Runs the compiler of the application in a process of its own. */
const forkCompiler = (compiler: string, project: string, ...options: readonly string[]): ChildProcess => {
  const isSource = import.meta.url.endsWith('.ts')
  const file = fileURLToPath(new URL(`./type-check-process.${isSource ? 'ts' : 'js'}`, import.meta.url))
  const args = [...options, '--noEmit', '--pretty', 'false', '--project', project]
  return fork(file, [compiler, ...args], {
    cwd: dirname(project),
    execArgv: isSource ? ['--import', 'tsx'] : [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
}

const projectOf = (source: string): string => join(dirname(source), 'tsconfig.json')

/** Returns the errors of the compiler; empty where there are none, or where the application has no compiler or project. */
export const typeErrorsIn = async (source: string): Promise<string> => {
  const project = projectOf(source)
  const compiler = findCompiler(source)
  if (compiler === undefined || !existsSync(project)) return ''
  const child = forkCompiler(compiler, project)
  const lines: string[] = []
  if (child.stdout) createInterface(child.stdout).on('line', line => lines.push(withPlace(line)))
  const [code] = await once(child, 'close')
  return code === 0 ? '' : lines.join('\n').trim() || `the compiler ended with ${code}`
}

/** Starts late and below the priority of the service, which goes first. At the lowest priority it would wait for ever on a busy machine. */
export class TypeCheck {
  readonly #source: string
  #child: ChildProcess | undefined
  #isOver = false

  constructor(source: string) {
    this.#source = source
  }

  /** Does nothing when it has been started before. */
  start(): void {
    if (this.#isOver || this.#child) return
    const project = projectOf(this.#source)
    const compiler = findCompiler(this.#source)
    if (existsSync(project) && compiler !== undefined) this.#run(compiler, project)
    else this.#leaveOut(compiler === undefined ? 'run `npm install --save-dev typescript`' : `${project} is missing`)
  }

  async stop(): Promise<void> {
    this.#isOver = true
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
    child.kill('SIGTERM')
    await ended
  }

  /** An application in JavaScript needs no hint. */
  #leaveOut(why: string): void {
    this.#isOver = true
    if (isTypeScript(this.#source)) print('dim', `Types are not checked: ${why}.`)
  }

  #run(compiler: string, project: string): void {
    const kept = join(dirname(project), cacheFolder, 'types.tsbuildinfo')
    const watching = ['--watch', '--preserveWatchOutput', '--incremental', '--tsBuildInfoFile', kept]
    const child = forkCompiler(compiler, project, ...watching)
    this.#child = child
    lowerPriority(child)
    const report = new CheckReport()
    if (child.stdout) createInterface(child.stdout).on('line', line => report.add(line))
    child.once('close', () => {
      if (!this.#isOver) print('red', `${report.rest}\nTypes are no longer checked: the compiler has ended.`.trim())
    })
  }
}

const lowerPriority = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended, or the system does not allow it: the types are checked all the same.
  }
}

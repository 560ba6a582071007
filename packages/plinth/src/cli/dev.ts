// `plinth dev`: runs the application from its source, and starts it again whenever a file of it changes. A version that cannot start
// does not replace the one that runs.

import type { ChildProcess } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { BuildResult, Plugin } from 'esbuild'
import { builtClient } from '../app/built-client.ts'
import type { PageSource } from '../app/pages/page-sources.ts'
import { cacheFolder, pagesFolderOf } from './app-file.ts'
import { bundleOptions } from './bundle-options.ts'
import { loadBundler, toCommandError } from './bundler.ts'
import { PageWatcher } from './page-watcher.ts'
import { type StandbyMessage, type StandbyReport, sendOrder, startStandby } from './standby.ts'
import { onOrphaned } from './stop.ts'
import { TypeCheck } from './type-check.ts'

const waiting = 'Waiting for a change …'

interface DevProcess {
  readonly child: ChildProcess
  readonly ended: Promise<void>
  /** Returns false when the process ends first: it has printed why. */
  reports(how: StandbyReport): Promise<boolean>
}

type OnPages = (pages: readonly PageSource[]) => void

const startProcess = (args: readonly string[], onPages: OnPages): DevProcess => {
  const child = startStandby(args)
  child.on('message', (said: StandbyMessage) => typeof said === 'object' && onPages(said.pages))
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()))
  const reports = (how: StandbyReport): Promise<boolean> => {
    const reported = new Promise<boolean>(resolve => child.on('message', said => said === how && resolve(true)))
    return Promise.race([reported, ended.then(() => false)])
  }
  return { child, ended, reports }
}

const end = async (one: DevProcess | undefined): Promise<void> => {
  one?.child.kill('SIGTERM')
  await one?.ended
}

const isAlive = (one: DevProcess | undefined): boolean => one?.child.exitCode === null && one.child.signalCode === null

/**
 * One service at a time. The next one is loaded while the one before still serves. It listens when that one has ended, so that they
 * never share the port. Then the process of the next one is prepared.
 */
class RestartedProcess {
  readonly #args: readonly string[]
  readonly #inspect: string | undefined
  readonly #onPages: OnPages
  #running: DevProcess | undefined
  #loading: DevProcess | undefined
  #prepared: DevProcess | undefined
  /** Files of bundles: the newest one, and the last one that has started. */
  #newest = ''
  #good = ''
  #last: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(args: readonly string[], inspect: string | undefined, onPages: OnPages) {
    this.#args = args
    this.#inspect = inspect
    this.#onPages = onPages
  }

  restart(bundle: string): void {
    this.#newest = bundle
    // What it loads is out of date.
    this.#loading?.child.kill('SIGKILL')
    this.#last = this.#last.then(() => this.#replace(bundle))
  }

  /** The newest version has been started, or has failed. */
  settled(): Promise<void> {
    return this.#last
  }

  async stop(): Promise<void> {
    this.#newest = ''
    this.#isStopped = true
    this.#loading?.child.kill('SIGKILL')
    await this.#last
    await Promise.all([end(this.#running), end(this.#prepared)])
  }

  /** Explains the state after a change that cannot be served. */
  explain(): void {
    console.error(isAlive(this.#running) ? `The version before is still running. ${waiting}` : waiting)
  }

  async #replace(bundle: string): Promise<void> {
    if (bundle !== this.#newest) return
    const next = await this.#load(bundle)
    if (next && bundle === this.#newest) await this.#serve(next, bundle)
    else await end(next)
    if (bundle !== this.#good && bundle !== this.#newest) await rm(bundle, { force: true })
  }

  async #load(bundle: string): Promise<DevProcess | undefined> {
    const next = this.#prepared ?? startProcess(this.#args, this.#onPages)
    this.#prepared = undefined
    this.#loading = next
    sendOrder(next.child, { app: bundle, ...(!isAlive(this.#running) && { inspect: this.#inspect }) })
    const isLoaded = await next.reports('loaded')
    this.#loading = undefined
    if (isLoaded) return next
    this.#prepare()
    if (bundle === this.#newest) this.explain()
    return undefined
  }

  async #serve(next: DevProcess, bundle: string): Promise<void> {
    const isFirst = !isAlive(this.#running)
    await end(this.#running)
    this.#running = next
    sendOrder(next.child, isFirst ? {} : { inspect: this.#inspect })
    if (!(await next.reports('listening'))) return this.#goBack(bundle)
    if (this.#good !== bundle) await rm(this.#good, { force: true })
    this.#good = bundle
    next.child.once('exit', code => {
      // It has printed why. A signal that ends it gives no code, or 0.
      if (code) console.error(waiting)
    })
    this.#prepare()
  }

  /** The new version failed when that before it had ended. */
  async #goBack(bundle: string): Promise<void> {
    if (bundle !== this.#newest) return
    if (this.#good === '' || this.#good === bundle) return console.error(waiting)
    console.error('Starting the version before again.')
    this.#newest = this.#good
    await this.#replace(this.#good)
  }

  #prepare(): void {
    if (this.#isStopped) return
    const prepared = startProcess(this.#args, this.#onPages)
    this.#prepared = prepared
    prepared.child.once('exit', () => {
      if (this.#prepared === prepared) this.#prepared = undefined
    })
  }
}

/** Takes `--inspect` out of the arguments, with the address that may follow it. */
const takeInspect = (args: readonly string[]): { readonly inspect: string | undefined; readonly rest: string[] } => {
  const at = args.findIndex(arg => /^--inspect(=|$)/.test(arg))
  if (at < 0) return { inspect: undefined, rest: [...args] }
  const [option = '', next = ''] = args.slice(at, at + 2)
  const isApart = option === '--inspect' && /^([\w.[\]:-]+:)?\d+$/.test(next)
  return { inspect: isApart ? next : option.slice('--inspect='.length), rest: args.toSpliced(at, isApart ? 2 : 1) }
}

/** Files that the service reads when it starts, beside the source. */
const settingFiles = (args: readonly string[]): string[] => {
  const at = args.findIndex(arg => arg === '--config' || arg.startsWith('--config='))
  const [option = '', next = ''] = at < 0 ? [] : args.slice(at, at + 2)
  const file = option === '--config' ? next : option.slice('--config='.length)
  return ['.env', ...(file ? [file] : [])].map(path => resolve(path))
}

interface DevOptions {
  readonly checksTypes: boolean
}

/** Gives control back when a signal ends it. `args` are those of `start`. */
export const runDev = async (source: string, args: readonly string[], { checksTypes }: DevOptions): Promise<void> => {
  const folder = join(dirname(source), cacheFolder, `dev-${process.pid}`)
  await mkdir(folder, { recursive: true })
  const { inspect, rest } = takeInspect(args)
  const pagesFolder = pagesFolderOf(join(folder, 'plinth.config.mjs'))
  await mkdir(pagesFolder, { recursive: true })
  const pages = new PageWatcher(pagesFolder, builtClient)
  const service = new RestartedProcess(['start', ...rest], inspect, sources => pages.watch(sources))
  const types = new TypeCheck(source)
  let count = 0
  const serve = async ({ errors, outputFiles = [] }: BuildResult): Promise<void> => {
    if (errors.length > 0) {
      const failure = await toCommandError(Object.assign(new Error('not built'), { errors }))
      console.error(failure instanceof Error ? failure.message : failure)
      return service.explain()
    }
    const bundle = join(folder, `plinth.config-${++count}.mjs`)
    await writeFile(bundle, outputFiles[0]?.contents ?? '')
    service.restart(bundle)
  }
  const serveAndCheck = async (result: BuildResult): Promise<void> => {
    await serve(result)
    if (checksTypes) void service.settled().then(() => types.start())
  }
  const restart: Plugin = { name: 'restart', setup: ({ onEnd }) => onEnd(serveAndCheck) }
  const { context } = await loadBundler()
  const options = bundleOptions(source, { watchFiles: settingFiles(rest) })
  const watching = await context({
    ...options,
    // Not written there, but paths in the source map begin in its folder.
    outfile: join(folder, 'plinth.config.mjs'),
    write: false,
    plugins: [...(options.plugins ?? []), restart],
  })
  await watching.watch()
  await new Promise<void>(resolve => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
    onOrphaned(resolve)
  })
  await watching.dispose()
  await Promise.all([service.stop(), types.stop(), pages.stop()])
  await rm(folder, { recursive: true, force: true })
}

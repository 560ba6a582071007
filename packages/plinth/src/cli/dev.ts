// `plinth dev`: runs the application from its source, and starts it again whenever a file of it changes.

import type { ChildProcess } from 'node:child_process'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'
import { bundleOptions, loadBundler, toCommandError } from './app-file.ts'
import { release, startStandby } from './standby.ts'

const waiting = 'Waiting for a change …'

interface DevProcess {
  readonly child: ChildProcess
  readonly ended: Promise<void>
}

/**
 * One service at a time: the next one starts when the one before has ended, so that they never share the port. Once it listens,
 * the process of the next one is prepared.
 */
class RestartedProcess {
  readonly #args: readonly string[]
  #running: DevProcess | undefined
  #prepared: DevProcess | undefined
  #last: Promise<void> = Promise.resolve()

  constructor(args: readonly string[]) {
    this.#args = args
  }

  restart(): Promise<void> {
    this.#last = this.#last.then(async () => {
      await end(this.#running)
      const next = this.#prepared ?? this.#start()
      this.#prepared = undefined
      this.#running = next
      next.child.once('message', () => this.#prepare())
      next.child.once('exit', code => {
        // It has printed why, for example a mistake in a definition. A signal that ends it gives no code, or 0.
        if (code) console.error(waiting)
      })
      release(next.child)
    })
    return this.#last
  }

  async stop(): Promise<void> {
    await this.#last
    await Promise.all([end(this.#running), end(this.#prepared)])
  }

  #prepare(): void {
    const prepared = this.#start()
    this.#prepared = prepared
    prepared.child.once('exit', () => {
      if (this.#prepared === prepared) this.#prepared = undefined
    })
  }

  #start(): DevProcess {
    const child = startStandby(this.#args)
    return { child, ended: new Promise(resolve => child.once('exit', () => resolve())) }
  }
}

const end = async (one: DevProcess | undefined): Promise<void> => {
  one?.child.kill('SIGTERM')
  await one?.ended
}

/** Gives control back when a signal ends it. `args` are those of `start`. */
export const runDev = async (source: string, args: readonly string[]): Promise<void> => {
  const bundle = join(dirname(source), 'node_modules', '.cache', 'plinth', 'dev', 'plinth.config.mjs')
  const service = new RestartedProcess(['start', `--app=${bundle}`, ...args])
  const restart: Plugin = {
    name: 'restart',
    setup: ({ onEnd }) =>
      onEnd(async result => {
        if (result.errors.length === 0) return void service.restart()
        const failure = await toCommandError(Object.assign(new Error('not built'), result))
        console.error(`${failure instanceof Error ? failure.message : failure}\n${waiting}`)
      }),
  }
  const { context } = await loadBundler()
  const watching = await context({ ...bundleOptions(source, bundle), plugins: [restart] })
  await watching.watch()
  await new Promise<void>(resolve => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
  await watching.dispose()
  await service.stop()
}

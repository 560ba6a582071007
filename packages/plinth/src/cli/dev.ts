// `plinth dev`: runs the application from its source, and starts it again whenever a file of it changes.

import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'
import { bundleOptions, loadBundler, toCommandError } from './bundle-app.ts'

/** One process at a time: the next one starts when the one before has ended, so that they never share the port. */
class RestartedProcess {
  readonly #start: () => ChildProcess
  #running: { readonly child: ChildProcess; readonly ended: Promise<void> } | undefined
  #last: Promise<void> = Promise.resolve()

  constructor(start: () => ChildProcess) {
    this.#start = start
  }

  restart(): Promise<void> {
    this.#last = this.#last.then(async () => {
      await this.stop()
      const child = this.#start()
      this.#running = { child, ended: new Promise(resolve => child.once('exit', () => resolve())) }
    })
    return this.#last
  }

  async stop(): Promise<void> {
    this.#running?.child.kill('SIGTERM')
    await this.#running?.ended
    this.#running = undefined
  }
}

/** Gives control back when a signal ends it. `args` are those of `start`. */
export const runDev = async (source: string, args: readonly string[]): Promise<void> => {
  const bundle = join(dirname(source), 'node_modules', '.cache', 'plinth', 'dev', 'plinth.config.mjs')
  const program = process.argv[1] ?? ''
  const service = new RestartedProcess(() =>
    spawn(process.execPath, [...process.execArgv, program, 'start', `--app=${bundle}`, ...args], { stdio: 'inherit' }),
  )
  const restart: Plugin = {
    name: 'restart',
    setup: ({ onEnd }) =>
      onEnd(async result => {
        if (result.errors.length === 0) return void service.restart()
        const failure = await toCommandError(Object.assign(new Error('not built'), result))
        console.error(`${failure instanceof Error ? failure.message : failure}\nWaiting for a change …`)
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

// A process that `plinth dev` starts ahead of need: it loads Plinth, and waits until the application is to be started. Most of a
// start is loading.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** The first argument of such a process. */
const option = '--standby'

let isStandby = false

/** Does `plinth dev` run this process? */
export const isUnderDev = (): boolean => isStandby

/** Waits where the arguments ask for it. Gives the others. */
export const standBy = async (args: readonly string[]): Promise<readonly string[]> => {
  if (args[0] !== option || !process.send) return args
  isStandby = true
  // `plinth dev` is gone: there is nothing to wait for.
  const exit = () => process.exit()
  process.once('disconnect', exit)
  await import('../app.ts')
  await once(process, 'message')
  process.off('disconnect', exit)
  return args.slice(1)
}

/** The service listens. */
export const reportStarted = (): void => {
  if (!isStandby) return
  process.send?.('started')
  process.disconnect()
}

export const startStandby = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', option, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })

/** Lets it go on. */
export const release = (child: ChildProcess): void => void child.send('start')

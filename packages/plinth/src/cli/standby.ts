// A process that `plinth dev` starts ahead of need: it loads Plinth, and waits until the application is to be loaded. Most of a
// start is loading. Then it waits again, until the version before has ended and its port is free.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { PageSource } from '../app/pages/page-sources.ts'

/** The first argument of such a process. */
const option = '--standby'

/** What `plinth dev` tells the process. */
interface StandbyOrder {
  /** The file of the application, when it is to be loaded. */
  readonly app?: string
  /** The address at which to wait for a debugger, once no other process does: `host:port`, or a part of it. */
  readonly inspect?: string | undefined
}

/** How far the process has come: its definitions are right, it listens. */
export type StandbyReport = 'loaded' | 'listening'

/** What the process tells `plinth dev`. */
export type StandbyMessage = StandbyReport | { readonly pages: readonly PageSource[] }

let isStandby = false

/** Does `plinth dev` run this process? */
export const isUnderDev = (): boolean => isStandby

const nextOrder = async (): Promise<StandbyOrder> => {
  const [order]: StandbyOrder[] = await once(process, 'message')
  if (order?.inspect !== undefined) await openInspector(order.inspect)
  return order ?? {}
}

const openInspector = async (address: string): Promise<void> => {
  const { open } = await import('node:inspector')
  const [, host, port] = /^(?:(.*):)?(\d*)$/.exec(address) ?? []
  open(port ? Number(port) : undefined, host)
}

/** Waits where the arguments ask for it. Gives the others. */
export const standBy = async (args: readonly string[]): Promise<readonly string[]> => {
  if (args[0] !== option || !process.send) return args
  isStandby = true
  // `plinth dev` is gone, perhaps killed: whatever this process does, it ends.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  await import('../app.ts')
  const { app } = await nextOrder()
  return [...args.slice(1), `--app=${app}`]
}

const report = (message: StandbyMessage): void => void (isStandby && process.send?.(message))

/** The application could start; goes on when the version before has ended. */
export const awaitTurn = async (): Promise<void> => {
  if (!isStandby) return
  report('loaded')
  await nextOrder()
}

/** The pages of modules, which `plinth dev` bundles. */
export const reportPages = (pages: readonly PageSource[]): void => report({ pages })

/** The service listens. */
export const reportStarted = (): void => report('listening')

// On the side of `plinth dev`

export const startStandby = (args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', option, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })

export const sendOrder = (child: ChildProcess, order: StandbyOrder): void => {
  // It may have ended; that is seen elsewhere.
  if (child.connected) child.send(order, () => {})
}

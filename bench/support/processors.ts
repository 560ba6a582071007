// Keeps the load of a benchmark off the processor of the service, where `taskset` can bind a process.

import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const count = availableParallelism()
const canBind = count > 1 && spawnSync('taskset', ['--version']).status === 0
const all = `0-${count - 1}`
const last = String(count - 1)
const allButLast = `0-${count - 2}`

const bind = (pid: number, processors: string): void => {
  if (canBind) spawnSync('taskset', ['-a', '-c', '-p', processors, String(pid)])
}

/** What the work starts stays on the last processor. */
export const onLastProcessor = async <T>(work: () => Promise<T>): Promise<T> => {
  bind(process.pid, last)
  try {
    return await work()
  } finally {
    bind(process.pid, all)
  }
}

export const keepOffLastProcessor = (pid: number): void => bind(pid, allButLast)

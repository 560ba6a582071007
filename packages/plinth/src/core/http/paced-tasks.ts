// Tasks by key, such as the network of a caller: those of one key run one after the other, and the event loop is left to others
// between them for longer than they take. So a flood from one network delays itself.

import { msForOthers } from './turns.ts'

export type OneByOne = (task: () => void) => void

export const createOneByOne = (): OneByOne => {
  const queue: (() => void)[] = []
  const next = (): void => {
    const task = queue.shift()
    if (queue.length > 0) setImmediate(next)
    task?.()
  }
  return task => {
    queue.push(task)
    if (queue.length === 1) setImmediate(next)
  }
}

/** `ms`: how long the task takes, about. What else keeps the event loop busy does not count: it delays no task. */
export type PacedTasks = (key: string, ms: number, task: () => void) => void

/** The milliseconds of work that needs no pause. */
const cheapTaskMs = 1

export const createPacedTasks = (): PacedTasks => {
  const inTurn = createOneByOne()
  /** The tasks that wait for the one that runs. */
  const waiting = new Map<string, (() => void)[]>()
  const next = (key: string): void => {
    const run = waiting.get(key)?.shift()
    if (run) inTurn(run)
    else waiting.delete(key)
  }
  return (key, ms, task) => {
    const run = () => {
      task()
      if (ms < cheapTaskMs) next(key)
      else setTimeout(() => next(key), ms * msForOthers)
    }
    const queue = waiting.get(key)
    if (queue) queue.push(run)
    else {
      waiting.set(key, [])
      inTurn(run)
    }
  }
}

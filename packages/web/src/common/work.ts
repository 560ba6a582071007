// Work that goes on while the user visits other pages, such as an import. The header shows it, and the browser asks before it is ended by closing
// the tab.

import { useSyncExternalStore } from 'react'

export interface RunningTask {
  /** What it is, in the language of the user. */
  readonly title: string
  /** How far it has come, likewise. */
  readonly status: string
  /** The page that shows more of it. */
  readonly page: string
  readonly cancel: () => void
}

let running: ReadonlyMap<string, RunningTask> = new Map()
const watchers = new Set<() => void>()

const ask = (event: BeforeUnloadEvent): void => event.preventDefault()

const set = (next: ReadonlyMap<string, RunningTask>): void => {
  if (next.size > 0 && running.size === 0) addEventListener('beforeunload', ask)
  if (next.size === 0) removeEventListener('beforeunload', ask)
  running = next
  for (const watcher of watchers) watcher()
}

/** Begins the work of this name, or tells how far it has come. */
export const noteWork = (name: string, work: RunningTask): void => set(new Map([...running, [name, work]]))

export const endWork = (name: string): void => set(new Map([...running].filter(([other]) => other !== name)))

const forgetters = new Set<() => void>()

/** Runs when the user signs out: what is kept of ended work is not for the next one. */
export const onWorkForgotten = (forget: () => void): void => {
  forgetters.add(forget)
}

/** Cancels all work. */
export const forgetWork = (): void => {
  for (const { cancel } of running.values()) cancel()
  set(new Map())
  for (const forget of forgetters) forget()
}

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export const useWork = (): ReadonlyMap<string, RunningTask> => useSyncExternalStore(watch, () => running)

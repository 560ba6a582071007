// Drafts: they survive a reload of the page and are visible to their author only. A draft lives in one tab, until the tab
// is closed or the author signs out.

import { useSyncExternalStore } from 'react'

const prefix = 'plinth.draft.'

export class StoredDraft<T> {
  readonly #key: string
  #state: T
  readonly #watchers = new Set<() => void>()

  constructor(key: string, empty: T) {
    this.#key = key
    this.#state = readKept(key) ?? empty
  }

  readonly get = (): T => this.#state

  readonly set = (state: T): void => {
    this.#state = state
    sessionStorage.setItem(this.#key, JSON.stringify(state))
    for (const watcher of this.#watchers) watcher()
  }

  readonly update = (change: (state: T) => T): void => this.set(change(this.#state))

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }
}

const readKept = <T>(key: string): T | null => {
  const text = sessionStorage.getItem(key)
  return text === null ? null : (JSON.parse(text) as T)
}

/** One object for each draft: what is still on its way when a page is left must find what the next page shows. */
const drafts = new Map<string, StoredDraft<unknown>>()

/** `name` ends in the version of its shape: a draft of an older client is left alone. */
export const draftOf = <T>(owner: string, name: string, empty: T): StoredDraft<T> => {
  const key = `${prefix}${owner}.${name}`
  const draft = (drafts.get(key) as StoredDraft<T> | undefined) ?? new StoredDraft(key, empty)
  drafts.set(key, draft as StoredDraft<unknown>)
  return draft
}

export const useDraft = <T>(draft: StoredDraft<T>): T => useSyncExternalStore(draft.watch, draft.get)

export const forgetDrafts = (): void => {
  drafts.clear()
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}

// Short news in a corner of the page. The library arrives with the first of them.

import type { ReactNode } from 'react'
import { textOf } from '../i18n/dictionary.ts'
import { currentLanguage } from '../i18n/language.ts'
import { commonTexts } from './dictionary.ts'
import { problemText } from './problem-text.ts'

interface News {
  readonly message: ReactNode
  readonly color?: string
  readonly role?: 'status' | 'alert'
  /** Milliseconds. */
  readonly autoClose?: number
}

let isThere = false
const watchers = new Set<() => void>()

/** Was there anything to tell so far? */
export const hasNews = (): boolean => isThere

export const watchNews = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Gives what takes it away again. */
export const showNews = (news: News): (() => void) => {
  isThere = true
  for (const watcher of watchers) watcher()
  const closeButtonProps = { 'aria-label': textOf(commonTexts)('close') }
  const loaded = import('@mantine/notifications').then(({ notifications }) => ({
    id: notifications.show({ withBorder: true, color: 'teal', autoClose: 6000, closeButtonProps, ...news }),
    hide: notifications.hide,
  }))
  return () => void loaded.then(({ id, hide }) => hide(id))
}

export const notify = (message: string): void => {
  showNews({ message })
}

export const notifyProblem = (error: unknown): void => {
  showNews({ message: problemText(error, currentLanguage()), color: 'red', role: 'alert', autoClose: 10_000 })
}

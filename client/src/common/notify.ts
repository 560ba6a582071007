// Short news in a corner of the page. The library arrives with the first of them.

import type { ReactNode } from 'react'
import { currentLanguage } from '../i18n/language.ts'
import { problemText } from './problem-text.ts'

interface News {
  readonly message: ReactNode
  readonly color?: string
  readonly role?: 'status' | 'alert'
  /** Milliseconds. */
  readonly autoClose?: number
}

/** Gives what takes it away again. */
export const showNews = (news: News): (() => void) => {
  const shown = import('@mantine/notifications').then(({ notifications }) => ({
    id: notifications.show({ withBorder: true, color: 'teal', autoClose: 6000, ...news }),
    hide: notifications.hide,
  }))
  return () => void shown.then(({ id, hide }) => hide(id))
}

export const notify = (message: string): void => {
  showNews({ message })
}

export const notifyProblem = (error: unknown): void => {
  showNews({ message: problemText(error, currentLanguage()), color: 'red', role: 'alert', autoClose: 10_000 })
}

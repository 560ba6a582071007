// A sheet: components in their states.

import type { ReactNode } from 'react'

export interface SheetState {
  readonly title: string
  readonly content: ReactNode
}

export interface Sheet {
  readonly name: string
  /** The exports of the kit that it shows. */
  readonly shows: readonly string[]
  /** Says that each state has the page to itself, and that its button is pressed. */
  readonly isOneByOne?: boolean
  readonly states: readonly SheetState[]
}

/** Names a state. */
export const state = (title: string, content: ReactNode): SheetState => ({ title, content })

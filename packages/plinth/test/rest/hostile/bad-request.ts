// One bad request and what it must get.

import type { DemoUser } from '@plinth/test-kit/service'

export interface Known {
  readonly book: string
  readonly shelf: string
  readonly copy: string
}

export interface Bad {
  readonly ask: string | ((known: Known) => string)
  readonly as?: DemoUser | 'anonymous'
  readonly type?: string
  readonly accept?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly status: number
  readonly code?: string
  /** The pointers or parameters of all faults. */
  readonly faults?: readonly string[]
}

export const post = 'POST /api/rest/books'
export const patch = ({ book }: Known) => `PATCH /api/rest/books/${book}`
export const put = ({ book }: Known) => `PUT /api/rest/books/${book}`

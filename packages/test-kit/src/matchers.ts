// Matchers for responses. The setup of the tests adds them to `expect`.

import { expect } from 'vitest'

interface CheckedResponse {
  readonly status: number
  readonly text: string
}

declare module 'vitest' {
  interface Matchers<T> {
    /** The response has this status. A failure prints its body. */
    toHaveStatus(status: number): T
  }
}

expect.extend({
  toHaveStatus: ({ status, text }: CheckedResponse, expected: number) => ({
    pass: status === expected,
    message: () => `The status is ${status} instead of ${expected}, with the body:\n${text}`,
    actual: status,
    expected,
  }),
})

// What the telephone of a user does: it holds the secret and shows a code for each half minute.

import { generateSync } from 'otplib'
import { expect } from 'vitest'
import type { Browser } from './cookie-client.ts'

export interface Authenticator {
  /** The code of now, or of so many steps later. */
  code(steps?: number): string
}

export const createAuthenticator = (secret: string, now: () => Date): Authenticator => ({
  code: (steps = 0) => generateSync({ secret, epoch: Math.floor(now().getTime() / 1000) + steps * 30 }),
})

export interface Enrolled {
  readonly telephone: Authenticator
  readonly recoveryCodes: readonly string[]
}

/** Turns the second factor of a signed-in user on. */
export const enrol = async (browser: Browser, password: string, now: () => Date): Promise<Enrolled> => {
  const enrolment = await browser.post('/api/auth/secondFactor', { password })
  expect(enrolment.status).toBe(200)
  const telephone = createAuthenticator(enrolment.body.secret, now)
  const done = await browser.ask('PUT', '/api/auth/secondFactor', { body: { code: telephone.code() } })
  expect(done.status).toBe(200)
  return { telephone, recoveryCodes: done.body.recoveryCodes }
}

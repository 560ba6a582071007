// Codes that an authenticator app shows: time-based one-time passwords (RFC 6238) of six digits, a new one every 30 seconds.

import { generateSecret, generateURI, verifySync } from 'otplib'

const period = 30

/** 160 bits, as RFC 4226, section 4, recommends. */
export const newTotpSecret = (): string => generateSecret({ length: 20 })

/** What the app reads from a picture. */
export const totpUri = (issuer: string, username: string, secret: string): string =>
  generateURI({ issuer, label: username, secret, period })

export const isTotpForm = (code: string): boolean => /^\d{6}$/.test(code)

/** The time step that the code belongs to; null when it is none of this step, the one before or the one after it. */
export const stepOf = (secret: string, code: string, now: Date): number | null => {
  const epoch = Math.floor(now.getTime() / 1000)
  const found = verifySync({ strategy: 'totp', secret, token: code, period, epoch, epochTolerance: period })
  return found.valid && 'timeStep' in found ? found.timeStep : null
}

// How long things last, in milliseconds.

import type { Config } from '../../../config.ts'

export interface Terms {
  readonly access: number
  readonly refresh: number
  readonly idle: number
  readonly whole: number
  readonly remember: number
}

const minute = 60_000
const day = 24 * 60 * minute

export const termsOf = (config: Config): Terms => {
  const whole = config.get('app.auth.session.maxMinutes') * minute
  return {
    access: config.get('app.jwt.accessTokenMinutes') * minute,
    refresh: config.get('app.jwt.refreshTokenMinutes') * minute,
    idle: config.get('app.auth.session.idleMinutes') * minute,
    whole,
    // Whoever limits sessions wants a password again after that time, on remembered devices too.
    remember: Math.min(whole, config.get('app.auth.rememberDays') * day),
  }
}

export const after = (now: Date, milliseconds: number): string => new Date(now.getTime() + milliseconds).toISOString()

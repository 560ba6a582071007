// How long things last, in milliseconds.

import type { Config } from '../../../core/config/settings.ts'
import { authSettings, jwtSettings, sessionSettings } from '../settings.ts'

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
  const whole = config.get(sessionSettings).maxMinutes * minute
  return {
    access: config.get(jwtSettings).accessTokenMinutes * minute,
    refresh: config.get(jwtSettings).refreshTokenMinutes * minute,
    idle: config.get(sessionSettings).idleMinutes * minute,
    whole,
    // Whoever limits sessions wants a password again after that time, on remembered devices too.
    remember: Math.min(whole, config.get(authSettings).rememberDays * day),
  }
}

export const after = (now: Date, milliseconds: number): string => new Date(now.getTime() + milliseconds).toISOString()

// What a check finds, with an explanation, and what to do about it.

import type { Config } from '../../core/config/settings.ts'
import type { Service } from '../../core/service.ts'

export interface Finding {
  readonly level: 'ok' | 'warning' | 'error'
  readonly explanation: string
  /** Is absent when nothing is wrong. */
  readonly remedy?: string
}

/** One thing that is looked at. Checks of settings and folders come first, and need no database. */
export interface DoctorCheck {
  readonly name: string
  readonly run: (config: Config) => Promise<readonly Finding[]>
}

export interface DatabaseCheck {
  readonly name: string
  readonly run: (service: Service) => Promise<readonly Finding[]>
  /** Says that it reads the whole database or every file, and may hold up a service that does so. */
  readonly isSlow?: boolean
}

export const ok = (explanation: string): Finding => ({ level: 'ok', explanation })

export const warning = (explanation: string, remedy: string): Finding => ({ level: 'warning', explanation, remedy })

export const error = (explanation: string, remedy: string): Finding => ({ level: 'error', explanation, remedy })

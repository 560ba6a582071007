// Devices that a user wants to be remembered. Their cookie opens nothing. It says that the owner was here, so that an account under attack
// stays open to this device on every network, and after its session has ended.

import { randomUUID } from 'node:crypto'
import type { Request } from '../../../core/http/exchange.ts'
import { readCookie } from '../../../core/http/incoming.ts'
import type { Seals } from '../seals.ts'
import { type Cookie, cookieNames } from '../sessions/cookies.ts'

interface KnownDevice {
  readonly id: string
  readonly user: string
  readonly until: number
}

const lasts = 90 * 24 * 3600_000

export const deviceCookie = (seals: Seals, user: string, now: Date): Cookie => {
  const device: KnownDevice = { id: randomUUID(), user, until: now.getTime() + lasts }
  return { name: cookieNames.device, value: seals.seal(JSON.stringify(device), 'known device'), lasts }
}

interface DeviceUse {
  readonly request: Request
  readonly userPk: string | null
  readonly now: Date
}

/** The identifier of the device; null where the user has not been remembered on it. */
export const findKnownDevice = (seals: Seals, { request, userPk, now }: DeviceUse): string | null => {
  const sealed = readCookie(request, cookieNames.device)
  const text = sealed && seals.open(sealed, 'known device')
  if (!text) return null
  // It can be decrypted, so this service has written it.
  const { id, user, until }: KnownDevice = JSON.parse(text)
  return user === userPk && until > now.getTime() ? id : null
}

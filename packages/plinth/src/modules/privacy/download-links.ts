// Addresses of downloads: valid for some minutes, and for one user. Who has one needs the session of that user as well.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Platform } from '../../core/rest/platform.ts'
import type { DataExport } from './data-exports.ts'
import { privacyProblem } from './problems.ts'

const linkMs = 15 * 60_000

type Keyed = Pick<Platform, 'fingerprintKey' | 'clock'>

export const exportsPath = '/api/auth/account/exports'

const signatureOf = async (platform: Keyed, { pk, user }: DataExport, expires: number): Promise<string> =>
  createHmac('sha256', await platform.fingerprintKey())
    .update(JSON.stringify(['download of own data', pk, user.pk, expires]))
    .digest('base64url')

export const linkTo = async (platform: Keyed, one: DataExport): Promise<string> => {
  const expires = platform.clock().getTime() + linkMs
  return `${exportsPath}/${one.pk}/archive?expires=${expires}&signature=${await signatureOf(platform, one, expires)}`
}

export const mustBeSigned = async (
  platform: Keyed,
  one: DataExport,
  { expires, signature }: { readonly expires: number; readonly signature: string },
): Promise<void> => {
  const [sent, right] = [Buffer.from(signature), Buffer.from(await signatureOf(platform, one, expires))]
  const isRight = sent.length === right.length && timingSafeEqual(sent, right)
  if (!isRight || expires < platform.clock().getTime()) throw privacyProblem('link_expired')
}

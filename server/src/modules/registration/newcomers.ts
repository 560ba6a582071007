// Accounts of people whom a provider knows, created at their first sign-in there.

import { recordsIn } from '../../core/records/records.ts'
import type { RegisterNewcomer } from '../auth/index.ts'
import { confirmAddress, createUser, secrets } from '../people/index.ts'
import { registrationAudit } from './audit.ts'
import { limitAddress } from './limits.ts'
import { inventName, localePattern } from './register.ts'
import { registrationSettings } from './settings.ts'
import { removeRivals } from './unconfirmed.ts'

/** Without a password: the user signs in at the provider, until a password is requested by mail. */
export const registerNewcomer: RegisterNewcomer = async ({ platform, config }, tx, newcomer) => {
  if (config.get(registrationSettings).forceCodes) return null
  const { claims, email, provider, request } = newcomer
  await limitAddress({ platform, tx }, request.remoteAddress)
  const now = platform.clock()
  await removeRivals(tx, { user: null, address: email, sender: request }, now)
  const { firstName, lastName, locale } = claims
  const username = inventName(email)
  const isLocale = locale !== null && locale.length <= 20 && localePattern.is.test(locale)
  const person = { username, email, firstName, lastName, ...(isLocale && { locale }) }
  const { pk } = await createUser(tx, { ...person, passwordHash: null, roles: ['ROLE_USER'], active: true }, now)
  await confirmAddress(tx, { user: pk, email }, now)
  const data = { provider, address: request.remoteAddress }
  await registrationAudit.record(tx, { type: 'REGISTERED', principal: username, data, now })
  return recordsIn(tx).get(secrets, pk)
}

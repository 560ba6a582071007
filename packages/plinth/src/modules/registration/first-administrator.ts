// The first administrator. A fresh installation has no user and no default password: its first start prints a link that creates
// the administrator, once.

import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { appSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { sha256Of } from '../../core/digest.ts'
import { replaceFile } from '../../core/durable-files.ts'
import { expires } from '../../core/jobs/sweep.ts'
import { defineResource } from '../../core/model/define.ts'
import { timestamp } from '../../core/model/fields.ts'
import { assigned } from '../../core/model/identifier.ts'
import type { RecordReader, TransactionRecords } from '../../core/model/records.ts'
import type { GreetingPlace } from '../../core/module.ts'
import { Problem } from '../../core/problem.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import type { Service } from '../../core/service.ts'
import { requiredPassword, requiredText } from '../auth/index.ts'
import { roles, userRecord, userRecordOf, users } from '../people/index.ts'
import { createAdministrator } from './administrators.ts'

/** The pk is the SHA-256 of the token. */
export const firstAdministratorTokens = defineResource('firstAdministratorTokens', {
  about: 'Links that create the first administrator.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: { expires: timestamp({ required: true, indexed: true }) },
  access: {},
})

const lifetime = 24 * 3600_000

const issueToken = async (records: TransactionRecords, now: Date): Promise<string> => {
  const token = randomBytes(32).toString('base64url')
  const expires = new Date(now.getTime() + lifetime).toISOString()
  await records.create(firstAdministratorTokens, { pk: sha256Of(token), expires })
  return token
}

const isValidToken = async (records: RecordReader, token: string, now: Date): Promise<boolean> => {
  const kept = await records.first(firstAdministratorTokens, { where: { pk: sha256Of(token) } })
  return kept !== null && kept.expires > now.toISOString()
}

/** The first that is used ends all of them. */
const endTokens = async (records: TransactionRecords): Promise<void> => {
  await records.removeMany(firstAdministratorTokens, { where: {} })
}

const hasAdministrator = async (records: RecordReader): Promise<boolean> => {
  const role = await records.first(roles, { where: { name: 'ROLE_ADMIN' } })
  return role !== null && (await records.count(users, { where: { roles: { pk: role.pk } } })) > 0
}

export const sweepFirstTokens = expires(firstAdministratorTokens, ({ now }) => ({ expires: { le: now } }))

export const createFirstAdministrator = ({ config }: Service) =>
  defineEndpoint({
    method: 'POST',
    path: '/api/auth/first-administrator',
    id: 'createFirstAdministrator',
    summary: 'Create the first administrator of a new installation',
    description: 'The token is part of the link that the service prints at its first start.',
    access: 'true',
    forgiving: true,
    holdsSecrets: true,
    body: { token: requiredText, username: requiredText, email: requiredText, password: requiredPassword },
    answers: { 201: { about: 'The administrator.', value: userRecord } },
    problems: [400, 401, 406, 415, 503],
    run: async ({ context: { platform }, request, body: { token, ...administrator } }) => {
      const { records, clock } = platform
      const mustBeFirst = async (records: RecordReader): Promise<void> => {
        if (!(await isValidToken(records, token, clock())) || (await hasAdministrator(records)))
          throw new Problem('unauthorized')
      }
      // Checked before the password is hashed, and again in the transaction.
      await mustBeFirst(records)
      const user = await createAdministrator(platform, administrator, {
        trace: { address: request.remoteAddress },
        first: async records => {
          await mustBeFirst(records)
          await endTokens(records)
        },
      })
      await rm(linkFileOf(config), { force: true })
      return userRecordOf(records, user.pk)
    },
  })

const linkFileOf = (config: Config): string => join(config.get(appSettings).dataDir, 'first-administrator.link')

/**
 * Greets the first administrator of an installation without users. The link creates an administrator, so it must not
 * get into a log.
 */
export const greetFirstAdministrator = async (service: Service, place: GreetingPlace): Promise<string[]> => {
  const { platform, config, address } = service
  const { records, clock } = platform
  const file = linkFileOf(config)
  if (await hasAdministrator(records)) {
    await rm(file, { force: true })
    return []
  }
  const token = await records.transaction(records => issueToken(records, clock()))
  const link = `${address()}/client/first-administrator#token=${token}`
  await replaceFile(file, `${link}\n`)
  if (place === 'log') return ['There is no administrator yet. The link to create the first one is in', `  ${file}`]
  return ['There is no administrator yet. Open this link within one day to create the first one:', `  ${link}`]
}

// The first administrator. A fresh installation has no user and no default password: its first start prints a link that creates
// the administrator, once.

import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { appSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { replaceFile } from '../../core/durable-files.ts'
import type { Route } from '../../core/http/exchange.ts'
import { assigned, defineResource } from '../../core/model/define.ts'
import { shape } from '../../core/model/description.ts'
import { timestamp } from '../../core/model/fields.ts'
import type { Reader, Transaction } from '../../core/model/transaction.ts'
import type { GreetingPlace } from '../../core/module.ts'
import { Problem } from '../../core/problem.ts'
import { readerOf } from '../../core/records/reader.ts'
import { recordsIn } from '../../core/records/records.ts'
import type { Answer } from '../../core/rest/answer.ts'
import type { Context } from '../../core/rest/platform.ts'
import { readMembers } from '../../core/rest/read-members.ts'
import type { Task } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import { expires } from '../../core/rest/sweeps.ts'
import { requiredText, toRoutes } from '../auth/index.ts'
import { roles, userRecordOf } from '../people/index.ts'
import { createAdministrator } from './administrators.ts'

/** The pk is the SHA-256 of the token. */
export const firstAdministratorTokens = defineResource('firstAdministratorTokens', {
  about: 'Links that make the first administrator.',
  identifier: assigned(),
  internal: true,
  stamps: 'none',
  fields: { expires: timestamp({ required: true, indexed: true }) },
  access: {},
})

const lifetime = 24 * 3600_000

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

const issueToken = async (tx: Transaction, now: Date): Promise<string> => {
  const token = randomBytes(32).toString('base64url')
  const expires = new Date(now.getTime() + lifetime).toISOString()
  await recordsIn(tx).create(firstAdministratorTokens, { pk: hashOf(token), expires })
  return token
}

const isValidToken = async (reader: Reader, token: string, now: Date): Promise<boolean> => {
  const kept = await readerOf(reader).first(firstAdministratorTokens, { pk: hashOf(token) })
  return kept !== null && kept.expires > now.toISOString()
}

/** The first that is used ends all of them. */
const endTokens = async (tx: Transaction): Promise<void> => {
  await recordsIn(tx).removeWhere(firstAdministratorTokens, {})
}

const hasAdministrator = async (reader: Reader): Promise<boolean> => {
  const role = await readerOf(reader).first(roles, { name: 'ROLE_ADMIN' })
  const members = reader.resource(roles).members.get('members')
  return role !== null && members !== undefined && (await reader.pairs(members, [role.pk], { limit: 1 })).length > 0
}

export const sweepFirstTokens = expires(firstAdministratorTokens, ({ now }) => ({ expires: { le: now } }))

const fields = { token: requiredText, username: requiredText, email: requiredText, password: requiredText }
const names = Object.keys(fields)

export const firstAdministratorRoutes = (service: Service): readonly Route[] =>
  toRoutes(service, [
    {
      method: 'POST',
      path: '/api/auth/first-administrator',
      takesBody: true,
      forgiving: true,
      describe: {
        id: 'createFirstAdministrator',
        summary: 'Make the first administrator of a fresh installation',
        description: 'The token stands in the link that the first start prints.',
        open: true,
        body: {
          schema: {
            type: 'object',
            properties: Object.fromEntries(names.map(name => [name, { type: 'string' }])),
            required: names,
          },
        },
        answers: { 201: { says: 'The administrator.', value: shape('UserRecord') } },
        problems: [400, 401, 406, 415, 503],
      },
      run: (context, task) => createFirst(context, task, service.config),
    },
  ])

const createFirst = async ({ platform }: Context, { body, request }: Task, config: Config): Promise<Answer> => {
  const { token, ...administrator } = readMembers(body, fields)
  const { store, clock } = platform
  const mustBeFirst = async (reader: Reader): Promise<void> => {
    if (!(await isValidToken(reader, token, clock())) || (await hasAdministrator(reader)))
      throw new Problem('unauthorized')
  }
  // Checked before the password is hashed, and again in the transaction.
  await mustBeFirst(store)
  const user = await createAdministrator(platform, administrator, {
    trace: { address: request.remoteAddress },
    first: async tx => {
      await mustBeFirst(tx)
      await endTokens(tx)
    },
  })
  await rm(linkFileOf(config), { force: true })
  return { kind: 'value', status: 201, name: 'user', value: await userRecordOf(store, user.pk) }
}

const linkFileOf = (config: Config): string => join(config.get(appSettings).dataDir, 'first-administrator.link')

/** For an installation without users. The link creates an administrator, so it must not get into a log. */
export const greetFirstAdministrator = async (service: Service, place: GreetingPlace): Promise<string[]> => {
  const { platform, config, address } = service
  const { store, clock } = platform
  const file = linkFileOf(config)
  if (await hasAdministrator(store)) {
    await rm(file, { force: true })
    return []
  }
  const token = await store.transaction(tx => issueToken(tx, clock()))
  const link = `${address()}/client/first-administrator#token=${token}`
  await replaceFile(file, `${link}\n`)
  if (place === 'log') return ['There is no administrator yet. The link that makes the first one is in', `  ${file}`]
  return ['There is no administrator yet. Open this link within a day to become the first one:', `  ${link}`]
}

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { appSettings } from '../../core/config/service-settings.ts'
import type { Config } from '../../core/config/settings.ts'
import { replaceFile } from '../../core/durable-files.ts'
import type { Route } from '../../core/http/exchange.ts'
import { shape } from '../../core/model/description.ts'
import type { GreetingPlace } from '../../core/module.ts'
import { Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import type { Context } from '../../core/rest/platform.ts'
import { readMembers } from '../../core/rest/read-members.ts'
import type { Task } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import { requiredText, toRoutes } from '../auth/index.ts'
import { userRecordOf } from '../people/index.ts'
import { createAdministrator } from './administrators.ts'
import { endFirstTokens, hasAdministrator, isFirstToken, issueFirstToken } from './first-administrator-tokens.ts'

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
  const mustBeFirst = async (reader: Parameters<typeof hasAdministrator>[0]): Promise<void> => {
    if (!(await isFirstToken(reader, token, clock())) || (await hasAdministrator(reader)))
      throw new Problem('unauthorized')
  }
  // Before the costly hash, and again in the transaction.
  await mustBeFirst(store)
  const user = await createAdministrator(platform, administrator, {
    trace: { address: request.remoteAddress },
    first: async tx => {
      await mustBeFirst(tx)
      await endFirstTokens(tx)
    },
  })
  await rm(linkFileOf(config), { force: true })
  return { kind: 'value', status: 201, name: 'user', value: await userRecordOf(store, user.pk) }
}

const linkFileOf = (config: Config): string => join(config.get(appSettings).dataDir, 'first-administrator.link')

/** For an installation that nobody can sign in to. The link makes an administrator, so it must not get into a log. */
export const greetFirstAdministrator = async (service: Service, place: GreetingPlace): Promise<string[]> => {
  const { platform, config, address } = service
  const { store, clock } = platform
  const file = linkFileOf(config)
  if (await hasAdministrator(store)) {
    await rm(file, { force: true })
    return []
  }
  const token = await store.transaction(tx => issueFirstToken(tx, clock()))
  const link = `${address()}/client/first-administrator#token=${token}`
  await replaceFile(file, `${link}\n`)
  if (place === 'log') return ['There is no administrator yet. The link that makes the first one is in', `  ${file}`]
  return ['There is no administrator yet. Open this link within a day to become the first one:', `  ${link}`]
}

// Users for measuring: confirmed, able to sign in, all with one password.

import { createApp, loadConfig } from '@plinth/test-kit/platform'
import { createUser } from '../../packages/plinth/src/modules/people/create-user.ts'
import { confirmAddress } from '../../packages/plinth/src/modules/people/index.ts'
import { hashPassword } from '../../packages/plinth/src/modules/people/passwords.ts'

export const password = 'a passphrase for measuring'

export const nameOf = (number: number): string => `known${number}`
export const addressOf = (number: number): string => `${nameOf(number)}@example.org`

/** Writes users before the service starts, as registering and confirming would leave them. */
export const fillUsers = async (settings: Readonly<Record<string, string>>, count: number): Promise<void> => {
  const app = await createApp(loadConfig({ env: {}, cwd: '/', overrides: { ...settings } }))
  await app.prepare()
  const passwordHash = await hashPassword(password)
  const now = new Date()
  await app.platform.records.transaction(async records => {
    for (let number = 0; number < count; number++) {
      const [username, email] = [nameOf(number), addressOf(number)]
      const user = await createUser(records, { username, email, passwordHash, roles: ['ROLE_USER'], active: true }, now)
      await confirmAddress(records, { user: user.pk, email }, now)
    }
  })
  await app.close()
}

export interface UserTokens {
  readonly access: string
}

export const signIn = async (url: string, username: string): Promise<UserTokens> => {
  const response = await fetch(`${url}/api/auth/jwt/access`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  const [, access] = /access_token=([^;]+)/.exec(response.headers.get('set-cookie') ?? '') ?? []
  if (response.status !== 201 || access === undefined) throw new Error(`${username} cannot sign in: ${response.status}`)
  return { access }
}

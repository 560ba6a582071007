import type { Seed } from '../../core/module.ts'
import { confirmAddress } from '../contacts/index.ts'
import { createUser } from './create-account.ts'
import { demoUsers } from './demo-users.ts'
import { hashPassword } from './passwords.ts'
import { roles, startingRoles } from './roles.ts'

const rolePk = (name: string): string =>
  `00000000-0000-7000-9000-00000000000${Object.keys(startingRoles).indexOf(name) + 1}`

export const rolesSeed: Seed = {
  name: 'accounts.roles',
  run: async records => {
    for (const [name, description] of Object.entries(startingRoles))
      await records.create(roles, { pk: rolePk(name), name, description })
  },
}

export const demoUsersSeed: Seed = {
  name: 'accounts.demoUsers',
  demo: true,
  run: async ({ tx, now }) => {
    const hashes = await Promise.all(demoUsers.map(({ username }) => hashPassword(username)))
    for (const [at, user] of demoUsers.entries()) {
      const email = `${user.username}@plinth.example`
      await createUser(tx, { ...user, email, passwordHash: hashes[at] ?? null, active: true }, now)
      await confirmAddress(tx, { user: user.pk, email }, now)
    }
  },
}

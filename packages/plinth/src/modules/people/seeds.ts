// The roles that every installation has, and the users of the demo.

import type { Seed } from '../../core/module.ts'
import { createUser } from './create-user.ts'
import { confirmAddress } from './email-confirmation.ts'
import { hashPassword } from './passwords.ts'
import { roles, startingRoles } from './roles.ts'

const rolePk = (name: string): string =>
  `00000000-0000-7000-9000-00000000000${Object.keys(startingRoles).indexOf(name) + 1}`

/** Databases keep the names of seeds, so these stay although the module has another name now. */
export const rolesSeed: Seed = {
  name: 'accounts.roles',
  run: async records => {
    for (const [name, description] of Object.entries(startingRoles))
      await records.create(roles, { pk: rolePk(name), name, description })
  },
}

const pk = (number: number): string => `00000000-0000-7000-8000-00000000000${number}`

/** The password of each is the username. */
const demoUsers = [
  { pk: pk(1), username: 'admin', firstName: 'Ada', lastName: 'Minster', roles: ['ROLE_ADMIN', 'ROLE_USER'] },
  {
    pk: pk(2),
    username: 'operator',
    firstName: 'Otto',
    lastName: 'Perron',
    roles: ['ROLE_SITE_OPERATOR', 'ROLE_USER'],
  },
  { pk: pk(3), username: 'staff', firstName: 'Stella', lastName: 'Affleck', roles: ['ROLE_STAFF', 'ROLE_USER'] },
  { pk: pk(4), username: 'client', firstName: 'Clive', lastName: 'Entwhistle', roles: ['ROLE_USER'] },
  { pk: pk(5), username: 'simple', firstName: 'Simone', lastName: 'Plesk', roles: ['ROLE_USER'] },
]

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

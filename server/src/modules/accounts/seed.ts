import type { Seed } from '../../core/module.ts'
import { demoUsers } from './demo-users.ts'

const startingRoles: Readonly<Record<string, string>> = {
  ROLE_ADMIN: 'May do everything.',
  ROLE_SITE_OPERATOR: 'Runs the site: geography, codes, errors, memberships.',
  ROLE_STAFF: 'Works at the counter.',
  ROLE_USER: 'Every signed-in user.',
}

const rolePk = (name: string): string =>
  `00000000-0000-7000-9000-00000000000${Object.keys(startingRoles).indexOf(name) + 1}`

export const rolesSeed: Seed = {
  name: 'accounts.roles',
  run: async (tx, now) => {
    const stamps = { createdDate: now.toISOString(), lastModifiedDate: now.toISOString() }
    for (const [name, description] of Object.entries(startingRoles)) {
      await tx.insert(tx.resource('roles'), rolePk(name), { name, description, authority: name, ...stamps })
    }
  },
}

export const demoUsersSeed: Seed = {
  name: 'accounts.demoUsers',
  demo: true,
  run: async (tx, now) => {
    const stamps = { createdDate: now.toISOString(), lastModifiedDate: now.toISOString() }
    for (const { pk, roles, ...user } of demoUsers) {
      const fullName = `${user.firstName} ${user.lastName}`
      await tx.insert(tx.resource('users'), pk, {
        ...user,
        name: fullName,
        fullName,
        locale: 'en',
        active: true,
        metadata: {},
        roles: roles.map(rolePk),
        ...stamps,
      })
    }
  },
}

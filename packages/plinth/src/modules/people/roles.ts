// The roles that every installation has. Rules name roles by text, so a misspelt role denies access and nothing else shows it: the
// start logs such roles.

import { didYouMean } from '../../core/model/definition-error.ts'
import type { Seed } from '../../core/module.ts'
import type { Service } from '../../core/service.ts'
import { roles, startingRoles } from './users.ts'

const rolePk = (name: string): string =>
  `00000000-0000-7000-9000-00000000000${Object.keys(startingRoles).indexOf(name) + 1}`

/** Databases keep the names of seeds, so these stay although the module has another name now. */
export const rolesSeed: Seed = {
  name: 'accounts.roles',
  run: async ({ records }) => {
    for (const [name, description] of Object.entries(startingRoles))
      await records.create(roles, { pk: rolePk(name), name, description })
  },
}

export const warnOfMissingRoles = async (service: Service): Promise<void> => {
  const { records } = service.platform
  const log = service.logs.named('app')
  for (const [role, place] of rolesInRules(service)) {
    if (role in startingRoles || (await records.first(roles, { where: { name: role } }))) continue
    const known = (await records.find(roles)).map(({ name }) => name)
    log.warn(
      `${place}: the rule names the role ${role}, which does not exist${didYouMean(known, role) || '; create it'}`,
    )
  }
}

/** Each with a rule that names it. */
const rolesInRules = ({ platform: { access }, overview }: Service): ReadonlyMap<string, string> =>
  new Map([
    ...overview().routes.flatMap(({ route: { roles = [], method, path } }) =>
      roles.map(role => [role, `${method} ${path}`] as const),
    ),
    ...access.roles,
  ])

// Rules name roles by text, so a misspelt role denies access and nothing else shows it. The start logs such roles.

import { didYouMean } from '../../core/model/definition-error.ts'
import type { Service } from '../../core/rest/service.ts'
import { roles, startingRoles } from './users.ts'

export const warnOfMissingRoles = async (service: Service): Promise<void> => {
  const { logs, platform } = service
  const named = [...rolesInRules(service)].filter(([role]) => !(role in startingRoles))
  for (const [role, place] of named) {
    if (await platform.records.first(roles, { name: role })) continue
    const known = (await platform.records.find(roles)).map(({ name }) => name)
    logs
      .named('app')
      .warn(
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

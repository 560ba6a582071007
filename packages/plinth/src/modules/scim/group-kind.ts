// Groups: searching and writing them. Changes of one group wait for each other.

import type { TransactionRecords } from '../../core/model/records.ts'
import { deleteRole, roles } from '../people/index.ts'
import { groupSchema } from './attributes.ts'
import { toCondition } from './filters.ts'
import {
  changeScimGroup,
  createScimGroup,
  findScimGroup,
  groupConditions,
  groupSorts,
  membersOf,
  namedAsSent,
  readGroup,
  type ScimGroup,
  showGroup,
} from './groups.ts'
import { type Acting, located, mustMatch, type ResourceChange, type ScimKind } from './kind.ts'
import { patched } from './patch.ts'
import { canonical, type ScimObject } from './scim-json.ts'
import { sortOf } from './select.ts'

const show = async ({ records, root }: Acting, group: ScimGroup, isWhole = true): Promise<ScimObject> => {
  const members = isWhole ? await membersOf(records, group.role.pk) : null
  return located(groupSchema, showGroup(group, { members, root }), { root, isWhole })
}

const change = async (
  acting: Acting,
  id: string,
  { ifMatch, toSent }: { readonly ifMatch: string | undefined; readonly toSent: (current: ScimObject) => ScimObject },
): Promise<ScimObject> => {
  const { root, write } = acting
  await write(async records => {
    const { group, before, current } = await locked(records, { id, root })
    mustMatch(current, ifMatch)
    await changeScimGroup(records, group, { input: readGroup(toSent(current)), before })
  })
  return show(acting, await findScimGroup(acting.records, id))
}

const locked = async (records: TransactionRecords, { id, root }: { readonly id: string; readonly root: string }) => {
  await records.lock(roles, id)
  const group = await findScimGroup(records.asService, id)
  const before = await membersOf(records.asService, id)
  return { group, before, current: showGroup(group, { members: before, root }) }
}

export const groupKind: ScimKind = {
  schema: groupSchema,
  search: async (acting, { filter, sortBy, isDescending, offset, limit, without }) => {
    const { records } = acting
    const conditions = groupConditions(records)
    const where = filter === null ? conditions.all : await toCondition(filter, conditions)
    const total = await records.count(roles, { where })
    const sort = sortOf(groupSorts, { sortBy, isDescending })
    const found = limit === 0 ? [] : await records.find(roles, { where, sort, offset, limit })
    const resources: ScimObject[] = []
    for (const group of await namedAsSent(records, found))
      resources.push(await show(acting, group, !without.has('members')))
    return { total, resources }
  },
  find: async (acting, id) => show(acting, await findScimGroup(acting.records, id)),
  create: async (acting, body) => {
    const input = readGroup(canonical(groupSchema, body))
    const pk = await acting.write(records => createScimGroup(records, input))
    return show(acting, await findScimGroup(acting.records, pk))
  },
  replace: (acting, id, { body, ifMatch }: ResourceChange) =>
    change(acting, id, { ifMatch, toSent: () => canonical(groupSchema, body) }),
  patch: (acting, id, { body, ifMatch }: ResourceChange) =>
    change(acting, id, { ifMatch, toSent: current => patched(groupSchema, current, body) }),
  remove: ({ root, write }, id, ifMatch) =>
    write(async records => {
      if (ifMatch !== undefined) mustMatch((await locked(records, { id, root })).current, ifMatch)
      else await findScimGroup(records.asService, id)
      await deleteRole(records, id)
    }),
}

// Users: searching and writing them.

import type { TransactionRecords } from '../../core/model/records.ts'
import { Problem } from '../../core/problem.ts'
import { deleteUser, lockAccount, users } from '../people/index.ts'
import { userSchema } from './attributes.ts'
import { toCondition } from './filters.ts'
import { type Acting, located, mustMatch, type ResourceChange, type ScimKind, versionOf } from './kind.ts'
import { patched } from './patch.ts'
import { canonical, type ScimObject } from './scim-json.ts'
import { sortOf } from './select.ts'
import {
  changeScimUser,
  completed,
  createScimUser,
  findScimUser,
  readUser,
  type ScimUser,
  showUser,
  userConditions,
  userSorts,
} from './users.ts'

const show = (user: ScimUser, { root }: Acting): ScimObject =>
  located(userSchema, showUser(user, root), { root, isWhole: true })

/** How often a change begins again because another one came between. */
const maxTries = 5

/** Passwords are hashed before the transaction, so a change is computed there too, and made only if the user is still the same. */
const change = async (
  acting: Acting,
  id: string,
  { ifMatch, toSent }: { readonly ifMatch: string | undefined; readonly toSent: (current: ScimObject) => ScimObject },
): Promise<ScimObject> => {
  const { records, root, write } = acting
  for (let number = 0; number < maxTries; number++) {
    const current = showUser(await findScimUser(records, id), root)
    mustMatch(current, ifMatch)
    const input = await readUser(toSent(current))
    const isDone = await write(async inside => {
      const stored = await locked(inside, id)
      if (versionOf(showUser(stored, root)) !== versionOf(current)) return false
      await changeScimUser(inside, stored, input)
      return true
    })
    if (isDone) return show(await findScimUser(records, id), acting)
  }
  throw new Problem('conflict', 'The user is changed by others again and again.')
}

const locked = async (records: TransactionRecords, id: string): Promise<ScimUser> => {
  await lockAccount(records, id)
  return findScimUser(records.asService, id)
}

export const userKind: ScimKind = {
  schema: userSchema,
  search: async (acting, { filter, sortBy, isDescending, offset, limit }) => {
    const { records } = acting
    const conditions = userConditions(records)
    const where = filter === null ? conditions.all : await toCondition(filter, conditions)
    const total = await records.count(users, { where })
    const sort = sortOf(userSorts, { sortBy, isDescending })
    const found = limit === 0 ? [] : await records.find(users, { where, sort, offset, limit })
    return { total, resources: (await completed(records, found)).map(user => show(user, acting)) }
  },
  find: async (acting, id) => show(await findScimUser(acting.records, id), acting),
  create: async (acting, body) => {
    const input = await readUser(canonical(userSchema, body))
    const pk = await acting.write(records => createScimUser(records, input))
    return show(await findScimUser(acting.records, pk), acting)
  },
  replace: (acting, id, { body, ifMatch }: ResourceChange) =>
    change(acting, id, { ifMatch, toSent: () => canonical(userSchema, body) }),
  patch: (acting, id, { body, ifMatch }: ResourceChange) =>
    change(acting, id, { ifMatch, toSent: current => patched(userSchema, current, body) }),
  remove: ({ root, write }, id, ifMatch) =>
    write(async records => {
      mustMatch(showUser(await locked(records, id), root), ifMatch)
      await deleteUser(records, id)
    }),
}

// Groups: the roles of the service, as providers see and write them.

import type { RecordReader, TransactionRecords } from '../../core/model/records.ts'
import type { Row } from '../../core/model/row.ts'
import type { Where } from '../../core/model/row-where.ts'
import { Problem } from '../../core/problem.ts'
import { createRole, renameRole, roles, setRole, users } from '../people/index.ts'
import { coreSchema } from './attributes.ts'
import { type FilterConditions, onDate, onlyEqual, onText } from './filters.ts'
import { scimGroups } from './links.ts'
import { objectsIn, type ScimObject, textIn } from './scim-json.ts'
import { mistake } from './scim-problem.ts'

type Role = Row<typeof roles>

interface Member {
  readonly pk: string
  readonly username: string
}

export interface ScimGroup {
  readonly role: Role
  readonly externalId: string | null
  readonly displayName: string
}

export const namedAsSent = async (records: RecordReader, found: readonly Role[]): Promise<readonly ScimGroup[]> => {
  const pks = found.map(({ pk }) => pk)
  const links = new Map((await records.find(scimGroups, { where: { pk: { in: pks } } })).map(link => [link.pk, link]))
  return found.map(role => {
    const link = links.get(role.pk)
    return { role, externalId: link?.externalId ?? null, displayName: link?.displayName ?? role.name }
  })
}

export const findScimGroup = async (records: RecordReader, id: string): Promise<ScimGroup> => {
  const role = await records.first(roles, { where: { pk: id } })
  const [group] = role ? await namedAsSent(records, [role]) : []
  if (!group) throw new Problem('not_found', `There is no group '${id.slice(0, 100)}'.`)
  return group
}

const maxMembers = 10_000

export const membersOf = async (records: RecordReader, role: string): Promise<readonly Member[]> => {
  const found = await records.find(users, { where: { roles: role }, fields: ['username'], limit: maxMembers + 1 })
  if (found.length > maxMembers)
    throw mistake('tooMany', `The group has more than ${maxMembers} members: leave them out with excludedAttributes.`)
  return found
}

/** `members`: null where they are not asked for. */
export const showGroup = (
  { role, externalId, displayName }: ScimGroup,
  { members, root }: { readonly members: readonly Member[] | null; readonly root: string },
): ScimObject => ({
  schemas: [coreSchema('Group')],
  id: role.pk,
  ...(externalId !== null && { externalId }),
  displayName,
  ...(members && {
    members: members.map(({ pk, username }) => ({
      value: pk,
      $ref: `${root}/Users/${pk}`,
      display: username,
      type: 'User',
    })),
  }),
  meta: { resourceType: 'Group', created: role.createdDate, lastModified: role.lastModifiedDate },
})

export interface GroupInput {
  readonly displayName: string
  readonly externalId: string | null
  /** The pks of the members. */
  readonly members: readonly string[]
}

export const readGroup = (sent: ScimObject): GroupInput => {
  const displayName = textIn(sent, 'displayName')
  if (displayName === null) throw mistake('invalidValue', 'displayName is required.')
  const members = objectsIn(sent, 'members').map(member => {
    const pk = textIn(member, 'value')
    if (pk === null) throw mistake('invalidValue', 'Each member needs a value: the id of a user.')
    return pk
  })
  if (members.length > maxMembers) throw mistake('tooMany', `A group has ${maxMembers} members at most.`)
  return { displayName, externalId: textIn(sent, 'externalId'), members: [...new Set(members)] }
}

const longestRole = 100

/** `Store managers` → ROLE_STORE_MANAGERS. */
const roleNameFor = (displayName: string): string => {
  if (/^ROLE_[A-Z0-9_]+$/.test(displayName)) return displayName
  const words = displayName.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase()
  const name = (words.match(/[A-Z0-9]+/g) ?? []).join('_')
  if (name === '') throw mistake('invalidValue', 'displayName must have letters from A to Z or digits.')
  return `ROLE_${name.replace(/^ROLE_/, '')}`.slice(0, longestRole)
}

const linkOf = ({ displayName, externalId }: GroupInput) => ({
  externalId,
  displayName: roleNameFor(displayName) === displayName ? null : displayName,
})

export const createScimGroup = async (records: TransactionRecords, input: GroupInput): Promise<string> => {
  const { displayName, members } = input
  const pk = await createRole(records, { name: roleNameFor(displayName), description: displayName })
  await records.asService.create(scimGroups, { role: pk, ...linkOf(input) })
  await changeMembers(records, pk, { before: [], after: members })
  return pk
}

/** Writes what differs. `before`: the members until now. */
export const changeScimGroup = async (
  records: TransactionRecords,
  { role, displayName, externalId }: ScimGroup,
  { input, before }: { readonly input: GroupInput; readonly before: readonly Member[] },
): Promise<void> => {
  const isRenamed = input.displayName !== displayName
  if (isRenamed) await renameRole(records, role.pk, roleNameFor(input.displayName))
  if (isRenamed || input.externalId !== externalId)
    await records.asService.upsert(scimGroups, { pk: role.pk, role: role.pk, ...linkOf(input) })
  await changeMembers(records, role.pk, { before: before.map(({ pk }) => pk), after: input.members })
}

interface MemberChange {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

const changeMembers = async (
  records: TransactionRecords,
  role: string,
  { before, after }: MemberChange,
): Promise<void> => {
  const [former, future] = [new Set(before), new Set(after)]
  // In one order, so that two changes of the same users do not wait for each other.
  const changed = [...after.filter(pk => !former.has(pk)), ...before.filter(pk => !future.has(pk))].sort()
  for (const user of changed)
    if (!(await setRole(records, { user, role, has: future.has(user) })))
      throw mistake('invalidValue', `There is no user '${user.slice(0, 100)}'.`)
}

type GroupCondition = Where<typeof roles>

const maxLinks = 1000

export const groupConditions = (records: RecordReader): FilterConditions<GroupCondition> => ({
  all: {},
  and: parts => ({ and: parts }),
  or: parts => ({ or: parts }),
  not: part => ({ not: part }),
  compare: {
    id: comparison => ({ pk: onlyEqual(comparison) }),
    displayname: async comparison => {
      const { not, is } = onText(comparison)
      const links = await records.find(scimGroups, { where: { displayName: is }, limit: maxLinks })
      const either: GroupCondition = { or: [{ name: is }, { pk: { in: links.map(({ pk }) => pk) } }] }
      return not ? { not: either } : either
    },
    externalid: async comparison => {
      const found = await records.find(scimGroups, { where: { externalId: onlyEqual(comparison) }, limit: maxLinks })
      return { pk: { in: found.map(({ pk }) => pk) } }
    },
    members: comparison => ({ members: onlyEqual(comparison) }),
    'members.value': comparison => ({ members: onlyEqual(comparison) }),
    'meta.created': comparison => ({ createdDate: onDate(comparison) }),
    'meta.lastmodified': comparison => ({ lastModifiedDate: onDate(comparison) }),
  },
})

export const groupSorts = {
  id: 'pk',
  displayname: 'name',
  'meta.created': 'createdDate',
  'meta.lastmodified': 'lastModifiedDate',
} as const

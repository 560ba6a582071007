// Further addresses of users: by name, and their metadata one by one.

import { fault } from '../../core/fault.ts'
import type { Request } from '../../core/http/exchange.ts'
import { boolean, integer, map, text, timestamp } from '../../core/model/fields.ts'
import { linkFiltersOf } from '../../core/model/link-filters.ts'
import { uuid } from '../../core/model/pk.ts'
import { toFilter } from '../../core/model/query.ts'
import type { RecordReader } from '../../core/model/records.ts'
import { defineShape, list, object, type ShapeValue } from '../../core/model/shape.ts'
import { ValueFault } from '../../core/model/value-fault.ts'
import { Problem } from '../../core/problem.ts'
import { invalid } from '../../core/rest/body.ts'
import type { Context } from '../../core/rest/context.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import { mayUse } from '../../core/rest/permits.ts'
import { updateIfMatching } from '../../core/rest/write-input.ts'
import { answerWith } from '../../core/rest/written.ts'
import type { UserCredentials } from './credentials.ts'
import { findUserByName } from './find-user.ts'
import { userCredentials } from './user-credentials.ts'
import { roleNamesOf, type User, users } from './users.ts'

/** Finds a user as reading by pk does: callers who may not read the user do not learn whether the name exists. */
const findUser = defineEndpoint({
  method: 'GET',
  path: '/api/rest/users/byUserNameOrEmail/{userNameOrEmail}',
  id: 'findUserByUserNameOrEmail',
  summary: 'Find a user by username or confirmed address',
  access: mayUse(users, 'read'),
  answers: { 200: users },
  answer: async ({ context, request, params }) => {
    const { access, records, registry, store } = context.platform
    const resource = registry.resource(users)
    const visible = toFilter(access.permit(resource, 'read', context.caller))
    const found = await findUserByName(records, params.userNameOrEmail)
    const linkFilters = linkFiltersOf(context.visibility.view(resource), context.visibility)
    const record = found && (await store.get(resource, found.pk, { visible, linkFilters }))
    if (!record) throw new Problem('not_found')
    return answerWith(context, { request, resource }, { record, status: 200 })
  },
})

const putMetadatum = defineEndpoint({
  method: 'PUT',
  path: '/api/rest/users/{pk}/metadata',
  id: 'putUserMetadatum',
  summary: 'Add or change a metadata entry',
  access: mayUse(users, 'patch'),
  body: { predicate: text({ required: true, max: 255 }), object: text({ required: true, min: 0, max: 4000 }) },
  answers: { 200: 'The metadata entry is changed.', 201: 'The metadata entry is added.' },
  answer: async ({ context, request, body: { predicate, object } }) => {
    let isNew = false
    await change(context, request, metadata => {
      isNew = !Object.hasOwn(metadata, predicate)
      return { ...metadata, [predicate]: object }
    })
    return { kind: 'nothing', status: isNew ? 201 : 200 }
  },
})

const removeMetadatum = defineEndpoint({
  method: 'DELETE',
  path: '/api/rest/users/{pk}/metadata/{predicate}',
  id: 'deleteUserMetadatum',
  summary: 'Remove a metadata entry',
  access: mayUse(users, 'patch'),
  answers: { 204: 'The metadata entry is removed.' },
  run: ({ context, request, params: { predicate } }) =>
    change(context, request, metadata => {
      if (!Object.hasOwn(metadata, predicate)) throw new Problem('not_found')
      return Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== predicate))
    }),
})

export const userEndpoints = [findUser, putMetadatum, removeMetadatum]

type Metadata = Readonly<Record<string, string>>

const metadataType = map().type

/** A patch of the user like any other: the same rule, the same preconditions, the same events. */
const change = async (context: Context, request: Request, next: (metadata: Metadata) => Metadata): Promise<void> => {
  const updated = await updateIfMatching(context, {
    resource: context.platform.registry.resource(users),
    pk: request.params.pk ?? '',
    preconditions: request.headers,
    values: before => ({ metadata: readMetadata(next((before.metadata as Metadata | null) ?? {})) }),
  })
  if (!updated) throw new Problem('not_found')
}

const readMetadata = (metadata: Metadata): unknown => {
  try {
    return metadataType.read(metadata)
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error
    throw invalid(error.at('/predicate', 'predicate'))
  }
}

// The user record that every way of signing in answers with.

const must = { required: true } as const

export const userRecord = defineShape(
  'UserRecord',
  {
    pk: text({ ...must, format: 'uuid', pattern: { is: uuid, says: fault('uuid') } }),
    username: text(must),
    lastPassWordChangeDate: timestamp(),
    emailHash: text(),
    firstName: text(),
    lastName: text(),
    roles: list(object({ authority: text(must) }), must),
    name: text(),
    avatarUrl: text(),
    locale: text(),
    active: boolean(must),
    metadata: map(must),
    admin: boolean(must),
    siteAdmin: boolean(must),
    stompSessionCount: integer({ ...must, min: 0 }),
  },
  { element: 'user', about: 'The signed-in user.' },
)

type UserRecord = ShapeValue<typeof userRecord.fields>

export const userRecordOf = async (records: RecordReader, userPk: string): Promise<UserRecord> => {
  const user = await records.first(users, { where: { pk: userPk } })
  if (!user) throw new Problem('unauthorized')
  const credentials = await records.first(userCredentials, { where: { pk: userPk } })
  return toUserRecord({ user, credentials })
}

interface UserParts {
  readonly user: User
  readonly credentials: Pick<UserCredentials, 'lastPassWordChangeDate'> | null
}

export const toUserRecord = ({ user, credentials }: UserParts): UserRecord => {
  const { pk, username, emailHash, firstName, lastName, name, avatarUrl, locale, active, metadata } = user
  const roles = roleNamesOf(user)
  return {
    ...{ pk, username, lastPassWordChangeDate: credentials?.lastPassWordChangeDate ?? null },
    ...{ emailHash, firstName, lastName },
    roles: roles.map(authority => ({ authority })),
    ...{ name, avatarUrl, locale, active },
    metadata: metadata ?? {},
    admin: roles.includes('ROLE_ADMIN'),
    siteAdmin: roles.includes('ROLE_SITE_OPERATOR'),
    stompSessionCount: user.stompSessionCount,
  }
}

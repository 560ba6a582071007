// Users by name, and their metadata one by one.

import { formatsByName } from '../../core/formats/index.ts'
import type { Route } from '../../core/http/exchange.ts'
import type { Operation } from '../../core/model/define.ts'
import { ValueFault } from '../../core/model/field.ts'
import { map, text } from '../../core/model/fields.ts'
import { toFilter } from '../../core/model/query.ts'
import { linkFiltersOf } from '../../core/model/visibility.ts'
import { Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { answerWith } from '../../core/rest/item-answer.ts'
import { allowed } from '../../core/rest/permit.ts'
import type { Context } from '../../core/rest/platform.ts'
import { invalid, readMembers } from '../../core/rest/read-members.ts'
import { type DirectWork, respond, type Task } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import { updateIfMatching } from '../../core/rest/write-input.ts'
import { findUserByName } from './find-user.ts'
import { users } from './users.ts'

export const userRoutes = (service: Service): readonly Route[] => {
  const resource = service.platform.registry.resource(users)
  const handler = (right: Operation, { takesBody, run }: Pick<DirectWork, 'takesBody' | 'run'>) =>
    respond(service, { resource, format: formatsByName.json, takesBody, permit: allowed(resource, right), run })
  return [
    {
      method: 'GET',
      path: '/api/rest/users/byUserNameOrEmail/{userNameOrEmail}',
      handler: handler('read', { takesBody: false, run: findByName }),
      describe: {
        id: 'findUserByUserNameOrEmail',
        summary: 'Find the user of a name or a confirmed address',
        answers: { 200: { says: 'The user.', item: 'users' } },
      },
    },
    {
      method: 'PUT',
      path: '/api/rest/users/{pk}/metadata',
      handler: handler('patch', { takesBody: true, run: putMetadatum }),
      describe: {
        id: 'putUserMetadatum',
        summary: 'Add or change one metadatum',
        body: {
          schema: {
            type: 'object',
            properties: { predicate: { type: 'string' }, object: { type: 'string' } },
            required: ['predicate', 'object'],
          },
        },
        answers: { 200: { says: 'It was changed.' }, 201: { says: 'It is new.' } },
      },
    },
    {
      method: 'DELETE',
      path: '/api/rest/users/{pk}/metadata/{predicate}',
      handler: handler('patch', { takesBody: false, run: removeMetadatum }),
      describe: {
        id: 'deleteUserMetadatum',
        summary: 'Remove one metadatum',
        answers: { 204: { says: 'It is gone.' } },
      },
    },
  ]
}

/** With the permissions of reading the user by pk. */
const findByName = async (context: Context, task: Task): Promise<Answer> => {
  const { access, registry, store } = context.platform
  const resource = registry.resource(users)
  const visible = toFilter(access.permit(resource, 'read', context.caller))
  const found = await findUserByName(store, task.request.params.userNameOrEmail ?? '')
  const linkFilters = linkFiltersOf(context.visibility.view(resource), context.visibility)
  const record = found && (await store.get(resource, found.pk, { visible, linkFilters }))
  if (!record) throw new Problem('not_found')
  return answerWith(context, { ...task, resource }, { record, status: 200 })
}

type Metadata = Readonly<Record<string, string>>

const fields = { predicate: text({ required: true, max: 255 }), object: text({ required: true, min: 0, max: 4000 }) }

const metadataType = map().type

const putMetadatum = async (context: Context, { request, body }: Task): Promise<Answer> => {
  let isNew = false
  await change(context, request, metadata => {
    const { predicate, object } = readMembers(body, fields)
    isNew = !Object.hasOwn(metadata, predicate)
    return { ...metadata, [predicate]: object }
  })
  return { kind: 'nothing', status: isNew ? 201 : 200 }
}

const removeMetadatum = async (context: Context, { request }: Task): Promise<Answer> => {
  const predicate = request.params.predicate ?? ''
  await change(context, request, metadata => {
    if (!Object.hasOwn(metadata, predicate)) throw new Problem('not_found')
    return Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== predicate))
  })
  return { kind: 'nothing', status: 204 }
}

/** A patch of the user like any other: the same rule, the same preconditions, the same events. */
const change = async (
  context: Context,
  request: Task['request'],
  next: (metadata: Metadata) => Metadata,
): Promise<void> => {
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

// Why may somebody do something, or not? For administrators.

import { formatsByName } from '../../core/formats/index.ts'
import type { Route } from '../../core/http/exchange.ts'
import { type Caller, isAdmin, nobody } from '../../core/model/caller.ts'
import type { Operation } from '../../core/model/define.ts'
import type { Json } from '../../core/model/json.ts'
import type { Link } from '../../core/model/record.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { Decision } from '../../core/model/rules.ts'
import { Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import type { Context, Platform } from '../../core/rest/platform.ts'
import { respond, type Task } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import { findSecrets } from './find-user.ts'

const operations: readonly Operation[] = ['read', 'create', 'replace', 'patch', 'delete']

const text = { type: 'string' } as const

export const explainRoutes = (service: Service): readonly Route[] => [
  {
    method: 'GET',
    path: '/api/rest/explain',
    handler: respond(service, { resource: null, format: formatsByName.json, takesBody: false, run: explain }),
    describe: {
      id: 'explainRights',
      summary: 'Explain what a user may do, and by which rule',
      query: {
        resource: { says: 'The resource.', required: true },
        operation: { says: 'What is to be done.', required: true, schema: { type: 'string', enum: [...operations] } },
        pk: { says: 'A record; without it, only the rule is explained.' },
        user: { says: 'The pk, the username or the address of a user; without it, nobody in particular.' },
      },
      answers: {
        200: {
          says: 'The rule, its decision, and the members that are out of reach.',
          value: {
            type: 'object',
            properties: {
              resource: text,
              operation: text,
              user: { type: ['object', 'null'] },
              rule: { type: 'object', properties: { expression: text, from: text } },
              decision: { type: 'string', enum: ['yes', 'no', 'some'] },
              record: { type: ['object', 'null'] },
              hidden: { type: 'array', items: text },
              notWritable: { type: 'array', items: text },
            },
          },
        },
      },
    },
  },
]

const explain = async ({ platform, caller }: Context, { request }: Task): Promise<Answer> => {
  if (caller.pk === null) throw new Problem('unauthorized')
  if (!isAdmin(caller)) throw new Problem('forbidden')
  const asked = new URLSearchParams(request.search)
  const resource = readResource(platform, asked.get('resource'))
  const operation = operations.find(one => one === asked.get('operation'))
  if (!operation) throw bad('operation', `must be one of ${operations.join(', ')}`)
  const user = await readUser(platform, asked.get('user'))
  const { access } = platform
  const rule = access.rule(resource, operation)
  const members = [...resource.members.values()]
  const { members: seen } = access.sight(user).view(resource)
  const value: Json = {
    resource: resource.name,
    operation,
    user: user.pk === null ? null : { pk: user.pk, username: user.username, roles: [...user.roles] },
    rule: { expression: rule.expression, from: rule.from },
    decision: inWords(access.decide(resource, operation, user)),
    record: await explainRecord(platform, { resource, operation, user }, asked.get('pk')),
    hidden: members.filter(({ name }) => !seen.has(name)).map(({ name }) => name),
    notWritable: members
      .filter(member => member.field.options.serverOwned || !access.mayWrite(member, user))
      .map(({ name }) => name),
  }
  return { kind: 'value', status: 200, name: 'explanation', value }
}

const inWords = (decision: Decision): string => (decision === true ? 'yes' : decision === false ? 'no' : 'some')

interface Question {
  readonly resource: Resource
  readonly operation: Operation
  readonly user: Caller
}

const explainRecord = async (
  { access, store }: Platform,
  { resource, operation, user }: Question,
  pk: string | null,
): Promise<Json> => {
  if (pk === null) return null
  const matches = async (decision: Decision): Promise<boolean> =>
    decision !== false && (await store.get(resource, pk, { visible: decision === true ? null : decision })) !== null
  return {
    pk,
    exists: await matches(true),
    visible: await matches(access.decide(resource, 'read', user)),
    matches: await matches(access.decide(resource, operation, user)),
  }
}

const readResource = ({ registry }: Platform, name: string | null): Resource => {
  const resource = name === null ? null : registry.published(name)
  if (!resource) throw bad('resource', 'there is no such resource')
  return resource
}

const readUser = async ({ store }: Platform, name: string | null): Promise<Caller> => {
  if (name === null) return nobody
  const secrets = (await store.get(store.resource('secrets'), name)) ?? (await findSecrets(store, name))
  if (!secrets) throw bad('user', 'there is no such user')
  const { pk, label } = secrets.user as Link
  return { pk, username: label, roles: new Set(secrets.roles as readonly string[]) }
}

const bad = (parameter: string, message: string): Problem =>
  new Problem('bad_parameter', { errors: [{ parameter, message, code: 'bad_value' }] })

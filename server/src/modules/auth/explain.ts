// Explains to administrators what a user may do, and by which rule.

import { type FaultReason, fault } from '../../core/fault.ts'
import { formatsByName } from '../../core/formats/index.ts'
import type { Route } from '../../core/http/exchange.ts'
import { type Caller, nobody } from '../../core/model/caller.ts'
import type { Operation } from '../../core/model/define.ts'
import type { Json, JsonSchema } from '../../core/model/json.ts'
import { toFilter } from '../../core/model/query.ts'
import type { Member, Resource } from '../../core/model/resource.ts'
import type { Decision } from '../../core/model/rules.ts'
import { Problem } from '../../core/problem.ts'
import { readerOf } from '../../core/records/reader.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { administrator } from '../../core/rest/permit.ts'
import type { Context, Platform } from '../../core/rest/platform.ts'
import { respond, type Task } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import { isFixed } from '../../core/rest/values.ts'
import { findSecrets, secrets } from '../people/index.ts'
import { authFault } from './faults.ts'

const operations: readonly Operation[] = ['read', 'create', 'replace', 'patch', 'delete']

const text: JsonSchema = { type: 'string' }
const yesOrNo: JsonSchema = { type: 'boolean' }
const exactly = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] })
const listed: JsonSchema = { type: 'array', items: exactly({ member: text, rule: text }) }

const explanation = exactly({
  resource: text,
  operation: text,
  user: orNull(exactly({ pk: text, username: text, roles: { type: 'array', items: text }, active: yesOrNo })),
  rule: exactly({ expression: text, from: { type: 'string', enum: ['model', 'configuration', 'nowhere'] } }),
  decision: { type: 'string', enum: ['yes', 'no', 'some'] },
  record: orNull(exactly({ pk: text, exists: yesOrNo, visible: yesOrNo, matches: yesOrNo })),
  hidden: listed,
  notWritable: listed,
})

export const explainRoutes = (service: Service): readonly Route[] => [
  {
    method: 'GET',
    path: '/api/rest/explain',
    handler: respond(service, {
      resource: null,
      format: formatsByName.json,
      takesBody: false,
      permit: administrator,
      run: explain,
    }),
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
          says: 'The rule, its decision, and the members that are out of reach, each with the rule that keeps it so.',
          value: explanation,
        },
      },
    },
  },
]

const explain = async ({ platform }: Context, { request }: Task): Promise<Answer> => {
  const query = new URLSearchParams(request.search)
  const resource = readResource(platform, query.get('resource'))
  const operation = operations.find(one => one === query.get('operation'))
  if (!operation) throw bad('operation', fault('choice', { choices: operations }))
  const { user, isActive } = await readUser(platform, query.get('user'))
  const { access } = platform
  const rule = access.rule(resource, operation)
  const members = [...resource.members.values()]
  const { members: seen } = access.visibility(user).view(resource)
  // Deactivated users cannot sign in, whatever the rules say.
  const decide: Decide = one => isActive && access.decide(resource, one, user)
  const value: Json = {
    resource: resource.name,
    operation,
    user: user.pk === null ? null : { pk: user.pk, username: user.username, roles: [...user.roles], active: isActive },
    rule: { expression: rule.expression, from: rule.from },
    decision: inWords(decide(operation)),
    record: await explainRecord(platform, { resource, operation, decide }, query.get('pk')),
    hidden: members
      .filter(({ name }) => !seen.has(name))
      .map(({ name, field: { options } }) => ({ member: name, rule: ruleOf(options.writeOnly, options.readable) })),
    notWritable: members
      .filter(member => isNeverWritten(member, operation) || !access.mayWrite(member, user))
      .map(member => ({
        member: member.name,
        rule: ruleOf(isNeverWritten(member, operation), member.field.options.writable),
      })),
  }
  return { kind: 'value', status: 200, name: 'explanation', value }
}

const inWords = (decision: Decision): string => (decision === true ? 'yes' : decision === false ? 'no' : 'some')

/** Can no caller write it? Only the service does, or it is fixed when the record is created. */
const isNeverWritten = (member: Member, operation: Operation): boolean =>
  member.field.options.serverOwned === true || (operation !== 'create' && isFixed(member))

/** What is never readable or writable has no rule; `false` stands for it. */
const ruleOf = (isNever: boolean | undefined, rule: string | undefined): string =>
  isNever ? 'false' : (rule ?? 'false')

type Decide = (operation: Operation) => Decision

interface ExplainedOperation {
  readonly resource: Resource
  readonly operation: Operation
  readonly decide: Decide
}

const explainRecord = async (
  { store }: Platform,
  { resource, operation, decide }: ExplainedOperation,
  pk: string | null,
): Promise<Json> => {
  if (pk === null) return null
  const matches = async (decision: Decision): Promise<boolean> =>
    decision !== false && (await store.get(resource, pk, { visible: toFilter(decision) })) !== null
  return {
    pk,
    exists: await matches(true),
    visible: await matches(decide('read')),
    matches: await matches(decide(operation)),
  }
}

const readResource = ({ registry }: Platform, name: string | null): Resource => {
  const resource = name === null ? null : registry.published(name)
  if (!resource) throw bad('resource', authFault('no_such_resource'))
  return resource
}

interface ExplainedUser {
  readonly user: Caller
  readonly isActive: boolean
}

const readUser = async ({ store }: Platform, name: string | null): Promise<ExplainedUser> => {
  if (name === null) return { user: nobody, isActive: true }
  const found = (await readerOf(store).first(secrets, { pk: name })) ?? (await findSecrets(store, name))
  if (!found) throw bad('user', authFault('no_such_user'))
  const { pk, label } = found.user
  return { user: { pk, username: label, roles: new Set(found.roles) }, isActive: found.active }
}

const bad = (parameter: string, reason: FaultReason): Problem =>
  new Problem('bad_parameter', { errors: [{ parameter, ...reason }] })

// Explains to administrators what a user may do, and by which rule.

import type { FaultReason } from '../../core/fault.ts'
import type { Operation } from '../../core/model/access-rules.ts'
import { anonymous, type Caller } from '../../core/model/caller.ts'
import { boolean, choice, text } from '../../core/model/fields.ts'
import { toFilter } from '../../core/model/query.ts'
import type { Resource, ResourceField } from '../../core/model/resource.ts'
import type { Decision } from '../../core/model/rules.ts'
import { defineShape, type InputOf, list, object, type ShapeValue } from '../../core/model/shape.ts'
import { Problem } from '../../core/problem.ts'
import { defineEndpoint } from '../../core/rest/endpoint.ts'
import { administrator } from '../../core/rest/permits.ts'
import type { Platform } from '../../core/rest/platform.ts'
import { isFixed } from '../../core/rest/values.ts'
import { findSecrets, secrets } from '../people/index.ts'
import { readAttributes } from './authenticate/caller-attributes.ts'
import { authFault } from './problems.ts'

const operations = ['read', 'create', 'replace', 'patch', 'delete'] as const satisfies readonly Operation[]

const must = { required: true } as const
const word = text(must)
const yesOrNo = boolean(must)
const ruled = list(object({ member: word, rule: word }), must)

const explanation = defineShape('Explanation', {
  resource: word,
  operation: word,
  user: object({ pk: word, username: text(), roles: list(word, must), active: yesOrNo }),
  rule: object(
    {
      expression: word,
      from: choice(['model', 'configuration', 'nowhere'], must),
      uses: list(object({ name: word, rule: word }), must),
    },
    must,
  ),
  decision: choice(['yes', 'no', 'some'], must),
  record: object({ pk: word, exists: yesOrNo, visible: yesOrNo, matches: yesOrNo }),
  hidden: ruled,
  notWritable: ruled,
})

const query = {
  resource: text({ required: true, about: 'The resource.' }),
  operation: choice(operations, { required: true, about: 'The operation.' }),
  pk: text({ about: 'The pk of a record. If omitted, only the rule is explained.' }),
  user: text({ about: 'The pk, username or e-mail address of a user. If omitted, a caller without credentials.' }),
}

export const explainRights = defineEndpoint({
  method: 'GET',
  path: '/api/rest/explain',
  id: 'explainRights',
  summary: 'Explain the permissions of a user and the rules behind them',
  access: administrator,
  query,
  answers: {
    200: {
      about: 'The rule, its decision, and the fields that the user cannot read or write, each with its rule.',
      value: explanation,
    },
  },
  run: ({ context: { platform }, query }) => explain(platform, query),
})

const explain = async (
  platform: Platform,
  question: InputOf<typeof query>,
): Promise<ShapeValue<typeof explanation.fields>> => {
  const { operation } = question
  const resource = readResource(platform, question.resource)
  const { user, isActive } = await readUser(platform, question.user)
  const { access } = platform
  const rule = access.rule(resource, operation)
  const fields = [...resource.fields.values()]
  const { fields: seen } = access.visibility(user).view(resource)
  // Deactivated users cannot sign in, whatever the rules say.
  const decide: Decide = one => isActive && access.decide(resource, one, user)
  return {
    resource: resource.name,
    operation,
    user: user.pk === null ? null : { pk: user.pk, username: user.username, roles: [...user.roles], active: isActive },
    rule: {
      expression: rule.expression,
      from: rule.from,
      uses: [...rule.named].map(([name, text]) => ({ name, rule: text })),
    },
    decision: inWords(decide(operation)),
    record: await explainRecord(platform, { resource, operation, decide }, question.pk),
    hidden: fields
      .filter(({ name }) => !seen.has(name))
      .map(({ name, definition: { options } }) => ({
        member: name,
        rule: ruleOf(options.writeOnly, options.readable),
      })),
    notWritable: fields
      .filter(field => isNeverWritten(field, operation) || !access.mayWrite(field, user))
      .map(field => ({
        member: field.name,
        rule: ruleOf(isNeverWritten(field, operation), field.definition.options.writable),
      })),
  }
}

const inWords = (decision: Decision): 'yes' | 'no' | 'some' =>
  decision === true ? 'yes' : decision === false ? 'no' : 'some'

/** Can no caller write it? Only the service does, or it is fixed when the record is created. */
const isNeverWritten = (field: ResourceField, operation: Operation): boolean =>
  field.definition.options.serverOwned === true || (operation !== 'create' && isFixed(field))

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
) => {
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

const readResource = ({ registry }: Platform, name: string): Resource => {
  const resource = registry.published(name)
  if (!resource) throw bad('resource', authFault('no_such_resource'))
  return resource
}

interface ExplainedUser {
  readonly user: Caller
  readonly isActive: boolean
}

const readUser = async (platform: Platform, name: string | null): Promise<ExplainedUser> => {
  if (name === null) return { user: anonymous, isActive: true }
  const { records } = platform
  const found = (await records.first(secrets, { where: { pk: name } })) ?? (await findSecrets(records, name))
  if (!found) throw bad('user', authFault('no_such_user'))
  const { pk, label } = found.user
  const attributes = await readAttributes(platform, pk)
  const user = { pk, username: label, roles: new Set(found.roles), ...(attributes && { attributes }) }
  return { user, isActive: found.active }
}

const bad = (parameter: string, reason: FaultReason): Problem =>
  new Problem('bad_parameter', { errors: [{ parameter, ...reason }] })

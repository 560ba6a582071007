// Valid bodies for any resource, made from its definition alone.

import { toExample } from '../../plinth/src/core/describe/example.ts'
import type { JsonSchema } from '../../plinth/src/core/model/json.ts'
import type { Resource, ResourceField } from '../../plinth/src/core/model/resource.ts'
import type { Answer, Client } from './service.ts'

let serial = 0

const letters = (number: number): string => String.fromCharCode(65 + (Math.floor(number / 26) % 26), 65 + (number % 26))

/** An identifier that fits and is free. */
const freePk = async (client: Client, resource: Resource, pattern: RegExp): Promise<string> => {
  for (;;) {
    serial++
    const pk = [`sample-${serial}`, letters(serial), `C-${serial}`].find(candidate => pattern.test(candidate))
    if (pk === undefined) throw new Error(`no sample for an identifier like ${pattern}`)
    if ((await client.get(`/api/rest/${resource.name}/${pk}`)).status === 404) return pk
  }
}

const isGiven = ({ name, definition }: ResourceField): boolean =>
  name !== 'pk' &&
  !definition.options.serverOwned &&
  definition.role !== 'inverse' &&
  definition.role !== 'count' &&
  !(definition.role === 'value' && definition.compute)

/** The schema without the parts that only the service writes, and without references that would lead nowhere. */
const sendable = (schema: JsonSchema): JsonSchema => {
  const { properties, items } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema }
  if (items) return { ...schema, items: sendable(items) }
  if (!properties) return schema
  const writable = Object.entries(properties).filter(([, part]) => !part.readOnly && !part['x-relation'])
  return { ...schema, properties: Object.fromEntries(writable) }
}

const webhookSample: Readonly<Record<string, unknown>> = {
  resources: ['countries'],
  condition: 'name==G*',
  active: false,
}

const valueFor = (field: ResourceField): unknown => {
  const { definition, owner, name } = field
  if (definition.role !== 'value') return undefined
  // A date of the past would be refused, and so would one too far ahead.
  if (name === 'expirationDate') return new Date(Date.now() + 30 * 24 * 3600_000).toISOString()
  // Its resources must exist.
  if (owner.name === 'webhooks' && name in webhookSample) return webhookSample[name]
  const { identifier } = owner.definition
  const isUnique = definition.options.unique || (identifier.kind === 'hashed' && identifier.of === name)
  const example = toExample(sendable(definition.type.schema), field.name)
  if (typeof example === 'string' && isUnique) return `${example}${++serial}`
  return example
}

/** The pk of a record to refer to: one that exists, or a new one. */
const somePk = async (client: Client, resource: Resource): Promise<string> => {
  const found = await client.get(`/api/rest/${resource.name}?_ps=1&_total=none`, { Accept: 'application/json' })
  return found.body?.content[0]?.pk ?? (await makeSample(client, resource)).body.pk
}

/**
 * Says that at most one record may refer to each target: by the pk that is made of it, or since the reference is
 * unique.
 */
const isExclusive = ({ name, definition, owner }: ResourceField): boolean => {
  const { identifier } = owner.definition
  return (
    Boolean(definition.options.unique) ||
    (identifier.kind === 'shared' && identifier.by === name) ||
    (identifier.kind === 'composite' && identifier.by.includes(name))
  )
}

/** A record that nothing of this resource belongs to: what came with it by itself is taken away again. */
const freeTarget = async (client: Client, resource: Resource, target: Resource): Promise<string> => {
  const { pk } = (await makeSample(client, target)).body
  if (resource.definition.identifier.kind === 'shared') await client.delete(`/api/rest/${resource.name}/${pk}`)
  return pk
}

/** A body for a new record; the records that it refers to are there already. */
export const sampleOf = async (client: Client, resource: Resource): Promise<Record<string, unknown>> => {
  const body: Record<string, unknown> = {}
  const { identifier } = resource.definition
  if (identifier.kind === 'assigned') body.pk = await freePk(client, resource, identifier.pattern)
  for (const field of resource.fields.values()) {
    if (!isGiven(field)) continue
    if (field.definition.role === 'one' && field.target && field.target !== resource) {
      body[field.name] = isExclusive(field)
        ? await freeTarget(client, resource, field.target)
        : await somePk(client, field.target)
    } else {
      const value = valueFor(field)
      if (value !== undefined) body[field.name] = value
    }
  }
  return body
}

/** Makes a record from a sample and gives the answer, in plain JSON. */
export const makeSample = async (client: Client, resource: Resource): Promise<Answer> => {
  const sample = await sampleOf(client, resource)
  const answer = await client.post(`/api/rest/${resource.name}`, sample, { Accept: 'application/json' })
  if (answer.status !== 201)
    throw new Error(`${resource.name}: ${answer.status} ${answer.text} for ${JSON.stringify(sample)}`)
  return answer
}

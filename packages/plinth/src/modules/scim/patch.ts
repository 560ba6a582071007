// PATCH (RFC 7644, section 3.5.2): operations on a resource as the caller sees it. The changed resource is then written as by PUT.

import { type Filter, filter as matcherOf, parse } from 'scim2-parse-filter'
import { type Attribute, attributesOf, coreSchema, findAttribute, type ScimSchema } from './attributes.ts'
import { canonicalValue, isObject, member, type ScimObject, textOrEmpty, toObject } from './scim-json.ts'
import { mistake } from './scim-problem.ts'

type Members = Record<string, unknown>

interface Target {
  readonly attribute: Attribute
  /** Chooses some of several values. */
  readonly filter: Filter | null
  readonly sub: Attribute | null
}

const verbs = ['add', 'remove', 'replace'] as const
type Verb = (typeof verbs)[number]

interface Operation {
  readonly verb: Verb
  readonly path: string | null
  readonly value: unknown
}

const maxOperations = 1000
const maxPath = 500

const readOperations = (body: unknown): readonly Operation[] => {
  const operations = member(toObject(body), 'Operations')
  if (!Array.isArray(operations) || operations.length === 0)
    throw mistake('invalidSyntax', 'Operations must be a list of at least one operation.')
  if (operations.length > maxOperations) throw mistake('tooMany', `Send ${maxOperations} operations at most.`)
  return operations.map(readOperation)
}

const readOperation = (operation: unknown): Operation => {
  const sent = toObject(operation)
  const name = textOrEmpty(member(sent, 'op')).toLowerCase()
  const verb = verbs.find(one => one === name)
  if (!verb) throw mistake('invalidSyntax', `op must be ${verbs.join(', ')}.`)
  const path = member(sent, 'path') ?? null
  if (path !== null && (typeof path !== 'string' || path.length > maxPath))
    throw mistake('invalidPath', `path must be a text of ${maxPath} characters at most.`)
  return { verb, path: path === '' ? null : path, value: member(sent, 'value') }
}

/** The resource after all operations. */
export const patched = (schema: ScimSchema, resource: ScimObject, body: unknown): ScimObject => {
  const result: Members = structuredClone(resource)
  for (const { verb, path, value } of readOperations(body)) {
    if (path !== null) change(result, { verb, target: readTarget(schema, path), value })
    else if (verb === 'remove') throw mistake('noTarget', 'remove needs a path.')
    // Some providers send paths as names here: {"name.givenName": "Ada"}.
    else
      for (const [name, one] of Object.entries(toObject(value))) {
        const target = findTarget(schema, name)
        if (target) change(result, { verb, target, value: one })
      }
  }
  return result
}

const pathShape = /^(?<name>[\w$-]+)(?:\[(?<filter>.*)\])?(?:\.(?<sub>[\w$-]+))?$/s

const readTarget = (schema: ScimSchema, path: string): Target => {
  const target = findTarget(schema, path)
  if (!target) throw mistake('invalidPath', `There is no attribute '${path}'.`)
  return target
}

const findTarget = (schema: ScimSchema, path: string): Target | null => {
  const prefix = `${coreSchema(schema.name)}:`
  const plain = path.toLowerCase().startsWith(prefix.toLowerCase()) ? path.slice(prefix.length) : path
  const { name = '', filter, sub } = pathShape.exec(plain)?.groups ?? {}
  const attribute = findAttribute(attributesOf(schema), name)
  if (!attribute) return null
  const part = sub === undefined ? null : findAttribute(attribute.subAttributes ?? [], sub)
  return part === undefined ? null : { attribute, sub: part, filter: filter === undefined ? null : readFilter(filter) }
}

const readFilter = (text: string): Filter => {
  try {
    return parse(text)
  } catch {
    throw mistake('invalidFilter', `'${text}' is no filter.`)
  }
}

interface AttributeChange {
  readonly verb: Verb
  readonly target: Target
  readonly value: unknown
}

const change = (resource: Members, { verb, target, value }: AttributeChange): void => {
  const { attribute, filter, sub } = target
  if (attribute.mutability === 'readOnly' || sub?.mutability === 'readOnly')
    throw mistake('mutability', `${attribute.name} cannot be changed.`)
  if (attribute.multiValued && attribute.type === 'complex') {
    resource[attribute.name] = changedValues(valuesIn(resource, attribute), { verb, target, value })
    return
  }
  if (filter) throw mistake('invalidPath', `${attribute.name} has one value only.`)
  if (sub) resource[attribute.name] = changedPart(resource[attribute.name], { verb, target: { ...target, sub }, value })
  else if (verb === 'remove') delete resource[attribute.name]
  else resource[attribute.name] = merged(resource[attribute.name], canonicalValue(attribute, value), attribute)
}

/** Parts of a complex value that are not named stay as they are. */
const merged = (before: unknown, value: unknown, { type }: Attribute): unknown =>
  type === 'complex' && isObject(before) && isObject(value) ? { ...before, ...value } : value

interface PartChange extends AttributeChange {
  readonly target: Target & { readonly sub: Attribute }
}

const changedPart = (before: unknown, { verb, target: { sub }, value }: PartChange): ScimObject => {
  const parts: Members = isObject(before) ? { ...before } : {}
  if (verb === 'remove') delete parts[sub.name]
  else parts[sub.name] = value
  return parts
}

const valuesIn = (resource: Members, { name }: Attribute): readonly ScimObject[] => {
  const values = resource[name]
  return Array.isArray(values) ? values.filter(isObject) : []
}

const changedValues = (values: readonly ScimObject[], { verb, target, value }: AttributeChange): readonly unknown[] => {
  const { attribute, filter, sub } = target
  if (!filter) {
    if (sub) return values.map(one => changedPart(one, { verb, target: { ...target, sub }, value }))
    const sent = value === undefined ? null : [canonicalValue(attribute, value)].flat()
    if (verb === 'replace') return sent ?? []
    // Some providers name what is removed in the value instead of the path.
    if (verb === 'remove') return sent === null ? [] : withoutValues(values, sent)
    return [...withoutValues(values, sent ?? []), ...(sent ?? [])]
  }
  const matches = matcherOf(filter)
  const chosen = values.filter(one => matches(one))
  if (chosen.length === 0) {
    if (verb === 'remove') return values
    const made = madeBy(filter)
    if (!made || !sub) throw mistake('noTarget', 'No value matches the path.')
    return [...values, { ...made, [sub.name]: value }]
  }
  if (!sub && verb === 'remove') return values.filter(one => !matches(one))
  return values.map(one => {
    if (!matches(one)) return one
    if (sub) return changedPart(one, { verb, target: { ...target, sub }, value })
    return { ...one, ...toObject(canonicalValue({ ...attribute, multiValued: false }, value)) }
  })
}

const withoutValues = (values: readonly ScimObject[], others: readonly unknown[]): readonly ScimObject[] => {
  const left = new Set(others.map(one => (isObject(one) ? one.value : one)))
  return values.filter(({ value }) => !left.has(value))
}

/** What a value must be to match: of `type eq "work"`, that type. */
const madeBy = (filter: Filter): Members | null =>
  filter.op === 'eq' && 'compValue' in filter ? { [filter.attrPath]: filter.compValue } : null

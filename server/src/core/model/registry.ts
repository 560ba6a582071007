// All resources of a running service, their relations resolved. A fault in a definition stops the start.

import type { ResourceDefinition } from './define.ts'
import type { Field, FieldOptions } from './field.ts'
import { integer, ref, text, timestamp } from './fields.ts'
import type { Member, Resource } from './resource.ts'

export interface Registry {
  /** In the order of declaration. */
  readonly resources: readonly Resource[]
  /** The resource at a path; a definition fault when there is none, since names are written by developers. */
  resource(name: string): Resource
  has(name: string): boolean
  /** The resource that callers know by this name; null when there is none. */
  published(name: string): Resource | null
}

type Draft<T> = { -readonly [K in keyof T]: T[K] }

export const createRegistry = (definitions: readonly ResourceDefinition[]): Registry => {
  const faults: string[] = []
  const byName = new Map<string, Draft<Resource>>()
  for (const definition of definitions) {
    if (byName.has(definition.name)) faults.push(`resource '${definition.name}' is declared twice`)
    byName.set(definition.name, membersOf(definition))
  }
  for (const resource of byName.values()) {
    for (const member of resource.members.values()) resolve(member, byName, faults)
  }
  for (const resource of byName.values()) {
    checkDefinition(resource, faults)
    if (resource.definition.storedIn) resource.holder = resolveHolder(resource, byName, faults)
  }
  if (faults.length > 0) throw new Error(`The resource definitions do not fit together:\n- ${faults.join('\n- ')}`)
  const resources = [...byName.values()]
  return {
    resources,
    resource: name => {
      const found = byName.get(name)
      if (!found) throw new Error(`there is no resource '${name}'`)
      return found
    },
    has: name => byName.has(name),
    published: name => {
      const found = byName.get(name)
      return found && !found.definition.internal ? found : null
    },
  }
}

const stampOptions = { serverOwned: true, required: true } satisfies FieldOptions

const fieldsOf = (definition: ResourceDefinition): [string, Field][] => {
  const fields: [string, Field][] = [
    ['pk', text({ required: true, max: 255, title: 'Identifier', fixed: true })],
    ...Object.entries(definition.fields),
  ]
  if (definition.stamps !== 'none') {
    fields.push(['createdDate', timestamp({ ...stampOptions, title: 'Created' })])
    fields.push(['lastModifiedDate', timestamp({ ...stampOptions, title: 'Last modified' })])
  }
  if (definition.stamps === 'people') {
    fields.push(['createdBy', ref('users', { serverOwned: true, onDelete: 'clear', title: 'Created by' })])
    fields.push(['lastModifiedBy', ref('users', { serverOwned: true, onDelete: 'clear', title: 'Last modified by' })])
  }
  fields.push(['version', integer({ ...stampOptions, title: 'Version' })])
  return fields
}

const membersOf = (definition: ResourceDefinition): Draft<Resource> => {
  const members = new Map<string, Member>()
  const resource = {
    name: definition.name,
    definition,
    members,
    label: null,
    pk: undefined,
    holder: null,
  } as unknown as Draft<Resource>
  for (const [name, field] of fieldsOf(definition)) {
    members.set(name, { name, field, owner: resource, target: null, inverseOf: null, back: null })
  }
  resource.pk = members.get('pk') as Member
  resource.label = (definition.label && members.get(definition.label)) || null
  return resource
}

const resolve = (member: Draft<Member>, byName: ReadonlyMap<string, Resource>, faults: string[]): void => {
  const { field, owner } = member
  if (field.role === 'value' || field.role === 'count') return
  const target = byName.get(field.target)
  if (!target) {
    faults.push(`${owner.name}.${member.name} refers to '${field.target}', which is no resource`)
    return
  }
  member.target = target
  if (field.role !== 'inverse') {
    member.back = {
      name: `${owner.name}.${member.name}`,
      field: { role: 'inverse', target: owner.name, by: member.name, options: {} },
      owner: target,
      target: owner,
      inverseOf: member,
      back: member,
    }
    return
  }
  const by = target.members.get(field.by)
  const pointsHere = by && (by.field.role === 'one' || by.field.role === 'links') && by.field.target === owner.name
  if (!pointsHere) {
    faults.push(`${owner.name}.${member.name}: ${field.target}.${field.by} does not refer to ${owner.name}`)
    return
  }
  member.inverseOf = by
  member.back = by
}

/** A part of a resource has no column of its own, so each of its members must be one of the whole. */
const resolveHolder = (part: Resource, byName: ReadonlyMap<string, Resource>, faults: string[]): Resource | null => {
  const { resource, where } = part.definition.storedIn ?? { resource: '', where: { member: '', equals: '' } }
  const holder = byName.get(resource)
  if (!holder || holder.definition.storedIn) {
    faults.push(`${part.name} is stored in '${resource}', which is no resource with a table`)
    return null
  }
  if (!holder.members.has(where.member) || part.members.has(where.member))
    faults.push(`${part.name}: '${where.member}' must be a member of ${resource} and of it alone`)
  for (const { name, field } of part.members.values()) {
    const whole = holder.members.get(name)?.field
    const isAlike =
      field.role === whole?.role &&
      field.role !== 'links' &&
      (field.role !== 'value' || (whole?.role === 'value' && whole.type.column === field.type.column)) &&
      (field.role !== 'one' || (whole?.role === 'one' && whole.target === field.target))
    if (!isAlike) faults.push(`${part.name}.${name} is not a member of ${resource}, or one of another kind`)
  }
  return holder
}

const reserved = new Set(['id', 'links', 'type', 'jsonschema', 'uischema', 'relationships', 'files', 'csv'])

const checkDefinition = ({ name, definition, members, label }: Resource, faults: string[]): void => {
  const needs = (member: string, what: string, fits: (field: Field) => boolean) => {
    const found = members.get(member)
    if (!found || !fits(found.field)) faults.push(`${name}: ${what} '${member}' is not a fitting member`)
  }
  // A table without routes has no address or document in which the name would mean something else.
  for (const member of definition.internal ? [] : Object.keys(definition.fields)) {
    if (reserved.has(member)) faults.push(`${name}.${member}: the name is reserved`)
  }
  if (definition.label && (label?.field.role !== 'value' || label.field.type.column !== 'text')) {
    faults.push(`${name}: label '${definition.label}' is not a text member`)
  }
  // A label is shown wherever a record is referred to, whatever the caller may read of the record itself.
  if (label && (label.field.options.readable || label.field.options.writeOnly)) {
    faults.push(`${name}: label '${label.name}' cannot be hidden from anyone`)
  }
  const { identifier } = definition
  const isReference = (field: Field) => field.role === 'one'
  const isRequiredText = (field: Field) =>
    field.role === 'value' && field.type.column === 'text' && field.options.required === true
  if (identifier.kind === 'shared') needs(identifier.by, 'shared identifier', isReference)
  if (identifier.kind === 'composite') for (const by of identifier.by) needs(by, 'composite identifier', isReference)
  if (identifier.kind === 'hashed') needs(identifier.of, 'hashed identifier', isRequiredText)
  const isColumn = (field: Field) => field.role === 'value' || field.role === 'one'
  for (const group of [...(definition.uniqueTogether ?? []), ...(definition.indexes ?? [])]) {
    for (const member of group) needs(member, 'index on', isColumn)
  }
  for (const member of members.values()) {
    if (member.field.role === 'count')
      needs(member.field.relation, `count in ${member.name} over`, field => field.role === 'inverse')
  }
  if (definition.cors?.originsMember) needs(definition.cors.originsMember, 'origins in', isColumn)
}

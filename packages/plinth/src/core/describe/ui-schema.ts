// What a client needs, beside the JSON Schema, to draw lists and forms: fields, and which of them each use case shows.

import type { Operation } from '../model/access-rules.ts'
import { keepsHistory } from '../model/history.ts'
import type { Json, JsonSchema } from '../model/json.ts'
import { isSearchableType } from '../model/query.ts'
import type { Member, Resource } from '../model/resource.ts'
import { keepsTrash } from '../model/trash.ts'
import type { View } from '../model/view.ts'
import { inLanguage, titleIn } from '../model/words.ts'
import { isNeeded, writableMembers } from './json-schema.ts'
import {
  defaultOf,
  isEmbedded,
  isNullable,
  isReadOnly,
  isToMany,
  isWriteOnly,
  outOfViewOf,
  pkSchema,
  relationMark,
  valueSchema,
} from './member-schema.ts'
import { resourceTitle, titleOf } from './names.ts'

/** What the caller who asks may do, so that a client offers nothing that would be refused. */
export interface Rights {
  /** With some record at least; a rule may still protect single ones. */
  may(operation: Operation): boolean
  mayWrite(member: Member): boolean
  /** Does a PUT of its fields restore a deleted record? */
  readonly mayRestore: boolean
  /** Only of resources that keep a history. */
  readonly mayReadHistory: boolean
}

const everything: Rights = { may: () => true, mayWrite: () => true, mayRestore: true, mayReadHistory: true }

/** Kept by the platform itself: the stamps and the version. */
const isBookkeeping = (member: Member): boolean =>
  member !== member.owner.pk && !(member.name in member.owner.definition.fields)

const isColumn = (member: Member): boolean => {
  const { field, owner } = member
  if (isBookkeeping(member) || !isEmbedded(member)) return false
  if (member === owner.pk) return owner.definition.identifier.kind === 'assigned'
  return field.role !== 'value' || (!field.type.isBulky && typeof field.type.schema.type === 'string')
}

const named = (members: readonly Member[], flags: (member: Member) => JsonSchema = () => ({})): Json =>
  members.map(member => ({ field: member.name, ...flags(member) }))

/** The members that a form shows: what may be written, with the pk where the caller chooses it. */
const formOf = (resource: Resource, mode: 'create' | 'replace'): Member[] => {
  const choosesPk = mode === 'create' && resource.definition.identifier.kind === 'assigned'
  return [...(choosesPk ? [resource.pk] : []), ...writableMembers(resource, mode)]
}

const useCasesOf = (view: View, rights: Rights): JsonSchema => {
  const { resource } = view
  const visible = [...view.members.values()]
  const label = resource.label && view.members.get(resource.label.name)
  const columns = visible.filter(member => isColumn(member) && member !== label)
  const inForm = (member: Member) =>
    isEmbedded(member) &&
    rights.mayWrite(member) &&
    (view.members.has(member.name) || member.field.options.writeOnly === true)
  return {
    list: named(label ? [label, ...columns] : columns, member => ({ sortable: isSortable(member) })),
    search: named(visible.filter(isSearchable), member => ({
      wildcards: member.field.role === 'value' && member.field.type.wildcards,
    })),
    view: named(visible.filter(isEmbedded)),
    create: named(formOf(resource, 'create').filter(inForm), member => ({
      required: member === resource.pk || isNeeded(member, 'create'),
    })),
    update: named(formOf(resource, 'replace').filter(inForm), member => ({
      required: isNeeded(member, 'replace'),
      readOnly: member.field.options.fixed === true,
    })),
    relations: named(visible.filter(isToMany)),
  }
}

/** In the order of the label only where that order is kept ready; the pk's order always is. */
const defaultSortOf = ({ resource: { label }, members }: View): string => {
  const isReady = label && members.has(label.name) && (label.field.options.unique || label.field.options.indexed)
  return label && isReady ? label.name : 'pk'
}

/** Where a search by words looks: in the label, and in other texts that can be found by any part of them. */
const quickSearchOf = ({ resource, members }: View): string[] => {
  const isQuick = (member: Member) =>
    member === resource.label || (member.field.role === 'value' && member.field.options.indexed === 'anywhere')
  return [...members.values()].filter(member => isQuick(member) && isSearchable(member)).map(({ name }) => name)
}

export const toUiSchema = (view: View, rights: Rights = everything, language = 'en'): JsonSchema => {
  const { resource, members } = view
  const label = resource.label && members.get(resource.label.name)
  const parent = members.get('parent')?.target
  const fields: Record<string, JsonSchema> = {}
  for (const member of [...members.values(), ...outOfViewOf(resource)]) {
    fields[member.name] = toUiField(member, { mayWrite: rights.mayWrite(member), language })
  }
  return {
    pathFragment: resource.name,
    ...(parent && { superPathFragment: parent.name }),
    title: resourceTitle(resource, language),
    about: inLanguage(resource.definition.about, language),
    label: label ? label.name : null,
    quickSearch: quickSearchOf(view),
    createForm: resource.definition.createForm !== false,
    defaultSort: defaultSortOf(view),
    identifier: resource.definition.identifier.kind,
    rights: {
      create: rights.may('create'),
      replace: rights.may('replace'),
      patch: rights.may('patch'),
      delete: rights.may('delete'),
      restore: rights.mayRestore,
      trash: keepsTrash(resource) && rights.may('delete'),
      history: keepsHistory(resource) && rights.mayReadHistory,
    },
    fields,
    useCases: useCasesOf(view, rights),
  }
}

// One field as a client draws it.

/** May a search name the member by itself? */
export const isSearchable = (member: Member): boolean => {
  const { field } = member
  if (field.options.writeOnly) return false
  if (field.role === 'value') return isSearchableType(field.type)
  return field.role === 'one' || field.role === 'count'
}

/** Lists and maps have no order; a relation is sorted by a member of its target. */
export const isSortable = ({ field }: Member): boolean =>
  !field.options.writeOnly && (field.role === 'count' || (field.role === 'value' && field.type.column !== 'json'))

const kindOf = (member: Member): { readonly fieldType: string; readonly widget: string } => {
  const { field } = member
  switch (field.role) {
    case 'value':
      return { fieldType: field.type.name, widget: field.type.widget }
    case 'count':
      return { fieldType: 'integer', widget: 'number' }
    case 'one':
      return { fieldType: 'toOne', widget: 'lookup' }
    default:
      if (!isToMany(member)) return { fieldType: 'toOne', widget: 'lookup' }
      return { fieldType: 'toMany', widget: isEmbedded(member) ? 'lookups' : 'related' }
  }
}

const limitNames = {
  minimum: 'min',
  maximum: 'max',
  minLength: 'minLength',
  maxLength: 'maxLength',
  maxItems: 'maxItems',
  pattern: 'pattern',
  format: 'format',
  enum: 'options',
  'x-decimals': 'decimals',
} as const

const limitsOf = (member: Member): JsonSchema => {
  const { field, owner } = member
  if (field.role !== 'value') return {}
  const schema = member === owner.pk ? pkSchema(owner) : valueSchema(field)
  return Object.fromEntries(
    Object.entries(limitNames).flatMap(([keyword, limit]) => {
      const value = schema[keyword]
      return value === undefined ? [] : [[limit, value]]
    }),
  )
}

/** The names of the choices, where they are not the choices themselves. */
const optionLabels = ({ field }: Member, language: string): JsonSchema => {
  const labels = field.role === 'value' ? Object.entries(field.type.labels ?? {}) : []
  const named = labels.flatMap(([choice, label]) => {
    const text = titleIn(label, language)
    return text === undefined ? [] : [[choice, text]]
  })
  return named.length > 0 ? { optionLabels: Object.fromEntries(named) } : {}
}

export interface FieldDrawing {
  readonly mayWrite: boolean
  /** Of labels and help. */
  readonly language: string
}

export const toUiField = (member: Member, { mayWrite, language }: FieldDrawing): JsonSchema => {
  const { options } = member.field
  const fallback = defaultOf(member)
  return {
    ...kindOf(member),
    label: titleOf(member, language),
    ...(options.about !== undefined && { help: inLanguage(options.about, language) }),
    required: options.required === true,
    nullable: isNullable(member),
    readOnly: isReadOnly(member) || !mayWrite,
    writeOnly: isWriteOnly(member),
    ...(options.fixed && { fixed: true }),
    ...(options.unique && { unique: true }),
    searchable: isSearchable(member),
    sortable: isSortable(member),
    ...limitsOf(member),
    ...optionLabels(member, language),
    ...(fallback !== undefined && { default: fallback }),
    ...(member.target && { relation: relationMark(member) }),
  }
}

// What a client needs, beside the JSON Schema, to draw lists and forms: fields, and which of them each use case shows.

import type { Operation } from '../model/access-rules.ts'
import { anonymous, type Caller } from '../model/caller.ts'
import { callerPathOf, defaultOf as fallbackOf } from '../model/caller-default.ts'
import type { Json, JsonSchema } from '../model/json.ts'
import { isSearchableType } from '../model/query.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import { type SearchedField, searchIndexOf } from '../model/search/search-index.ts'
import { sumType } from '../model/total-fields.ts'
import { keepsTrash } from '../model/trash.ts'
import { isScalar } from '../model/value-field.ts'
import type { View } from '../model/view.ts'
import { inLanguage } from '../model/words.ts'
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
} from './field-schema.ts'
import { isNeeded, writableFields } from './json-schema.ts'
import { resourceTitle, titleOf } from './names.ts'
import { checksFor } from './record-checks.ts'
import { limitsIn, optionLabels } from './ui-input.ts'

/** What the caller who asks may do, so that a client offers nothing that would be refused. */
export interface Rights {
  /** Says whether the caller may do it with some record at least; a rule may still protect single ones. */
  may(operation: Operation): boolean
  mayWrite(field: ResourceField): boolean
  /** The fields that a search by words looks in; all of them unless given. */
  readonly searched?: readonly SearchedField[]
  /** Who asks: defaults may depend on it. */
  readonly caller: Caller
  /** Does a PUT of its fields restore a deleted record? */
  readonly mayRestore: boolean
  /** Says whether the caller may read the history, of resources that keep one. */
  readonly mayReadHistory: boolean
}

const everything: Rights = {
  may: () => true,
  mayWrite: () => true,
  caller: anonymous,
  mayRestore: true,
  mayReadHistory: true,
}

/** Says whether the platform itself keeps the field: the stamps and the version. */
const isBookkeeping = (field: ResourceField): boolean =>
  field !== field.owner.pk && !(field.name in field.owner.definition.fields)

const isColumn = (field: ResourceField): boolean => {
  const { definition, owner } = field
  if (isBookkeeping(field) || !isEmbedded(field)) return false
  if (field === owner.pk) return owner.definition.identifier.kind === 'assigned'
  return definition.role !== 'value' || (!definition.type.isBulky && typeof definition.type.schema.type === 'string')
}

const named = (fields: readonly ResourceField[], flags: (field: ResourceField) => JsonSchema = () => ({})): Json =>
  fields.map(field => ({ field: field.name, ...flags(field) }))

/** The fields that a form shows: what may be written, with the pk where the caller chooses it. */
const formOf = (resource: Resource, mode: 'create' | 'replace'): ResourceField[] => {
  const choosesPk = mode === 'create' && resource.definition.identifier.kind === 'assigned'
  return [...(choosesPk ? [resource.pk] : []), ...writableFields(resource, mode)]
}

const useCasesOf = (view: View, rights: Rights): JsonSchema => {
  const { resource } = view
  const visible = [...view.fields.values()]
  const label = resource.label && view.fields.get(resource.label.name)
  const columns = visible.filter(field => isColumn(field) && field !== label)
  const inForm = (field: ResourceField) =>
    isEmbedded(field) &&
    rights.mayWrite(field) &&
    (view.fields.has(field.name) || field.definition.options.writeOnly === true)
  return {
    list: named(label ? [label, ...columns] : columns, field => ({ sortable: isSortable(field) })),
    search: named(visible.filter(isSearchable), field => ({
      wildcards: field.definition.role === 'value' && field.definition.type.wildcards,
    })),
    view: named(visible.filter(isEmbedded)),
    create: named(formOf(resource, 'create').filter(inForm), field => ({
      required: field === resource.pk || isNeeded(field, 'create'),
    })),
    update: named(formOf(resource, 'replace').filter(inForm), field => ({
      required: isNeeded(field, 'replace'),
      readOnly: field.definition.options.fixed === true,
    })),
    relations: named(visible.filter(isToMany)),
  }
}

/** The default sort: by the label where that order is kept ready, else by the pk, whose order always is. */
const defaultSortOf = ({ resource: { label }, fields }: View): string => {
  const isReady =
    label && fields.has(label.name) && (label.definition.options.unique || label.definition.options.indexed)
  return label && isReady ? label.name : 'pk'
}

/** The fields that a search by words looks at: the label, and other texts that can be found by any part of them. */
const quickSearchOf = ({ resource, fields }: View): string[] => {
  const isQuick = (field: ResourceField) =>
    field === resource.label || (field.definition.role === 'value' && field.definition.options.indexed === 'anywhere')
  return [...fields.values()].filter(field => isQuick(field) && isSearchable(field)).map(({ name }) => name)
}

/** The fields in which `search` looks; for those of related records, the relations that lead to them. */
const wordFieldsOf = (fields: readonly SearchedField[]): string[] => [
  ...new Set(fields.map(({ field, via }) => (via ?? field).name)),
]

export const toUiSchema = (view: View, rights: Rights = everything, language = 'en'): JsonSchema => {
  const { resource } = view
  const label = resource.label && view.fields.get(resource.label.name)
  const parent = view.fields.get('parent')?.target
  const fields: Record<string, JsonSchema> = {}
  for (const field of [...view.fields.values(), ...outOfViewOf(resource)]) {
    fields[field.name] = toUiField(field, { mayWrite: rights.mayWrite(field), caller: rights.caller, language })
  }
  return {
    pathFragment: resource.name,
    ...(parent && { superPathFragment: parent.name }),
    title: resourceTitle(resource, language),
    about: inLanguage(resource.definition.about, language),
    label: label ? label.name : null,
    quickSearch: quickSearchOf(view),
    ...(resource.definition.search && {
      searchedByWords: wordFieldsOf(rights.searched ?? searchIndexOf(resource)?.fields ?? []),
    }),
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
      history: resource.keepsHistory && rights.mayReadHistory,
    },
    fields,
    ...checksFor(view, language),
    useCases: useCasesOf(view, rights),
  }
}

// One field as a client draws it.

/** May a search name the field by itself? */
export const isSearchable = (field: ResourceField): boolean => {
  const { definition } = field
  if (definition.options.writeOnly) return false
  if (definition.role === 'value') return isSearchableType(definition.type)
  return definition.role === 'one' || definition.role === 'count'
}

/** Lists and maps have no order; a relation is sorted by a field of its target. */
export const isSortable = ({ definition }: ResourceField): boolean =>
  !definition.options.writeOnly &&
  (definition.role === 'count' || (definition.role === 'value' && isScalar(definition.type)))

const kindOf = (field: ResourceField): { readonly fieldType: string; readonly widget: string } => {
  const { definition } = field
  switch (definition.role) {
    case 'value':
      return { fieldType: definition.type.name, widget: definition.type.widget }
    case 'count': {
      const { name, widget } = sumType(field) ?? { name: 'integer', widget: 'number' }
      return { fieldType: name, widget }
    }
    case 'one':
      return { fieldType: 'toOne', widget: 'lookup' }
    default:
      if (!isToMany(field)) return { fieldType: 'toOne', widget: 'lookup' }
      return { fieldType: 'toMany', widget: isEmbedded(field) ? 'lookups' : 'related' }
  }
}

const limitsOf = (field: ResourceField): JsonSchema => {
  const { definition, owner } = field
  if (definition.role !== 'value') return {}
  return limitsIn(field === owner.pk ? pkSchema(owner) : valueSchema(definition))
}

/** A default that comes from the caller, as a record would show it. */
const ownDefault = ({ definition, target }: ResourceField, caller: Caller): Json | undefined => {
  const value = fallbackOf(definition, caller)
  if (typeof value !== 'string') return undefined
  if (definition.role !== 'one') return value
  const isCaller = value === caller.pk && target?.label && caller.username !== null
  return { pk: value, ...(isCaller && { [target.label.name]: caller.username }) }
}

export interface FieldDrawing {
  readonly mayWrite: boolean
  readonly caller: Caller
  /** The language of labels and help. */
  readonly language: string
}

export const toUiField = (field: ResourceField, { mayWrite, caller, language }: FieldDrawing): JsonSchema => {
  const { options } = field.definition
  const fallback = callerPathOf(field.definition) ? ownDefault(field, caller) : defaultOf(field)
  return {
    ...kindOf(field),
    label: titleOf(field, language),
    ...(options.about !== undefined && { help: inLanguage(options.about, language) }),
    required: options.required === true,
    nullable: isNullable(field),
    readOnly: isReadOnly(field) || !mayWrite,
    writeOnly: isWriteOnly(field),
    ...(options.fixed && { fixed: true }),
    ...(options.unique && { unique: true }),
    searchable: isSearchable(field),
    sortable: isSortable(field),
    ...limitsOf(field),
    ...(field.definition.role === 'value' && optionLabels(field.definition.type, language)),
    ...(fallback !== undefined && { default: fallback }),
    ...(field.target && { relation: relationMark(field) }),
  }
}

// One field as a client draws it.

import type { JsonSchema } from '../model/json.ts'
import { isSearchableType } from '../model/query.ts'
import type { Member } from '../model/resource.ts'
import { inLanguage, titleIn } from '../model/words.ts'
import {
  defaultOf,
  isEmbedded,
  isNullable,
  isReadOnly,
  isToMany,
  isWriteOnly,
  pkSchema,
  relationMark,
  valueSchema,
} from './member-schema.ts'
import { titleOf } from './names.ts'

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

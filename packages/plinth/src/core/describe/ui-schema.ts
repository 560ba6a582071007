// What a client needs, beside the JSON Schema, to draw lists and forms: fields, and which of them each use case shows.

import type { Operation } from '../model/define.ts'
import type { Json, JsonSchema } from '../model/json.ts'
import type { Member, Resource } from '../model/resource.ts'
import { keepsTrash } from '../model/trash.ts'
import type { View } from '../model/view.ts'
import { inLanguage } from '../model/words.ts'
import { isNeeded, writableMembers } from './input-schema.ts'
import { isEmbedded, isToMany, outOfViewOf } from './member-schema.ts'
import { resourceTitle } from './names.ts'
import { isSearchable, isSortable, toUiField } from './ui-field.ts'

/** What the caller who asks may do, so that a client offers nothing that would be refused. */
export interface Rights {
  /** With some record at least; a rule may still protect single ones. */
  may(operation: Operation): boolean
  mayWrite(member: Member): boolean
  /** Does a PUT of its fields restore a deleted record? */
  readonly mayRestore: boolean
}

const everything: Rights = { may: () => true, mayWrite: () => true, mayRestore: true }

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
  const shown = [...view.members.values()]
  const label = resource.label && view.members.get(resource.label.name)
  const columns = shown.filter(member => isColumn(member) && member !== label)
  const inForm = (member: Member) =>
    isEmbedded(member) &&
    rights.mayWrite(member) &&
    (view.members.has(member.name) || member.field.options.writeOnly === true)
  return {
    list: named(label ? [label, ...columns] : columns, member => ({ sortable: isSortable(member) })),
    search: named(shown.filter(isSearchable), member => ({
      wildcards: member.field.role === 'value' && member.field.type.wildcards,
    })),
    view: named(shown.filter(isEmbedded)),
    create: named(formOf(resource, 'create').filter(inForm), member => ({
      required: member === resource.pk || isNeeded(member, 'create'),
    })),
    update: named(formOf(resource, 'replace').filter(inForm), member => ({
      required: isNeeded(member, 'replace'),
      readOnly: member.field.options.fixed === true,
    })),
    relations: named(shown.filter(isToMany)),
  }
}

/** In the order of the label only where that order is kept ready; the pk's order always is. */
const defaultSortOf = ({ resource: { label }, members }: View): string => {
  const isReady = label && members.has(label.name) && (label.field.options.unique || label.field.options.indexed)
  return label && isReady ? label.name : 'pk'
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
    defaultSort: defaultSortOf(view),
    identifier: resource.definition.identifier.kind,
    rights: {
      create: rights.may('create'),
      replace: rights.may('replace'),
      patch: rights.may('patch'),
      delete: rights.may('delete'),
      restore: rights.mayRestore,
      trash: keepsTrash(resource) && rights.may('delete'),
    },
    fields,
    useCases: useCasesOf(view, rights),
  }
}

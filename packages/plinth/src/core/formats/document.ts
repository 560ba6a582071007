// What the formats share: which members a record shows, where records live, JSON text from pieces, and bodies as objects.

import { fault } from '../fault.ts'
import type { Member, Resource } from '../model/resource.ts'
import { shown, type ValueType } from '../model/value-field.ts'
import type { PageDocument, Paging, View } from '../model/view.ts'
import { Problem } from '../problem.ts'

export const isToMany = ({ field }: Member): boolean =>
  field.role === 'links' || (field.role === 'inverse' && !field.single)

export const isRelation = ({ target }: Member): boolean => target !== null

/** Has a value in each record; the other relations are reached through links alone. */
export const isShown = ({ field }: Member): boolean => {
  if (field.role === 'links') return field.embed
  return field.role !== 'inverse' || field.single === true
}

/** The members that each record shows after its identifiers, in order. */
export const shownMembers = ({ members }: View): Member[] =>
  [...members.values()].filter(member => member.name !== 'pk' && isShown(member))

export const relationsOf = ({ members }: View): Member[] => [...members.values()].filter(isRelation)

/** What is compiled from a view, made when the view is first seen and kept as long as it is. */
export const perView = <T>(compile: (view: View) => T): ((view: View) => T) => {
  const compiled = new WeakMap<View, { readonly result: T }>()
  return view => {
    let known = compiled.get(view)
    if (!known) {
      known = { result: compile(view) }
      compiled.set(view, known)
    }
    return known.result
  }
}

// Where records and pages live

/** Where clients begin. */
export const entryPath = '/api/rest'

export const collectionPath = (resource: Resource): string => `${entryPath}/${resource.name}`

const unreserved = /^[\w.~-]*$/

/** A pk as one segment of a path. */
export const toSegment = (pk: string): string => (unreserved.test(pk) ? pk : encodeURIComponent(pk.toWellFormed()))

export const recordPath = (resource: Resource, pk: string): string => `${collectionPath(resource)}/${toSegment(pk)}`

const rels = ['self', 'first', 'prev', 'next', 'last'] as const

/** The links of a page that can be followed, absolute, in a fixed order. */
export const pageLinks = ({ links }: PageDocument, base: string): { readonly rel: string; readonly href: string }[] =>
  rels.flatMap(rel => {
    const path = links[rel]
    return path === undefined ? [] : [{ rel, href: base + path }]
  })

// JSON text from pieces, faster than JSON.stringify for the short values that records are made of

// Everything but quotes, backslashes, control characters and surrogates: text that stands for itself between quotes.
const plain = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

export const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text))

/** For text inside a JSON string that is put together from pieces. */
export const escaped = (text: string): string => (plain.test(text) ? text : JSON.stringify(text).slice(1, -1))

/** JSON has no word for undefined, NaN and the infinities: they become null, as in JSON.stringify. */
export const toJson = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
      return Number.isFinite(value) ? `${value}` : 'null'
    case 'boolean':
      return value ? 'true' : 'false'
    default:
      return value === null || value === undefined ? 'null' : JSON.stringify(value)
  }
}

/** A writer of stored values of one type. */
export const compileType = (type: ValueType): ((stored: unknown) => string) =>
  type.show ? stored => toJson(shown(type, stored)) : toJson

/** Writes the entries of a list, batch by batch, with commas between them. */
export const createSeparator = () => {
  let isFirst = true
  return <T>(entries: readonly T[], write: (entry: T) => string): string => {
    let text = ''
    for (const entry of entries) {
      text += isFirst ? write(entry) : `,${write(entry)}`
      isFirst = false
    }
    return text
  }
}

/** The first four members always, as null where they are not known. */
export const pagingText = ({ size, totalElements, totalPages, number, estimated }: Paging): string =>
  JSON.stringify({ size, totalElements, totalPages, number, ...(estimated && { estimated }) })

// Bodies

export type BodyObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is BodyObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Only what the caller sent, never what objects inherit. */
export const own = (object: BodyObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** Members to be filled in: without a prototype even `__proto__` is a name like any other. */
export const emptyMembers = (): Record<string, unknown> => Object.create(null)

/** The body cannot be understood at one place. */
export const unreadable = (pointer: string, reason: string): Problem =>
  new Problem('bad_request', {
    detail: `The body ${reason}.`,
    errors: [{ pointer, ...fault('structure', { message: reason }) }],
  })

/** An identifier; null counts as absent, since forms send empty ones for new records. */
export const readIdentifierText = (object: BodyObject, name: string, pointer: string): string | undefined => {
  const value = own(object, name) ?? undefined
  if (value !== undefined && typeof value !== 'string') throw unreadable(pointer, `must give \`${name}\` as text`)
  return value
}

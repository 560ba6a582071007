// Which fields of a record the formats show.

import type { ResourceField } from '../model/resource.ts'
import type { View } from '../model/view.ts'

export const isToMany = ({ definition }: ResourceField): boolean =>
  definition.role === 'links' || (definition.role === 'inverse' && !definition.single)

export const isRelation = ({ target }: ResourceField): boolean => target !== null

/** Says whether a relation has a value in each record; the others are reached through links alone. */
export const isShown = ({ definition }: ResourceField): boolean => {
  if (definition.role === 'links') return definition.embed
  return definition.role !== 'inverse' || definition.single === true
}

/** The fields that each record shows after its identifiers, in order. */
export const inlineFields = ({ fields }: View): ResourceField[] =>
  [...fields.values()].filter(field => field.name !== 'pk' && isShown(field))

export const relationsOf = ({ fields }: View): ResourceField[] => [...fields.values()].filter(isRelation)

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

// Which fields of a record the formats show.

import type { Member } from '../model/resource.ts'
import type { View } from '../model/view.ts'

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

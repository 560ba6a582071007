// The words that documents use for what the model names in camelCase.

import type { Member, Resource } from '../model/resource.ts'

/** `firstName` → `First name`. */
export const humanised = (name: string): string => {
  const words = name.replace(/([a-z0-9])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
  return capitalised(words)
}

export const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

export const titleOf = (member: Member): string => member.field.options.title ?? humanised(member.name)

/** The name of the type of one record, such as `FilmActor`. */
export const typeNameOf = (resource: Resource): string => capitalised(resource.definition.singular)

/** A record in running text, such as `film actor`. */
export const wordsFor = (resource: Resource): string => humanised(resource.definition.singular).toLowerCase()

/** One record of several, such as `an error log`. */
export const anyOne = (resource: Resource): string => {
  const words = wordsFor(resource)
  return /^[aeio]/.test(words) ? `an ${words}` : `a ${words}`
}

/** Several records in running text, such as `film actors`. */
export const severalOf = (resource: Resource): string => humanised(resource.name).toLowerCase()

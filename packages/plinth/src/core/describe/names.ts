// The words that documents use for what the model names in camelCase.

import type { CommonOptions } from '../model/field-options.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import { titleIn } from '../model/words.ts'

/** `firstName` → `First name`. */
export const humanised = (name: string): string => {
  const words = name.replace(/([a-z0-9])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
  return capitalised(words)
}

export const capitalised = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** A field, or a part of one. */
export const fieldTitle = (name: string, { title }: CommonOptions, language: string): string =>
  titleIn(title, language) ?? humanised(name)

export const titleOf = ({ name, definition }: ResourceField, language: string): string =>
  fieldTitle(name, definition.options, language)

/** The records of a resource, such as `Film actors`. */
export const resourceTitle = ({ name, definition: { title } }: Resource, language: string): string =>
  titleIn(title, language) ?? humanised(name)

/** One record of a resource, such as `Film actor`. */
export const singularTitle = ({ definition }: Resource, language: string): string =>
  titleIn(definition.singularTitle, language) ?? humanised(definition.singular)

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

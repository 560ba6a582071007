// The names that generated code has.

import { CommandError } from './explain.ts'

/** A name in the forms that code needs: `send-reminder`, `sendReminder`, `SendReminder`, `Send reminder`. */
export interface NameForms {
  readonly kebab: string
  readonly camel: string
  readonly pascal: string
  readonly title: string
}

export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

export const toForms = (name: string): NameForms => {
  if (!/^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/i.test(name))
    throw new CommandError(`'${name}' cannot be a name: use letters, digits and hyphens, such as send-reminder.`)
  const kebab = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
  const [first = '', ...others] = kebab.split('-')
  const camel = first + others.map(capitalize).join('')
  return { kebab, camel, pascal: capitalize(camel), title: capitalize(kebab.replaceAll('-', ' ')) }
}

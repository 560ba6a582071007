// Yes or no, and one of a fixed set of words.

import { fault } from '../../fault.ts'
import type { Exactly, FieldOptions, OptionNames } from '../field-options.ts'
import { ValueFault } from '../value-fault.ts'
import type { Title } from '../words.ts'
import { fieldOptions, value } from './value.ts'

/** A boolean: true or false. */
export const boolean = <const O extends FieldOptions<boolean>>(options?: Exactly<O, FieldOptions>) =>
  value<boolean, O>(
    {
      name: 'boolean',
      column: 'boolean',
      schema: { type: 'boolean' },
      widget: 'checkbox',
      read: input => {
        if (typeof input !== 'boolean') throw new ValueFault(fault('boolean'))
        return input
      },
      readText: text => {
        if (text !== 'true' && text !== 'false') throw new ValueFault(fault('boolean'))
        return text === 'true'
      },
      wildcards: false,
    },
    options ?? {},
    fieldOptions,
  )

interface ChoiceOptions<C extends string = string> extends FieldOptions<C> {
  /** The choices that other spellings mean. Case never matters. */
  readonly aliases?: Readonly<Record<string, C>>
  /** The names of the choices for people; by default the choices themselves. */
  readonly labels?: { readonly [choice in C]?: Title }
}

const choiceOptions: OptionNames<ChoiceOptions> = { ...fieldOptions, aliases: true, labels: true }

/** One of a fixed set of words; case does not matter in input. */
export const choice = <const C extends string, const O extends ChoiceOptions<C>>(
  choices: readonly C[],
  options?: Exactly<O, ChoiceOptions>,
) => {
  const known = new Map<string, C>()
  for (const one of choices) known.set(one.toLowerCase(), one)
  for (const [alias, meant] of Object.entries(options?.aliases ?? {})) {
    const one = known.get(meant.toLowerCase())
    if (one) known.set(alias.toLowerCase(), one)
  }
  const read = (input: unknown): C => {
    const one = typeof input === 'string' ? known.get(input.toLowerCase()) : undefined
    if (one === undefined) throw new ValueFault(fault('choice', { choices }))
    return one
  }
  return value<C, O>(
    {
      name: 'choice',
      column: 'text',
      schema: { type: 'string', enum: [...choices] },
      widget: 'select',
      ...(options?.labels && { labels: options.labels }),
      read,
      readText: read,
      wildcards: false,
    },
    options ?? {},
    choiceOptions,
  )
}

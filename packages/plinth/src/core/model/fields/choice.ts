// Yes or no, and one of a fixed set of words.

import { fault } from '../../fault.ts'
import type { Exactly, FieldOptions, OptionNames } from '../field-options.ts'
import { type StateMachine, stepsIn } from '../state-machine.ts'
import { ValueFault } from '../value-fault.ts'
import type { Title } from '../words.ts'
import { fieldOptions, value } from './value.ts'

/**
 * A boolean: true or false.
 *
 * @example boolean({ default: false })
 */
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
  /** The states that can follow each state: the field is a state machine. A state without any is final. */
  readonly transitions?: { readonly [state in C]?: readonly C[] }
  /** With `transitions`: the states of new records; by default the `default`, or the first choice. */
  readonly initial?: readonly C[]
}

const choiceOptions: OptionNames<ChoiceOptions> = {
  ...fieldOptions,
  aliases: true,
  labels: true,
  transitions: true,
  initial: true,
}

/** A state machine always has a state. */
type Stated<C, O> = O extends { readonly transitions: object }
  ? O & { readonly required: true; readonly default: C }
  : O

/** The states of new records, by the options. */
type FirstStates<Choices extends readonly string[], O> = O extends { readonly initial: readonly (infer First)[] }
  ? First
  : O extends { readonly default: infer First extends string }
    ? First
    : Choices extends readonly [infer First extends string, ...(readonly string[])]
      ? First
      : Choices[number]

/** What types know of a state machine: the states of new records, and those that can follow each state. */
type StepsOf<Choices extends readonly string[], O> = O extends { readonly transitions: infer Next }
  ? {
      readonly first: FirstStates<Choices, O>
      readonly next: { readonly [S in keyof Next]: Next[S] extends readonly (infer To)[] ? To : never }
    }
  : unknown

/** Options with states that are none: the compiler does not look for unknown names in the options by itself. */
type KnownStates<C, O> = O extends { readonly transitions: infer Next }
  ? { readonly transitions: { readonly [S in Exclude<keyof Next, C>]: never } }
  : unknown

const machineOf = <C extends string>(choices: readonly C[], options: ChoiceOptions<C>): StateMachine | undefined => {
  const { transitions, initial, default: usual } = options
  if (!transitions) return undefined
  return { states: choices, next: transitions, initial: initial ?? (isText(usual) ? [usual] : choices.slice(0, 1)) }
}

const isText = <C extends string>(value: ChoiceOptions<C>['default']): value is C => typeof value === 'string'

/**
 * One of a fixed set of words; case does not matter in input. With `transitions` it is a state machine:
 * `choice(['new', 'diagnosed', 'repaired'], { transitions: { new: ['diagnosed'], diagnosed: ['repaired'] } })`.
 *
 * @example choice(['open', 'paid'], { default: 'open', transitions: { open: ['paid'] } })
 */
export const choice = <const Choices extends readonly string[], const O extends ChoiceOptions<Choices[number]>>(
  choices: Choices,
  options?: Exactly<O, ChoiceOptions> & KnownStates<Choices[number], O>,
) => {
  type C = Choices[number]
  const own: ChoiceOptions<C> = options ?? {}
  const known = new Map<string, C>()
  for (const one of choices) known.set(one.toLowerCase(), one)
  for (const [alias, meant] of Object.entries(own.aliases ?? {})) {
    const one = known.get(meant.toLowerCase())
    if (one) known.set(alias.toLowerCase(), one)
  }
  const read = (input: unknown): C => {
    const one = typeof input === 'string' ? known.get(input.toLowerCase()) : undefined
    if (one === undefined) throw new ValueFault(fault('choice', { choices }))
    return one
  }
  const machine = machineOf(choices, own)
  const first = machine?.initial.find(state => known.has(state.toLowerCase()))
  return value<C, Stated<C, O>, StepsOf<Choices, O>>(
    {
      name: 'choice',
      column: 'text',
      schema: {
        type: 'string',
        enum: [...choices],
        ...(machine && { 'x-transitions': stepsIn(machine), 'x-initial': machine.initial }),
      },
      widget: 'select',
      ...(own.labels && { labels: own.labels }),
      ...(machine && { machine }),
      read,
      readText: read,
      wildcards: false,
    },
    machine ? { ...(first !== undefined && { default: first as C }), ...own, required: true } : own,
    choiceOptions,
  )
}

// State machines: the states in which records begin, and the steps from one state to the next.

import { type FaultReason, fault } from '../fault.ts'
import { didYouMean } from './definition-error.ts'

export interface StateMachine {
  readonly states: readonly string[]
  /** The states of new records. */
  readonly initial: readonly string[]
  /** The states that can follow each state; none can follow a state that is missing here. */
  readonly next: { readonly [state: string]: readonly string[] | undefined }
}

export const nextStates = ({ next }: StateMachine, state: string): readonly string[] =>
  (Object.hasOwn(next, state) && next[state]) || []

/** The states that can follow each state, as JSON. */
export const stepsIn = ({ next }: StateMachine): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(Object.entries(next).map(([state, states = []]) => [state, states]))

/** What is wrong with a step. `from` is null for a new record, and for one that has no state yet. */
export const stepFault = (machine: StateMachine, from: unknown, to: unknown): FaultReason | null => {
  if (from === to) return null
  if (typeof from !== 'string')
    return machine.initial.some(state => state === to) ? null : fault('first_state', { states: machine.initial })
  const next = nextStates(machine, from)
  if (next.some(state => state === to)) return null
  return next.length === 0 ? fault('final_state', { state: from }) : fault('next_state', { state: from, next })
}

/** What is wrong with the declaration. */
export const machineFaults = (machine: StateMachine): readonly string[] => {
  const { states, initial, next } = machine
  const unknown = (names: readonly string[], where: string) =>
    names
      .filter(name => !states.includes(name))
      .map(name => `${where} names '${name}', which is not a state${didYouMean(states, name)}`)
  return [
    ...unknown(initial, 'initial'),
    ...(initial.length === 0 ? ['initial is empty, so no record could be created; name a state'] : []),
    ...Object.entries(next).flatMap(([from, to = []]) => [
      ...unknown([from, ...to], 'transitions'),
      ...(to.includes(from) ? [`'${from}' leads to itself, which is no step; remove it there`] : []),
    ]),
  ]
}

/** States that no record can ever be in. */
export const unreachableStates = (machine: StateMachine): readonly string[] => {
  const reached = new Set(machine.initial)
  // The set grows while its entries are visited.
  for (const state of reached) for (const next of nextStates(machine, state)) reached.add(next)
  return machine.states.filter(state => !reached.has(state))
}

/** The steps in words, for descriptions. */
export const describeSteps = (machine: StateMachine): string => {
  const steps = machine.states.map(state => {
    const next = nextStates(machine, state)
    return next.length === 0 ? `${state} is final` : `${state} → ${next.join(', ')}`
  })
  return `New records: ${machine.initial.join(', ')}. Steps: ${steps.join('; ')}.`
}

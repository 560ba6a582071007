// The faults of a query are reported together, each with its parameter.

import { type FaultReason, fault } from '../fault.ts'
import { type Fault, Problem } from '../problem.ts'

/** The most faults of an answer. Beyond it the answer would only grow, and with it what a hostile query costs. */
const maxFaults = 20

/** Notes a fault; the request is refused at the end, or at once when there are very many. */
export const note = (faults: Fault[], fault: Fault): void => {
  faults.push(fault)
  if (faults.length >= maxFaults) refuse(faults)
}

export const refuse = (faults: readonly Fault[]): never => {
  const [first] = faults
  const others = faults.length - 1
  throw new Problem(faults.every(fault => fault.parameter === 'filter') ? 'bad_filter' : 'bad_parameter', {
    detail: `${first?.message ?? 'The query is invalid.'}${others > 0 ? ` (${others} more in errors)` : ''}`,
    errors: faults,
  })
}

/** A limit on size or depth: not collected, since reading on is what the limit forbids. */
export const tooCostly = (reason: string, place: Pick<Fault, 'parameter' | 'position'> = {}): Problem =>
  new Problem('too_costly', { detail: reason, errors: [{ ...place, ...fault('limit', { message: reason }) }] })

/** A value that cannot be read: its fault has the code and the parameters of the reason among its own. */
export const badValue = (value: string, reason: FaultReason, message: string): FaultReason => ({
  code: 'bad_value',
  message,
  params: { ...reason.params, value: excerpt(value), reason: reason.code },
})

/** A parameter that takes other values than the one that was found. */
export const badParameter = (parameter: string, value: string, reason: FaultReason): Fault => ({
  parameter,
  ...badValue(value, reason, `'${parameter}' ${reason.message}, found ${quoted(value)}.`),
})

/** What the caller sent, short enough for a message. */
export const excerpt = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text).toWellFormed()

export const quoted = (text: string): string => `'${excerpt(text)}'`

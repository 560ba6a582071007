// Problems as JSON:API errors: one for each fault, or one in all.

import type { Fault } from '../problem.ts'
import type { ProblemDocument } from './format.ts'

export const writeErrors = (document: ProblemDocument): string => {
  const { type, title, status, detail, instance, code, errors: faults = [], errorLogId, ...extra } = document
  const common = { ...(errorLogId && { id: errorLogId }), status: `${status}`, code, title }
  const errors = faults.map(fault => ({
    ...common,
    detail: fault.message,
    ...withSource(fault),
    meta: {
      ...extra,
      fault: fault.code,
      params: fault.params,
      member: fault.member,
      position: fault.position,
      ...costOf(fault),
    },
  }))
  const only = { ...common, detail, ...(Object.keys(extra).length > 0 && { meta: extra }) }
  return JSON.stringify({ jsonapi: { version: '1.1' }, errors: errors.length > 0 ? errors : [only] })
}

/** The cost of the part, beside that of the whole query. */
const costOf = ({ cost }: Fault) => (cost === undefined ? {} : { partCost: cost })

const withSource = ({ pointer, parameter }: Fault) => {
  if (pointer !== undefined) return { source: { pointer } }
  return parameter === undefined ? {} : { source: { parameter } }
}

// Errors as RFC 7644, section 3.12, wants them.

import type { Format, ProblemDocument } from '../../core/formats/format.ts'
import { formatsByName } from '../../core/formats/index.ts'
import { Problem } from '../../core/problem.ts'

export const scimMediaType = 'application/scim+json'

type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

/** A mistake of the provider. `detail` says which. */
export const mistake = (scimType: ScimType, detail: string): Problem =>
  new Problem('bad_request', { detail, extra: { scimType } })

const unreadable: ReadonlySet<ProblemDocument['code']> = new Set(['invalid', 'unprocessable'])
const taken: ReadonlySet<ProblemDocument['code']> = new Set(['taken', 'conflict'])

const scimTypeOf = ({ code, scimType }: ProblemDocument): unknown => {
  if (scimType !== undefined) return scimType
  if (unreadable.has(code)) return 'invalidValue'
  return taken.has(code) ? 'uniqueness' : undefined
}

const sentenceOf = ({ title, detail, errors = [] }: ProblemDocument): string => {
  const faults = errors.map(({ member, message }) => (member === undefined ? message : `${member} ${message}`))
  return [detail ?? title, ...(errors.length > 1 ? [`${faults.join('; ')}.`] : [])].join(' ')
}

const toScimError = (document: ProblemDocument): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: `${document.status}`,
  scimType: scimTypeOf(document),
  detail: sentenceOf(document),
})

/** The error of one of several operations. */
export const scimErrorOf = ({ code, status, details, plainMessage }: Problem): object =>
  toScimError({
    ...details.extra,
    ...{ type: '', title: plainMessage, detail: plainMessage, status, code },
    ...(details.errors && { errors: details.errors }),
  })

/** Answers are made by the endpoints themselves; only their problems are written by it. */
export const scimFormat: Format = {
  ...formatsByName.json,
  name: 'scim',
  mediaType: scimMediaType,
  problemType: scimMediaType,
  explainsRefusals: true,
  problem: document => JSON.stringify(toScimError(document)),
}

/** RFC 7644 knows 400 for values that cannot be stored, where the service has 422. */
export const asScimProblem = (error: unknown): unknown => {
  if (!(error instanceof Problem) || error.status !== 422) return error
  const { detail, errors } = error.details
  const [first] = errors ?? []
  return new Problem('bad_request', {
    detail: detail ?? (first ? `${first.member ?? ''} ${first.message}.`.trim() : 'A value is invalid.'),
    ...(errors && { errors }),
    extra: { scimType: 'invalidValue' },
  })
}

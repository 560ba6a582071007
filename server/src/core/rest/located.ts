// Where a fault stands in the body. Rules, references and constraints know members, not bodies: what they refuse gets the
// pointer of its member here.

import type { RecordInput } from '../formats/format.ts'
import { Problem } from '../problem.ts'

export const located = async <T>(pointer: RecordInput['pointer'], work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Problem ? withPointers(error, pointer) : error
  }
}

const withPointers = (problem: Problem, pointer: RecordInput['pointer']): Problem => {
  const { errors } = problem.details
  if (!errors?.some(isUnlocated)) return problem
  const found = errors.map(fault =>
    isUnlocated(fault) && fault.member !== undefined ? { ...fault, pointer: pointer(fault.member) } : fault,
  )
  return new Problem(problem, { ...problem.details, errors: found, cause: problem.cause })
}

/** The member alone as a pointer: in the formats whose members stand at the top level it is right as it is. */
const isUnlocated = ({ member, pointer }: { member?: string; pointer?: string }): boolean =>
  member !== undefined && pointer === `/${member}`

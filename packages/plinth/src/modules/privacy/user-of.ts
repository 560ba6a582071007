// The user behind a call that only signed-in callers can make.

import type { Caller } from '../../core/model/caller.ts'
import { Problem } from '../../core/problem.ts'

export const userOf = ({ pk }: Pick<Caller, 'pk'>): string => {
  if (pk === null) throw new Problem('unauthorized')
  return pk
}

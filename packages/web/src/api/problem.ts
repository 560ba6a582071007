// Where the faults of a problem are.

import type { ProblemFault } from '@plinth/client'

/** Returns the place of a fault in the body: the field, and the parts of it that lead there. */
export const placeOf = ({ pointer = '', member: field }: ProblemFault): readonly string[] => {
  const [first, ...parts] = pointer
    .split('/')
    .slice(1)
    .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  return [field ?? first ?? '', ...parts]
}

// One value of several, by the name in the path.

import type { Json } from '../../core/model/json.ts'
import { Problem } from '../../core/problem.ts'
import { type ManagementAnswer, namedPart, type Viewing } from './management-endpoint.ts'

/** `{name: value}`; 404 when there is none. */
export const oneOf = (viewing: Viewing, values: Readonly<Record<string, Json>>): ManagementAnswer => {
  const name = namedPart(viewing, known => Object.hasOwn(values, known))
  if (name === null) throw new Problem('not_found')
  return { value: { [name]: values[name] ?? null } }
}

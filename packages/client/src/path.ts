// Parts of addresses. What callers pass must not lead to another path.

import { ApiProblem } from './problem.ts'

/**
 * A text as one segment of a path. An empty one would name the collection above it, and the dots the folders: addresses are
 * normalized before they are sent, even when the dots are percent-encoded (RFC 3986, section 5.2.4).
 */
export const segment = (text: string): string => {
  if (typeof text !== 'string' || text === '' || text === '.' || text === '..')
    throw new ApiProblem(400, { code: 'bad_parameter', detail: `'${text}' cannot be a part of an address.` })
  return encodeURIComponent(text)
}

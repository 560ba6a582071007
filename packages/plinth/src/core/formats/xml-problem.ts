// Problem details in XML (RFC 9457, appendix B): an element for each member, an `i` for each entry of a list.

import type { ProblemDocument } from './format.ts'
import { declaration, elementName, toContent } from './xml-text.ts'

export const writeProblem = (document: ProblemDocument): string =>
  `${declaration}<problem xmlns="urn:ietf:rfc:7807">${toChildren(document)}</problem>`

const toChildren = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return toContent(`${value}`)
  if (Array.isArray(value)) return value.map(entry => `<i>${toChildren(entry ?? '')}</i>`).join('')
  return Object.entries(value)
    .filter(([name, member]) => elementName.test(name) && member !== undefined && member !== null)
    .map(([name, member]) => `<${name}>${toChildren(member)}</${name}>`)
    .join('')
}

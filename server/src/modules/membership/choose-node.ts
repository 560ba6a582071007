// Which node a request to the single style means: the one that a header or a cookie names, the only one, or the only one of
// its role.

import type { Request } from '../../core/http/exchange.ts'
import { Problem } from '../../core/problem.ts'
import type { Network } from './network.ts'
import type { MembershipNode } from './node.ts'

export interface ChoiceNames {
  readonly header: string
  readonly cookie: string
}

export const chooseNode = (
  network: Network,
  { header, cookie }: ChoiceNames,
  { request, role }: { readonly request: Request; readonly role: MembershipNode['role'] },
): MembershipNode => {
  const named = request.headers[header.toLowerCase()]?.toString() ?? cookieNamed(request.headers.cookie, cookie)
  return named === undefined || named.trim() === '' ? network.only(role) : network.named(decoded(named.trim()))
}

/** RFC 6265, 4.2.1: pairs separated by semicolons; a value may stand in quotes. */
const cookieNamed = (header: string | undefined, name: string): string | undefined => {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name)
      return pair
        .slice(equals + 1)
        .trim()
        .replace(/^"(.*)"$/, '$1')
  }
  return undefined
}

/** Names hold commas and letters that neither header nor cookie can: they may be percent-encoded. */
const decoded = (text: string): string => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Problem('bad_request', 'The name of the node is not percent-encoded UTF-8.')
  }
}

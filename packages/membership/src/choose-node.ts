// Which node a request to the single style means: the one that a header or a cookie names, the only one, or the only one of
// its role.

import { Problem } from 'plinth'
import { type Request, readCookie } from 'plinth/module'
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
  const named = (request.headers[header.toLowerCase()]?.toString() ?? unquoted(readCookie(request, cookie))).trim()
  return named === '' ? network.only(role) : network.named(decoded(named))
}

/** RFC 6265, 4.1.1: a value may be in quotes. */
const unquoted = (value: string | null): string => value?.replace(/^"(.*)"$/, '$1') ?? ''

/** Names hold commas and letters that neither header nor cookie can: they may be percent-encoded. */
const decoded = (text: string): string => {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Problem('bad_request', 'The name of the node is not percent-encoded UTF-8.')
  }
}

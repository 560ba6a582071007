// The links of a page as a header (RFC 8288), for clients that do not read bodies for them.

import type { PageDocument, PageLinks } from '../model/view.ts'
import type { Headers } from './answer.ts'

/** What clients need most comes first: it is there even where the others have no room. */
const rels = ['next', 'prev', 'first', 'last'] as const satisfies readonly (keyof PageLinks)[]

/**
 * The most characters of the header. Proxies refuse responses whose headers do not fit into one buffer, often of 4 kB.
 */
const longest = 2000

/** What an address holds; anything else could end the link or the header. */
const isAddress = /^[\x21\x23-\x3b\x3d\x3f-\x7e]*$/

/** Returns the header of links; none for what has no pages. */
export const linkHeader = ({ links, paging }: Pick<PageDocument, 'links' | 'paging'>, base: string): Headers => {
  if (!paging) return {}
  const entries: string[] = []
  let length = 0
  for (const rel of rels) {
    const path = links[rel]
    if (path === undefined || !isAddress.test(path)) continue
    const entry = `<${base}${path}>; rel="${rel}"`
    length += entry.length + 2
    if (length > longest) break
    entries.push(entry)
  }
  return entries.length === 0 ? {} : { Link: entries.join(', ') }
}

// Where records and pages live.

import type { Resource } from '../model/resource.ts'
import type { PageDocument } from '../model/view.ts'

/** The path at which clients begin. */
export const entryPath = '/api/rest'

export const collectionPath = (resource: Resource): string => `${entryPath}/${resource.name}`

const unreserved = /^[\w.~-]*$/

/** A pk as one segment of a path. */
export const toSegment = (pk: string): string => (unreserved.test(pk) ? pk : encodeURIComponent(pk.toWellFormed()))

export const recordPath = (resource: Resource, pk: string): string => `${collectionPath(resource)}/${toSegment(pk)}`

const rels = ['self', 'first', 'prev', 'next', 'last'] as const

/** The links of a page that can be followed, absolute, in a fixed order. */
export const pageLinks = (
  { links }: Pick<PageDocument, 'links'>,
  base: string,
): { readonly rel: string; readonly href: string }[] =>
  rels.flatMap(rel => {
    const path = links[rel]
    return path === undefined ? [] : [{ rel, href: base + path }]
  })

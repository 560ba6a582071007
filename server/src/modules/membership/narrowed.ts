import type { NetworkMap } from './network-map.ts'
import type { Listing, Membership } from './node.ts'

/** What is left of a list when members missing from the network map are dropped, and no more than asked for is wanted. */
export async function* narrowed(
  batches: AsyncIterable<readonly Membership[]>,
  { onlyOnNetworkMap, limit }: Listing,
  map: NetworkMap,
): AsyncGenerator<readonly Membership[]> {
  let left = limit ?? Number.POSITIVE_INFINITY
  for await (const batch of batches) {
    const known = onlyOnNetworkMap ? batch.filter(({ member }) => map.party(member) !== undefined) : batch
    const wanted = known.slice(0, left)
    left -= wanted.length
    if (wanted.length > 0) yield wanted
    if (left <= 0) return
  }
}

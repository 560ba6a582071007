// Rows of another resource that follow from the values of a record, and hold nothing else: an index of its parts, such as the origins of a
// host. The service writes them with the record, in one statement where it can, and again when the fields change that they follow from.

import type { ResourceModel } from './definition.ts'
import type { NewRow } from './row.ts'

/** Rows of another resource that follow from the values of a record, as `followingRows` declares them. */
export interface FollowingRows<Values = never> {
  readonly definition: ResourceModel
  /** The reference of the rows to the record. */
  readonly by: string
  readonly rows: (values: Values) => readonly object[]
}

/**
 * Declares rows that follow from a record, for `follow` in its hooks. `by` names their reference to the record; the service fills it.
 *
 * @example
 * const words = defineResource('words', { about: 'Words of titles.', access, fields: { word: text(), book: ref('books') } })
 * const wordsOf = ({ title }: { readonly title: string }) => title.split(' ').map(word => ({ word }))
 * const hooks = { fields: ['title'], follow: [followingRows(words, 'book', wordsOf)] }
 */
export const followingRows = <D extends ResourceModel, By extends keyof NewRow<D> & string, Values>(
  definition: D,
  by: By,
  rows: (values: Values) => readonly Omit<NewRow<D>, By>[],
): FollowingRows<Values> => ({ definition, by, rows })

// What an operation answers, before a format writes it.

import type { StoredRecord } from '../model/record.ts'
import type { Included, ItemDocument, PageDocument } from '../model/view.ts'

export type Headers = Readonly<Record<string, string>>

export interface Batch {
  readonly records: readonly StoredRecord[]
  readonly included: readonly Included[]
}

export type Answer =
  | { readonly kind: 'item'; readonly status: 200 | 201; readonly document: ItemDocument; readonly headers?: Headers }
  | {
      readonly kind: 'page'
      readonly status: 200 | 201
      readonly document: PageDocument
      readonly batch: Batch
      readonly headers?: Headers
    }
  /** A page whose records are still to come. */
  | { readonly kind: 'stream'; readonly document: PageDocument; readonly batches: AsyncIterable<Batch> }
  | { readonly kind: 'nothing'; readonly status: 200 | 201 | 204; readonly headers?: Headers }
  /** A document that has one form only, such as a schema. */
  | { readonly kind: 'text'; readonly mediaType: string; readonly body: string; readonly headers?: Headers }

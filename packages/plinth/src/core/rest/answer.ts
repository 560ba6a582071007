// What an operation answers, before a format writes it.

import type { ListNames, ResourceEntry } from '../formats/format.ts'
import type { Response } from '../http/exchange.ts'
import type { Json, JsonMembers } from '../model/json.ts'
import type { StoredRecord } from '../model/record.ts'
import type { GroupsDocument, Included, ItemDocument, PageDocument } from '../model/view.ts'

export type Headers = Readonly<Record<string, string | string[]>>

export interface Batch {
  readonly records: readonly StoredRecord[]
  readonly included: readonly Included[]
}

/** What an endpoint answers with: a record, a page, a value, a text, a file or nothing. */
export type Answer =
  | {
      readonly kind: 'item'
      readonly status: 200 | 201
      readonly document: ItemDocument
      readonly headers?: Headers
      /** Says that the answer holds a secret that is shown this once. */
      readonly isSecret?: boolean
    }
  | {
      readonly kind: 'page'
      readonly status: 200 | 201
      readonly document: PageDocument
      readonly batch: Batch
      readonly headers?: Headers
      readonly isSecret?: boolean
    }
  /** A page whose records are still to come. */
  | { readonly kind: 'stream'; readonly document: PageDocument; readonly batches: AsyncIterable<Batch> }
  | {
      readonly kind: 'nothing'
      readonly status: 200 | 201 | 204 | 302
      readonly headers?: Headers
      /** The record that the caller does not want to read: the answer has its tag. */
      readonly leftOut?: ItemDocument
    }
  /** What is no record: the outcome of an action, as JSON or XML. */
  | {
      readonly kind: 'value'
      readonly status: 200 | 201
      /** The root element in XML. */
      readonly name: string
      readonly value: JsonMembers
      readonly headers?: Headers
    }
  /** A list of values that are not records. */
  | {
      readonly kind: 'list'
      readonly names: ListNames
      readonly entries: readonly Json[]
      readonly headers?: Headers
    }
  /** The same, still to come. */
  | {
      readonly kind: 'values'
      readonly names: ListNames
      readonly batches: AsyncIterable<readonly Json[]>
      readonly headers?: Headers
    }
  /** A page of groups of records. */
  | { readonly kind: 'groups'; readonly document: GroupsDocument; readonly headers?: Headers }
  /** The resources that the caller may read. */
  | { readonly kind: 'entry point'; readonly resources: readonly ResourceEntry[]; readonly headers?: Headers }
  /** A file or an export, sent as it is read. */
  | {
      readonly kind: 'bytes'
      /** 206: a part of it, as its headers say. */
      readonly status?: 200 | 206
      readonly mediaType: string
      readonly body: AsyncIterable<string | Buffer> | Buffer
      readonly etag?: string
      readonly headers?: Headers
    }
  /** A response as it is sent. The endpoint itself has chosen its media type. */
  | { readonly kind: 'response'; readonly response: Response }
  /** A document that has one form only, such as a schema. */
  | { readonly kind: 'text'; readonly mediaType: string; readonly body: string; readonly headers?: Headers }

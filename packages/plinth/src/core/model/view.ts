// What one caller sees of a resource, and the documents that formats write from it.

import type { JsonMembers } from './json.ts'
import type { StoredRecord } from './record.ts'
import type { Resource, ResourceField } from './resource.ts'

/** The fields of a resource that a caller may read, in order. Views are shared between callers of the same rights. */
export interface View {
  readonly resource: Resource
  /** The fields by name, in the order shown; `pk` comes first. Write-only fields are never among them. */
  readonly fields: ReadonlyMap<string, ResourceField>
}

/** What `include` fetched for one relation: the related records by the pk of the record that they belong to. */
export interface Included {
  readonly relation: ResourceField
  readonly view: View
  readonly byOwner: ReadonlyMap<string, readonly StoredRecord[]>
  readonly deeper: readonly Included[]
}

export interface ItemDocument {
  readonly view: View
  /** The record; null of an empty to-one relation. */
  readonly record: StoredRecord | null
  readonly included: readonly Included[]
  /** The address at which the document itself was requested, when that is not the record's own. */
  readonly self?: string
}

export interface Paging {
  readonly size: number
  /** Is null when paging by cursor. */
  readonly number: number | null
  /** Is null when the caller asked for no total. */
  readonly totalElements: number | null
  readonly totalPages: number | null
  /** The totals are estimates. */
  readonly estimated?: boolean
}

/** The links of a page that can be followed. */
export type PageLinks = { readonly [rel in 'self' | 'first' | 'prev' | 'next' | 'last']?: string }

/** Why a record was found by words. */
export interface WordMatch {
  readonly pk: string
  /** How well the record matches, in millionths. */
  readonly score: number
  /** The part of a text that has the words; null where no text that is shown has one. */
  readonly snippet: string | null
  /** Where found words begin and end in the snippet, in turn. */
  readonly marks: readonly number[]
}

/** Why a record is where it is in a ranking: by the words that it has, by its distance, or by both. */
export interface Match extends Partial<Omit<WordMatch, 'pk'>>, Pick<WordMatch, 'pk'> {
  /** Its distance from the vector of the search; null where it is not among the nearest. */
  readonly distance?: number | null
}

/** A page without its records: they are handed to the writer in batches. */
export interface PageDocument {
  readonly view: View
  /** Is null for searches by identifiers and full collections. */
  readonly paging: Paging | null
  readonly links: PageLinks
  /** In the order of the records, where the caller asks for it. */
  readonly matches?: readonly Match[]
}

/** A group of records, and what was computed of it. */
export interface ShownGroup {
  /** The values that the records have in common, as text: no two groups of an answer have the same. */
  readonly key: string
  readonly members: JsonMembers
}

/** A page of groups. */
export interface GroupsDocument extends Pick<PageDocument, 'paging' | 'links'> {
  readonly groups: readonly ShownGroup[]
}

// A format turns documents into text and bodies into input. A new format is a file that exports one, and its name in the list
// in `index.ts`: all that the service asks of formats is declared here.

import type { DescribedFormat } from '../model/description.ts'
import type { Json, JsonMembers } from '../model/json.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { ValueFault } from '../model/value-fault.ts'
import type { GroupsDocument, Included, ItemDocument, PageDocument } from '../model/view.ts'
import type { Fault, Problem } from '../problem.ts'
import type { MediaType } from './media-type.ts'

/** Writes one page: `open`, then `records` for each batch, then `held`, then `close`; joined they are the body. */
export interface PageWriter {
  open(): string
  records(batch: readonly StoredRecord[], included: readonly Included[]): string
  /** What could not be written before all records were known, in pieces. */
  rest?(): Iterable<string>
  close(): string
}

export interface ValuesWriter {
  open(): string
  entries(batch: readonly Json[]): string
  close(): string
}

/** The names of the list as a whole and of one entry; formats that name things use them. */
export interface ListNames {
  readonly list: string
  readonly entry: string
}

/** A resource that the caller may read, as the entry point describes it. */
export interface ResourceEntry {
  /** The last segment of its path. */
  readonly name: string
  readonly title: string
  readonly about: string
  /** The module that it belongs to. */
  readonly module: string
  readonly moduleTitle: string
  /** May the caller add records? */
  readonly create: boolean
}

/** RFC 9457 fields, with our `code` and `errors`. */
export interface ProblemDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string
  readonly instance?: string
  readonly code: Problem['code']
  readonly errors?: readonly Fault[]
  readonly errorLogId?: string
  readonly [extra: string]: unknown
}

/** A body before validation: fields by name as the caller sent them, wherever the format keeps them. */
export interface RecordInput {
  readonly pk: string | undefined
  /** Attributes and relations alike; relations as a pk, an object with `pk` or `id`, a list of these, or null. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The JSON Pointer of a field in the body as sent. */
  pointer(field: string): string
  /** JSON:API refuses unknown attributes; the other formats ignore them. */
  readonly refusesUnknown: boolean
  /** The service refuses unknown fields in every format. */
  readonly isStrict?: boolean
  /** What was wrong with fields before they were read as values, such as files that came with the record. */
  readonly refused?: ReadonlyMap<string, ValueFault>
  /** What slow work made of fields, before the transaction; it takes the place of what was sent. */
  readonly prepared?: ReadonlyMap<string, unknown>
}

export interface Format extends DescribedFormat {
  readonly name: string
  /** Other media types that callers use for it in `Accept`. */
  readonly aliases?: readonly string[]
  /** Can these parameters of its media type be honoured? Absent: they are ignored. */
  readonly supportsParameters?: (type: MediaType, extensions: readonly string[]) => boolean
  /** The extensions of the media type, for endpoints that use them. */
  readonly extensions?: readonly string[]
  /** How paging, filters and sorting are spelt in the query string: by plain names, or in brackets as in JSON:API. */
  readonly pageParameters: 'plain' | 'bracket'
  /** An empty relation and an update that changed nothing are answered with a document, where other formats answer 204. */
  readonly isAlwaysDocument?: boolean
  /** `base` is the service's own address without a slash at the end, such as `http://localhost:8080`. */
  item(document: ItemDocument, base: string): string
  page(document: PageDocument, base: string): PageWriter
  /** A page of groups of records. Absent where the format has no place for one. */
  readonly groups?: (document: GroupsDocument, base: string) => string
  /** A value that is no record, such as the outcome of an action. Absent where the format has no place for one (JSON:API). */
  readonly value?: (name: string, value: JsonMembers) => string
  /** A page without records, and beside it fields that tell about it. Absent where these stand for themselves (XML). */
  readonly explanation?: (page: PageDocument, fields: JsonMembers, base: string) => string
  /** A value about the request, in formats that have no other place for it. */
  readonly meta?: (value: JsonMembers) => string
  /** A list of such values; joined, what it writes is the body. */
  readonly values?: (names: ListNames) => ValuesWriter
  /** The document at the root of the API. */
  entryPoint(resources: readonly ResourceEntry[], base: string): string
  problem(document: ProblemDocument): string
  /** 401, 403 and 404 have a body for every caller, as the standard of the format asks. */
  readonly explainsRefusals?: boolean
  /** Parsed JSON → input; throws Problem. Absent where bodies are not accepted (XML). */
  readonly read?: (body: unknown, resource: Resource) => RecordInput
}

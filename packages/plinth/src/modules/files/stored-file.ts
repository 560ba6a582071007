// Files as values of fields: in records, in answers, and as callers send them.

/** A file that was uploaded for a field, or is its value already. */
export interface FileReference {
  readonly pk: string
}

/** A file as the value of a field. */
export interface StoredFile extends FileReference {
  /** The name that the sender gave it. */
  readonly name: string
  /** The media type, detected from the content. */
  readonly mediaType: string
  /** The size in bytes. */
  readonly size: number
  /** The pk of the record that has the file. */
  readonly record: string
}

/** A file as records show it. */
export interface ShownFile extends FileReference {
  readonly name: string
  readonly mediaType: string
  readonly size: number
  /** The path of its content. */
  readonly url: string
}

/** What callers send: the pk of a file, an object that has it, its address, or with the client library the file itself. */
export type SentFile = string | FileReference | Blob

/** Returns the address below the record that has the file. What no record has yet has no address. */
export const addressOfFile = ({ pk, record }: StoredFile, resource: string | null): string =>
  resource === null || record === '' ? pk : `/api/rest/${resource}/${encodeURIComponent(record)}/files/${pk}`

const isFile = (value: unknown): value is StoredFile => typeof value === 'object' && value !== null && 'pk' in value

/** The files in the value of a field, whether it has one or several. */
export const filesIn = (value: unknown): readonly StoredFile[] =>
  Array.isArray(value) ? value.filter(isFile) : isFile(value) ? [value] : []

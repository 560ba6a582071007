// Records with files: values that hold files are sent as a form, with the record in one part and each file in a part of its own.

import type { RequestOptions } from './request.ts'

type Values = Readonly<Record<string, unknown>>

const isFile = (value: unknown): value is Blob => typeof Blob !== 'undefined' && value instanceof Blob

const filesIn = (value: unknown): readonly Blob[] => [value].flat().filter(isFile)

const holdsFiles = (values: object): boolean => Object.values(values).some(value => filesIn(value).length > 0)

/** The body of a request that writes a record, with the media type of the record. */
export const toRecordBody = (values: object, type = 'application/json'): Pick<RequestOptions, 'body' | 'headers'> =>
  holdsFiles(values) ? { body: toForm(values, type) } : { body: values, headers: { 'Content-Type': type } }

const toForm = (values: object, type: string): FormData => {
  const form = new FormData()
  const record: Record<string, unknown> = {}
  const files: (readonly [field: string, file: Blob])[] = []
  for (const [name, value] of Object.entries(values as Values)) {
    const own = filesIn(value)
    files.push(...own.map(file => [name, file] as const))
    if (own.length === 0) record[name] = value
    // The service keeps the files that a list names, and adds those that come after them.
    else if (Array.isArray(value)) record[name] = value.filter(one => !isFile(one))
  }
  form.append('record', new Blob([JSON.stringify(record)], { type }))
  for (const [name, file] of files) form.append(name, file)
  return form
}

/** Records of a list are sent together, and no file can come with them. */
export const mustHoldNoFiles = (records: readonly object[]): void => {
  if (records.some(holdsFiles)) throw new TypeError('Records with files are created one by one, or after `upload`.')
}

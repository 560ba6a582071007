// Fields of files: `file()` and `image()`. A record holds what is known of its files; their content lies in the storage.

import { fault } from '../../core/fault.ts'
import type { Exactly, OptionNames, WrittenOptions } from '../../core/model/field-options.ts'
import { readAll } from '../../core/model/fields/structure.ts'
import { value, writtenOptions } from '../../core/model/fields/value.ts'
import type { JsonMembers, JsonSchema } from '../../core/model/json.ts'
import { ValueFault } from '../../core/model/value-fault.ts'
import type { FileLimits, ValueField, ValueType } from '../../core/model/value-field.ts'
import type { AllowedType, DetectedType } from './detect-type.ts'
import { fileHooks } from './field-hooks.ts'
import { addressOfFile, type FileReference, type SentFile, type ShownFile, type StoredFile } from './stored-file.ts'

type Options = Omit<WrittenOptions, 'writeOnly'>

/** The options of `file()`. */
export interface FileOptions extends Options {
  /** Media types that are allowed, by the content of the file; all by default. */
  readonly mediaTypes?: readonly AllowedType[]
  /** The maximum size of a file. The setting `app.files.maxBytes` limits all. */
  readonly maxBytes?: number
  /** The field has a list of files. */
  readonly several?: boolean
  /** How many files the list can have: 20 by default. */
  readonly most?: number
}

/** The options of `image()`. */
export interface ImageOptions extends Omit<FileOptions, 'mediaTypes'> {
  /** By default PNG, JPEG, GIF and WebP. */
  readonly mediaTypes?: readonly Extract<DetectedType, `image/${string}`>[]
}

const { writeOnly: _, ...usualOptions } = writtenOptions

const fileOptions: OptionNames<FileOptions> = {
  ...usualOptions,
  mediaTypes: true,
  maxBytes: true,
  several: true,
  most: true,
}

/** A list is empty unless files are sent. */
type ListOptions<O> = O & { readonly default: readonly [] }

/** The types of a field of `T` with these options. */
type TypesOf<T, O> =
  ReturnType<typeof value<T, O>> extends ValueField<infer Read, infer Input, infer Output, infer Sent>
    ? { readonly read: Read; readonly input: Input; readonly output: Output; readonly sent: Sent }
    : never

type FileField<O> = O extends { readonly several: true }
  ? ValueField<
      TypesOf<readonly StoredFile[], ListOptions<O>>['read'],
      Exclude<TypesOf<readonly FileReference[], ListOptions<O>>['input'], null>,
      TypesOf<readonly ShownFile[], ListOptions<O>>['output'],
      Exclude<TypesOf<readonly SentFile[], ListOptions<O>>['sent'], null>
    >
  : ValueField<
      TypesOf<StoredFile, O>['read'],
      TypesOf<FileReference, O>['input'],
      TypesOf<ShownFile, O>['output'],
      TypesOf<SentFile, O>['sent']
    >

/**
 * A file, or several: `file({ mediaTypes: ['application/pdf'], maxBytes: 5_000_000 })`, `file({ several: true, most: 5 })`. Callers send files
 * with the record, or upload them first and refer to them.
 *
 * @example file({ mediaTypes: ['application/pdf'], maxBytes: 5_000_000 })
 */
export const file = <const O extends FileOptions = Record<never, never>>(
  options?: Exactly<O, FileOptions>,
): FileField<O> => fieldOf<O>('file', options ?? {}, false)

/**
 * An image, or several, of which there are previews. It is decoded when it arrives, so that it can be shown.
 *
 * @example image()
 */
export const image = <const O extends ImageOptions = Record<never, never>>(
  options?: Exactly<O, ImageOptions>,
): FileField<O> => fieldOf<O>('image', options ?? {}, true)

const defaultMost = 20

const fieldOf = <O>(name: string, options: FileOptions, areImages: boolean): FileField<O> => {
  const { mediaTypes, maxBytes, several = false, most = defaultMost, ...others } = options
  const limits: FileLimits = {
    mediaTypes: mediaTypes ?? (areImages ? ['image/*'] : null),
    maxBytes: maxBytes ?? null,
    most: several ? most : null,
    areImages,
  }
  const names = { ...fileOptions, default: true } as const
  const field = several
    ? value(listType(name, limits, null), { ...others, default: [] }, names)
    : value(oneType(name, limits, null), others, names)
  return {
    ...field,
    hooks: (field: string) => fileHooks(field, { ...limits, required: options.required === true }),
  } as FileField<O>
}

const unsearchable = (): never => {
  throw new ValueFault(fault('unsearchable'))
}

const common = {
  column: 'json',
  readText: unsearchable,
  wildcards: false,
  staysOnRestore: true,
  isBulky: false,
} as const

const oneType = (name: string, file: FileLimits, resource: string | null): ValueType<StoredFile> => ({
  ...common,
  name,
  file,
  widget: name,
  schema: schemaOf(file),
  read: readReference,
  keep: (input, before) => (before?.pk === input.pk ? before : input),
  show: stored => show(stored, resource),
  cell: stored => addressOfFile(stored, resource),
  inResource: of => oneType(name, file, of),
})

const listType = (name: string, file: FileLimits, resource: string | null): ValueType<readonly StoredFile[]> => ({
  ...common,
  name: `${name}s`,
  file,
  widget: `${name}s`,
  schema: { type: 'array', items: schemaOf(file), maxItems: file.most ?? defaultMost },
  read: input => {
    if (!Array.isArray(input)) throw new ValueFault(fault('list'))
    const max = file.most ?? defaultMost
    if (input.length > max) throw new ValueFault(fault('max_entries', { max }))
    const files = readAll(input.entries(), readReference)
    if (new Set(files.map(({ pk }) => pk)).size < files.length) throw new ValueFault(fault('duplicate_entry'))
    return files
  },
  keep: (input, before) => input.map(one => before?.find(({ pk }) => pk === one.pk) ?? one),
  show: stored => stored.map(one => show(one, resource)),
  cell: stored => stored.map(one => addressOfFile(one, resource)),
  inResource: of => listType(name, file, of),
})

/** A key of the storage. */
const key = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** What is known of the file is never taken from a caller: hooks find it by the pk. */
const readReference = (input: unknown): StoredFile => {
  const sent = typeof input === 'object' && input !== null && 'pk' in input ? input.pk : input
  const pk = typeof sent === 'string' ? sent.slice(sent.lastIndexOf('/') + 1) : ''
  if (!key.test(pk)) throw new ValueFault(fault('reference'))
  return { pk, name: '', mediaType: '', size: 0, record: '' }
}

const show = (stored: StoredFile, resource: string | null): JsonMembers => {
  const { pk, name, mediaType, size } = stored
  return name === '' ? { pk } : { pk, name, mediaType, size, url: addressOfFile(stored, resource) }
}

const schemaOf = ({ mediaTypes, maxBytes }: FileLimits): JsonSchema => ({
  type: 'object',
  properties: {
    pk: { type: 'string', description: 'The pk of a file that was uploaded for this field, or that it has already.' },
    name: { type: 'string', readOnly: true },
    mediaType: { type: 'string', readOnly: true },
    size: { type: 'integer', minimum: 0, readOnly: true },
    url: { type: 'string', format: 'uri-reference', readOnly: true },
  },
  required: ['pk'],
  'x-file': { ...(mediaTypes && { mediaTypes: [...mediaTypes] }), ...(maxBytes !== null && { maxBytes }) },
})

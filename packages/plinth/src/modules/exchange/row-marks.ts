// What rows of one file have to do with each other: the values that identify the record of a row, and those by which a row refers to
// records that other rows may create.

import type { FileRow } from '../../core/formats/files/file-format.ts'
import type { Resource } from '../../core/model/resource.ts'
import type { RowRun } from './import-columns.ts'

/** Texts such as `isbn=1234567890`. Values that are equal in the database have equal texts; the reverse need not be true. */
export interface RowMarks {
  /** What identifies the record of the row. */
  readonly own: readonly string[]
  /** What the row refers to. */
  readonly others: readonly string[]
}

type Marker = (row: FileRow) => RowMarks

const markOf = (names: readonly string[], values: readonly string[]): string =>
  `${names.join('+')}=${values.join('\u0000')}`

/** Case and space may or may not count: here they never do. */
const plain = (cell: unknown): string =>
  (typeof cell === 'object' ? JSON.stringify(cell) : String(cell)).trim().toLowerCase()

const isEmpty = (cell: unknown): boolean => cell === null || cell === undefined || cell === ''

/** A list of pks, in the forms that cells can have. */
const listIn = (cell: unknown): readonly string[] =>
  Array.isArray(cell)
    ? cell.map(plain)
    : plain(cell)
        .replace(/^\[|\]$/g, '')
        .split(/[;,]/)
        .map(one => plain(one.replaceAll('"', '')))

/** Fields whose values no two records share, each alone or several together. */
const identities = ({ definition, fields, pk }: Resource, key: readonly string[]): readonly (readonly string[])[] => {
  const { identifier, uniqueTogether = [] } = definition
  const unique = [...fields.values()].filter(({ definition: field }) => field.options.unique).map(({ name }) => [name])
  const composed = identifier.kind === 'composite' ? [identifier.by] : []
  const derived =
    identifier.kind === 'shared' ? [[identifier.by]] : identifier.kind === 'hashed' ? [[identifier.of]] : []
  return [[pk.name], ...unique, ...composed, ...derived, ...uniqueTogether, ...(key.length > 0 ? [key] : [])]
}

export const createMarker = ({ resource, key, columnOf }: RowRun): Marker => {
  const groups = identities(resource, key)
  /** Fields by which rows refer to records of the same resource. */
  const referredBy = new Set<string>()
  const holder = resource.holder
  return ({ cells }) => {
    const [values, others] = [new Map<string, string>(), [] as string[]]
    for (const [header, cell] of Object.entries(cells)) {
      const column = columnOf(header)
      if (!column) continue
      const { field, by } = column
      const isOfOwn = field.target !== null && field.target.holder === holder
      const name = by?.name ?? resource.pk.name
      if (isOfOwn && by) referredBy.add(name)
      if (isEmpty(cell)) continue
      values.set(field.name, plain(cell))
      if (!isOfOwn) continue
      for (const one of field.definition.role === 'links' ? listIn(cell) : [plain(cell)])
        others.push(markOf([name], [one]))
    }
    const own = [...groups, ...[...referredBy].map(name => [name])].flatMap(names => {
      const found = names.flatMap(name => values.get(name) ?? [])
      return found.length === names.length ? [markOf(names, found)] : []
    })
    return { own, others }
  }
}

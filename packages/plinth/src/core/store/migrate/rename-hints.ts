// Columns and tables that the model does not know, beside new ones that look like them: they may have been renamed. Nothing is renamed by
// guessing, so a person is reported how to say so.

import type { DatabaseDialect } from '../driver.ts'
import type { FoundColumn, FoundTable } from './catalogue.ts'
import type { Table, TableColumn } from './table.ts'
import type { TableChange } from './table-change.ts'

const ofColumns = (change: TableChange, dialect: DatabaseDialect): string[] => [
  ...notDeclared(change, dialect),
  ...notRenamed(change),
]

const notDeclared = ({ table, unwanted, added }: TableChange, dialect: DatabaseDialect): string[] =>
  unwanted.flatMap(column => {
    const alike = added.filter(one => one.foldOf === null && isAlike(one, column, dialect))
    const [first] = alike
    if (!first) return []
    const names = alike.map(({ name }) => `${table.name}.${name}`).join(' or ')
    return [
      `${table.name}.${column.name} is not in the model, and ${names} is new: if the field was renamed, ` +
        `declare renamedFrom: '${column.name}' before you migrate`,
    ]
  })

/** A field keeps its values as long as it is in the model. */
const notRenamed = ({ table, added }: TableChange): string[] =>
  added.flatMap(({ name, foldOf, formerNames }) => {
    const former = foldOf === null && formerNames.find(one => table.columns.some(column => column.name === one))
    if (!former) return []
    return [
      `${table.name}.${name} begins without values: it has renamedFrom: '${former}', but ${former} is still a field of the model. ` +
        `To keep the values, rename the field first, and add a new ${former} in the next release`,
    ]
  })

const isAlike = (added: TableColumn, { type, reference }: FoundColumn, dialect: DatabaseDialect): boolean =>
  dialect.schema.columnTypes[added.type] === type && reference?.table === added.references?.table

/** Nearly all tables have them. */
const usual = new Set(['pk', 'version', 'createdDate', 'lastModifiedDate', 'createdBy', 'lastModifiedBy'])

const isOwn = ({ name }: { readonly name: string }): boolean => !usual.has(name)

/** Finds tables that were renamed, most of whose columns have to be the same. */
const ofTables = (missing: readonly Table[], strangers: readonly FoundTable[], dialect: DatabaseDialect): string[] =>
  strangers.flatMap(({ name, columns }) => {
    const found = [...columns.values()].filter(isOwn)
    const alike = missing.find(table => {
      const own = table.columns.filter(isOwn)
      const same = own.filter(column => columns.get(column.name)?.type === dialect.schema.columnTypes[column.type])
      return !table.pairs && same.length * 2 > Math.max(own.length, found.length)
    })
    if (!alike) return []
    return [
      `the table ${name} is not in the model, and ${alike.name} is new: if the resource was renamed, ` +
        `declare renamedFrom: '${name}' before you migrate`,
    ]
  })

export const renameHints = { ofColumns, ofTables }

// biome-ignore-all lint/a11y/noRedundantRoles: browsers forget the roles of a table that is not laid out as one
// A table that becomes a list of cards where there is no room for columns.

import type { ReactNode } from 'react'
import classes from './row-table.module.css'

export interface Column<T> {
  readonly label: string
  readonly cell: (row: T) => ReactNode
  readonly isNumber?: boolean
}

interface RowTableProps<T> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** A last row that sums up. */
  readonly sums?: T
}

export const RowTable = <T,>({ label, columns, rows, keyOf, sums }: RowTableProps<T>) => {
  const row = (one: T, isSum: boolean) => (
    <tr key={keyOf(one)} role="row" className={isSum ? classes.sum : undefined}>
      {columns.map(({ label, cell, isNumber }, at) => (
        <td
          key={label}
          role={at === 0 ? 'rowheader' : 'cell'}
          data-label={label}
          className={isNumber ? classes.number : undefined}
        >
          {cell(one)}
        </td>
      ))}
    </tr>
  )
  return (
    <table role="table" aria-label={label} className={classes.table}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ label, isNumber }) => (
            <th key={label} role="columnheader" scope="col" className={isNumber ? classes.number : undefined}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map(one => row(one, false))}
        {sums !== undefined && row(sums, true)}
      </tbody>
    </table>
  )
}

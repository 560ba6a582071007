// biome-ignore-all lint/a11y/noRedundantRoles: browsers forget the roles of a table that is not laid out as one
// A table that becomes a list of cards where there is no room for columns.

import type { ReactNode } from 'react'
import classes from './row-table.module.css'

export interface RowColumn<T> {
  readonly label: string
  readonly cell: (row: T) => ReactNode
  readonly isNumber?: boolean
}

interface RowTableProps<T> {
  readonly label: string
  readonly columns: readonly RowColumn<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** A last row that sums up. */
  readonly sums?: T
  /** Says that the columns are few and short: there is always room for them. */
  readonly isSmall?: boolean
}

/** The sign of an empty value; left out where each cell takes a line. */
export const nothing = '–'

export const RowTable = <T,>(props: RowTableProps<T>) => {
  const { label, columns, rows, keyOf, sums, isSmall = false } = props
  const row = (one: T, isSum: boolean) => (
    <tr key={keyOf(one)} role="row" className={isSum ? classes.sum : undefined}>
      {columns.map(({ label, cell, isNumber }, at) => {
        const content = cell(one)
        return (
          <td
            key={label}
            role={at === 0 ? 'rowheader' : 'cell'}
            data-label={label}
            data-nothing={content === nothing || undefined}
            className={isNumber ? classes.number : undefined}
          >
            {content}
          </td>
        )
      })}
    </tr>
  )
  return (
    <table role="table" aria-label={label} className={`${classes.table} ${isSmall ? '' : classes.wide}`}>
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

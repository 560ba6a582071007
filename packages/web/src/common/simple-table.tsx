// A table of what is at hand. On a phone each row becomes a card, since sideways scrolling hides what belongs together.

import { Box, Table, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './simple-table.module.css'

export interface SimpleColumn<T> {
  readonly key: string
  readonly title: string
  readonly render: (row: T) => ReactNode
  /** The title is there for those who hear it; the cells speak for themselves. */
  readonly hideTitle?: boolean
  readonly align?: 'right'
  /** Does not break into lines. */
  readonly nowrap?: boolean
  readonly width?: number | string
}

interface SimpleTableProps<T> {
  /** What the table is about, for those who hear it. */
  readonly caption: string
  readonly columns: readonly SimpleColumn<T>[]
  readonly rows: readonly T[]
  readonly rowKey: (row: T) => string
}

/** A table laid out in blocks is no table to a screen reader any more, unless its roles are spelled out. */
export const SimpleTable = <T,>({ caption, columns, rows, rowKey }: SimpleTableProps<T>) => (
  <Box className="surface" style={{ overflow: 'hidden' }}>
    <Table className={classes.table ?? ''} verticalSpacing="xs" horizontalSpacing="md" role="table">
      <caption className={classes.caption}>{caption}</caption>
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map(({ key, title, hideTitle, align, width }) => (
            <Table.Th key={key} role="columnheader" scope="col" data-align={align} w={width}>
              {hideTitle ? <VisuallyHidden>{title}</VisuallyHidden> : title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map(row => (
          <Table.Tr key={rowKey(row)} role="row">
            {columns.map(({ key, title, render, hideTitle, align, nowrap }) => (
              <Table.Td
                key={key}
                role="cell"
                data-align={align}
                data-title={hideTitle ? undefined : title}
                data-nowrap={nowrap || undefined}
              >
                <div>{render(row)}</div>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Box>
)

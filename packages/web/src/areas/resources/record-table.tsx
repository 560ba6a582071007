// A list of records of any length. It is a table to those who hear it, and draws only the rows in sight.

import { useMediaQuery } from '@mantine/hooks'
import { type CSSProperties, type ReactNode, useCallback, useRef } from 'react'
import type { Item } from '../../api/records.ts'
import { keepPlace, placeAt } from '../../common/places.ts'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { resourceTexts } from '../../common/records/dictionary.ts'
import type { FieldWithWidget } from '../../common/records/widgets/widget.ts'
import { useText } from '../../i18n/dictionary.ts'
import { HeaderPick, RowPick } from './bulk/pick.tsx'
import type { RowSelection } from './bulk/use-selection.ts'
import { HeaderRow, RecordRow } from './record-row.tsx'
import classes from './record-table.module.css'
import { useRowWindow } from './use-row-window.ts'
import { pathOf, type RowList, useRows, useTotal } from './use-rows.ts'
import { usePlaceEntry } from './way-back.ts'

export interface RecordTableProps {
  readonly title: string
  readonly listing: RowList
  readonly columns: readonly FieldWithWidget[]
  readonly onSort: (sort: string) => void
  /** The content of an empty table. */
  readonly empty: ReactNode
  /** The selected rows, where rows can be selected. */
  readonly selection?: RowSelection | undefined
}

/** The width in rem; what is left over is shared in proportion. */
const widthOf = ({ widget: { width = 10 } }: FieldWithWidget, at: number): number => (at === 0 ? 14 : width)

const rowHeights = { row: 40, card: 64 } as const
/** The number of rows shown as outlines until the records are counted. */
const guess = 100

/** Returns the place in the list to begin at, and a function that notes the present one. */
const useKeptPlace = (listing: RowList, total: number | null) => {
  const { filter, search = '', similar = '', sort } = listing
  const { from, key } = usePlaceEntry()
  const list = `${pathOf(listing)} ${filter} ${search} ${similar} ${sort}`
  const kept = placeAt(`${from} ${list}`)
  const count = total ?? kept?.count ?? guess
  const onMove = useCallback((top: number) => keepPlace(`${key} ${list}`, { top, count }), [key, list, count])
  return { startTop: kept?.top ?? 0, count, onMove }
}

export const RecordTable = (props: RecordTableProps) => {
  const { title, listing, columns, onSort, empty, selection } = props
  const t = useText(resourceTexts)
  const viewport = useRef<HTMLElement>(null)
  const isCard = useMediaQuery('(max-width: 48em)') ?? false
  const rowHeight = isCard ? rowHeights.card : rowHeights.row
  const { total, error: uncounted } = useTotal(listing)
  const place = useKeptPlace(listing, total)
  const { first, last, height, offset, onScroll } = useRowWindow(viewport, { ...place, rowHeight })
  const { rowAt, error, retry } = useRows(listing, first, last)
  const problem = error ?? uncounted
  if (problem) return <ProblemAlert error={problem} onRetry={retry} />
  if (total === 0) return empty
  const rowCount = Math.max(0, last - first + 1)
  const sizes = columns.map(widthOf)
  const isNarrow = isCard ? undefined : { minWidth: `${sizes.reduce((sum, size) => sum + size, 0)}rem` }
  const pickOf = (row: Item | undefined, index: number) =>
    selection && <RowPick selection={selection} row={row} index={index} />
  return (
    <section
      ref={viewport}
      className={classes.viewport}
      onScroll={onScroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      aria-label={t('table', { title })}
    >
      <table className={classes.table} aria-rowcount={total === null ? -1 : total + 1} style={isNarrow}>
        <colgroup>
          {selection && <col className={classes.pickColumn} />}
          {isCard ? <col /> : columns.map(({ name }, at) => <col key={name} style={{ width: `${sizes[at]}rem` }} />)}
        </colgroup>
        <thead className={isCard ? classes.hidden : classes.head}>
          <HeaderRow
            pick={selection && <HeaderPick selection={selection} total={total} isHidden={isCard} />}
            columns={columns}
            sort={listing.sort}
            onSort={onSort}
          />
        </thead>
        <tbody style={{ '--row': `${rowHeight}px` } as CSSProperties}>
          <tr aria-hidden style={{ height: offset }} />
          {Array.from({ length: rowCount }, (_, at) => first + at).map(index => {
            const row = rowAt(index)
            return (
              <RecordRow
                key={index}
                pick={pickOf(row, index)}
                isSelected={row !== undefined && selection?.records.has(row.pk) === true}
                row={row}
                index={index}
                resource={listing.resource}
                columns={columns}
                isCard={isCard}
              />
            )
          })}
          <tr aria-hidden style={{ height: Math.max(0, height - offset - rowCount * rowHeight) }} />
        </tbody>
      </table>
    </section>
  )
}

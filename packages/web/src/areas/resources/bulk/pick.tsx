// The boxes by which rows of a list are selected. There is one for each row in sight, so they are those of the browser.

import { VisuallyHidden } from '@mantine/core'
import { useRef } from 'react'
import type { Item } from '../../../api/records.ts'
import { useText } from '../../../i18n/dictionary.ts'
import classes from '../record-table.module.css'
import { bulkTexts } from './dictionary.ts'
import { mostSelected, type RowSelection } from './use-selection.ts'

interface RowPickProps {
  readonly selection: RowSelection
  readonly row: Item | undefined
  readonly index: number
}

export const RowPick = ({ selection, row, index }: RowPickProps) => {
  const t = useText(bulkTexts)
  // The change itself does not say which keys are down.
  const isRange = useRef(false)
  return (
    <td className={classes.pick}>
      {row && (
        <label>
          <input
            type="checkbox"
            aria-label={t('select', { title: selection.titleOf(row) })}
            checked={selection.records.has(row.pk)}
            onClick={event => {
              isRange.current = event.shiftKey
            }}
            onChange={() => selection.toggle(index, row, isRange.current)}
          />
        </label>
      )}
    </td>
  )
}

interface HeaderPickProps {
  readonly selection: RowSelection
  readonly total: number | null
  /** Is the head of the table for readers of the screen alone? The bar of the selection offers the same. */
  readonly isHidden: boolean
}

export const HeaderPick = ({ selection, total, isHidden }: HeaderPickProps) => {
  const t = useText(bulkTexts)
  const { size } = selection.records
  const isWhole = total !== null && size >= Math.min(total, mostSelected)
  return (
    <th scope="col" className={classes.pick}>
      {isHidden || total === null ? (
        <VisuallyHidden>{t('selection')}</VisuallyHidden>
      ) : (
        <label>
          <input
            type="checkbox"
            aria-label={
              total > mostSelected ? t('selectFirst', { count: mostSelected }) : t('selectAll', { count: total })
            }
            checked={isWhole}
            ref={box => {
              if (box) box.indeterminate = size > 0 && !isWhole
            }}
            onChange={() => (isWhole ? selection.clear() : selection.selectAll(total))}
          />
        </label>
      )}
    </th>
  )
}

// One row of a list, and the row of headings.

import { Skeleton, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { Fragment, type MouseEvent, type ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Item } from '../../api/records.ts'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { shortId, useWords, valueText } from '../../common/records/value-text.ts'
import type { FieldWithWidget } from '../../common/records/widgets/widget.ts'
import { useText } from '../../i18n/dictionary.ts'
import classes from './record-table.module.css'

interface HeaderProps {
  /** The cell of the selection, where rows can be selected. */
  readonly pick?: ReactNode
  readonly columns: readonly FieldWithWidget[]
  readonly sort: string
  readonly onSort: (sort: string) => void
}

export const HeaderRow = ({ pick, columns, sort, onSort }: HeaderProps) => {
  const t = useText(resourceTexts)
  const [first = ''] = sort.split(',')
  return (
    <tr aria-rowindex={1}>
      {pick}
      {columns.map(column => {
        const { name, sortable } = column
        const isUp = first === name
        const isDown = first === `-${name}`
        const order = isUp ? 'ascending' : isDown ? 'descending' : 'none'
        return (
          <th key={name} scope="col" aria-sort={sortable ? order : undefined} className={classes.cell}>
            {sortable ? (
              <UnstyledButton
                className={classes.sort}
                onClick={() => onSort(isUp ? `-${name}` : name)}
                title={t('sortBy', { label: column.label })}
              >
                <span className={classes.heading}>{column.label}</span>
                {isUp && <IconArrowUp size={14} aria-hidden />}
                {isDown && <IconArrowDown size={14} aria-hidden />}
              </UnstyledButton>
            ) : (
              column.label
            )}
          </th>
        )
      })}
    </tr>
  )
}

interface RowProps {
  /** The cell of the selection, where rows can be selected. */
  readonly pick?: ReactNode
  readonly isSelected?: boolean
  readonly row: Item | undefined
  readonly index: number
  readonly resource: string
  readonly columns: readonly FieldWithWidget[]
  readonly isCard: boolean
}

export const RecordRow = ({ pick, isSelected = false, row, index, resource, columns, isCard }: RowProps) => {
  const words = useWords()
  const navigate = useNavigate()
  if (!row) {
    return (
      <tr aria-rowindex={index + 2} aria-busy="true" className={classes.row}>
        {pick}
        <td colSpan={isCard ? 1 : columns.length} className={classes.cell}>
          <Skeleton height={12} width="60%" />
        </td>
      </tr>
    )
  }
  const to = `/resources/${resource}/${encodeURIComponent(row.pk)}`
  const [head, ...others] = columns.map(column => valueText(row[column.name], column, words))
  const open = (event: MouseEvent) => {
    // The link does it by itself, the selection does something else, and text that is being marked is not a press.
    if (!(event.target as Element).closest('a, label') && !getSelection()?.toString()) navigate(to)
  }
  const link = (
    <Link to={to} className={classes.link}>
      <bdi>{head || shortId(row.pk)}</bdi>
    </Link>
  )
  return (
    // The link in the first cell is the way for the keyboard.
    <tr aria-rowindex={index + 2} className={classes.row} data-selected={isSelected || undefined} onClick={open}>
      {pick}
      {isCard ? (
        <td className={classes.cell}>
          <div className={classes.line} dir="auto">
            {link}
          </div>
          <Summary texts={others} />
        </td>
      ) : (
        <>
          <td className={classes.cell} dir="auto">
            {link}
          </td>
          {others.map((text, at) => (
            <td
              key={columns[at + 1]?.name}
              className={classes.cell}
              data-numeric={columns[at + 1]?.widget.isNumeric}
              // The text is cut at its end, which is its left where one writes from right to left.
              dir="auto"
              title={text.length > 30 ? text : undefined}
            >
              {text}
            </td>
          ))}
        </>
      )}
    </tr>
  )
}

/** What a phone has room for, each part in its own direction. */
const Summary = ({ texts }: { readonly texts: readonly string[] }) => (
  <div className={classes.rest}>
    {texts
      .filter(text => text !== '')
      .slice(0, 3)
      .map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns keep their order, and two may hold the same text
        <Fragment key={at}>
          {at > 0 && ' · '}
          <bdi>{text}</bdi>
        </Fragment>
      ))}
  </div>
)

// Names and values side by side.

import { Table } from '@mantine/core'
import { isRelated, shortId, useWords } from '../value-text.ts'

interface PartsProps {
  readonly value: object
  /** Names a part in words, if the service chose the names of the parts. */
  readonly toName?: (key: string) => string
}

export const Parts = ({ value, toName = key => key }: PartsProps) => {
  const { yes, no } = useWords()
  const show = (part: unknown): string => {
    if (typeof part === 'boolean') return part ? yes : no
    if (typeof part !== 'object' || part === null) return String(part ?? '–')
    return isRelated(part) ? shortId(part.pk) : JSON.stringify(part)
  }
  return (
    <Table withRowBorders={false} verticalSpacing={2} layout="auto">
      <Table.Tbody>
        {Object.entries(value).map(([key, part]) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" fw={500} c="dimmed" ps={0} w="1%" style={{ whiteSpace: 'nowrap' }}>
              {toName(key)}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{show(part)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

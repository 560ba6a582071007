// Two people changed the same record: both versions side by side, and a choice for each field.

import { Button, Group, Radio, Stack, Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { Dialog } from '../../common/dialog.tsx'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { type FormValues, isSame, toBodyValue } from '../../common/records/form-values.ts'
import { useWords, valueText } from '../../common/records/value-text.ts'
import type { FieldWithWidget } from '../../common/records/widgets/widget.ts'
import { useText } from '../../i18n/dictionary.ts'

export interface Conflict {
  /** What the form began with. */
  readonly base: FormValues
  readonly mine: FormValues
  readonly theirs: FormValues
}

type Side = 'mine' | 'theirs'

const differs = (field: FieldWithWidget, one: FormValues, other: FormValues): boolean =>
  !isSame(toBodyValue(one[field.name], field), toBodyValue(other[field.name], field))

/** Fields that have two versions now. */
export const contested = (fields: readonly FieldWithWidget[], { mine, theirs }: Conflict): readonly FieldWithWidget[] =>
  fields.filter(field => !field.writeOnly && differs(field, mine, theirs))

/** What only one of the two touched is theirs to keep. */
const likelySide = (field: FieldWithWidget, { base, mine }: Conflict): Side =>
  differs(field, base, mine) ? 'mine' : 'theirs'

const wrapped = { overflowWrap: 'anywhere', hyphens: 'auto', verticalAlign: 'top' } as const

interface VersionsProps {
  readonly field: FieldWithWidget
  readonly conflict: Conflict
  readonly chosen: Side
  readonly isNarrow: boolean
  readonly onChoose: (side: Side) => void
}

const Versions = ({ field, conflict, chosen, isNarrow, onChoose }: VersionsProps) => {
  const t = useText(resourceTexts)
  const words = useWords()
  const name = field.label
  const header = (
    <Table.Th scope={isNarrow ? 'rowgroup' : 'row'} colSpan={isNarrow ? 2 : 1} style={wrapped}>
      {name}
    </Table.Th>
  )
  return (
    <>
      {isNarrow && <Table.Tr>{header}</Table.Tr>}
      <Table.Tr>
        {!isNarrow && header}
        {(['mine', 'theirs'] as const).map(side => {
          const text = valueText(conflict[side][field.name], field, words) || t('empty')
          return (
            <Table.Td key={side} style={wrapped}>
              <Radio
                name={field.name}
                label={text}
                aria-label={`${name}: ${t(side)}: ${text}`}
                checked={chosen === side}
                onChange={() => onChoose(side)}
              />
            </Table.Td>
          )
        })}
      </Table.Tr>
    </>
  )
}

interface ConflictModalProps {
  readonly fields: readonly FieldWithWidget[]
  readonly conflict: Conflict
  readonly onClose: () => void
  readonly onDrop: () => void
  readonly onMerge: (values: FormValues) => void
}

export const ConflictModal = ({ fields, conflict, onClose, onDrop, onMerge }: ConflictModalProps) => {
  const t = useText(resourceTexts)
  // There is no room for three columns: the name of a field stands above its two versions.
  const isNarrow = useMediaQuery('(max-width: 36em)') ?? false
  const open = contested(fields, conflict)
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>(() =>
    Object.fromEntries(open.map(field => [field.name, likelySide(field, conflict)])),
  )
  const merge = () => {
    const chosen = open.map(({ name }) => [name, conflict[sides[name] ?? 'theirs'][name]])
    onMerge({ ...conflict.mine, ...Object.fromEntries(chosen) })
  }
  return (
    <Dialog opened onClose={onClose} size="xl" title={t('conflictTitle')}>
      <Stack>
        <Text size="sm">{t('conflictText')}</Text>
        <Table withTableBorder withColumnBorders layout="fixed">
          <Table.Thead>
            <Table.Tr>
              {!isNarrow && <Table.Th>{t('field')}</Table.Th>}
              <Table.Th>{t('mine')}</Table.Th>
              <Table.Th>{t('theirs')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {open.map(field => (
              <Versions
                key={field.name}
                field={field}
                conflict={conflict}
                chosen={sides[field.name] ?? 'theirs'}
                isNarrow={isNarrow}
                onChoose={side => setSides({ ...sides, [field.name]: side })}
              />
            ))}
          </Table.Tbody>
        </Table>
        <Group justify="flex-end">
          <Button variant="default" onClick={onDrop}>
            {t('takeTheirs')}
          </Button>
          <Button onClick={merge}>{t('saveMerged')}</Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

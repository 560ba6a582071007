// Two people changed the same record: both versions side by side, and a choice for each member.

import { Button, Group, Modal, Radio, Stack, Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { commonTexts } from '../../common/dictionary.ts'
import { useText } from '../../i18n/dictionary.ts'
import { resourceTexts } from './dictionary.ts'
import { type FormValues, isSame, toBodyValue } from './form-values.ts'
import { useWords, valueText } from './value-text.ts'
import type { FieldWithWidget } from './widgets/widget.ts'

export interface Conflict {
  /** What the form began with. */
  readonly base: FormValues
  readonly mine: FormValues
  readonly theirs: FormValues
}

type Side = 'mine' | 'theirs'

const differs = (member: FieldWithWidget, one: FormValues, other: FormValues): boolean =>
  !isSame(toBodyValue(one[member.name], member), toBodyValue(other[member.name], member))

/** Members that have two versions now. */
export const contested = (
  members: readonly FieldWithWidget[],
  { mine, theirs }: Conflict,
): readonly FieldWithWidget[] => members.filter(member => !member.writeOnly && differs(member, mine, theirs))

/** What only one of the two touched is theirs to keep. */
const likelySide = (member: FieldWithWidget, { base, mine }: Conflict): Side =>
  differs(member, base, mine) ? 'mine' : 'theirs'

const wrapped = { overflowWrap: 'anywhere', hyphens: 'auto', verticalAlign: 'top' } as const

interface VersionsProps {
  readonly member: FieldWithWidget
  readonly conflict: Conflict
  readonly chosen: Side
  readonly isNarrow: boolean
  readonly onChoose: (side: Side) => void
}

const Versions = ({ member, conflict, chosen, isNarrow, onChoose }: VersionsProps) => {
  const t = useText(resourceTexts)
  const words = useWords()
  const name = member.label
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
          const text = valueText(conflict[side][member.name], member, words) || t('empty')
          return (
            <Table.Td key={side} style={wrapped}>
              <Radio
                name={member.name}
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
  readonly members: readonly FieldWithWidget[]
  readonly conflict: Conflict
  readonly onClose: () => void
  readonly onDrop: () => void
  readonly onMerge: (values: FormValues) => void
}

export const ConflictModal = ({ members, conflict, onClose, onDrop, onMerge }: ConflictModalProps) => {
  const t = useText(resourceTexts)
  const common = useText(commonTexts)
  // There is no room for three columns: the name of a member stands above its two versions.
  const isNarrow = useMediaQuery('(max-width: 36em)') ?? false
  const open = contested(members, conflict)
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>(() =>
    Object.fromEntries(open.map(member => [member.name, likelySide(member, conflict)])),
  )
  const merge = () => {
    const chosen = open.map(({ name }) => [name, conflict[sides[name] ?? 'theirs'][name]])
    onMerge({ ...conflict.mine, ...Object.fromEntries(chosen) })
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t('conflictTitle')}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <Stack>
        <Text size="sm">{t('conflictText')}</Text>
        <Table withTableBorder withColumnBorders layout="fixed">
          <Table.Thead>
            <Table.Tr>
              {!isNarrow && <Table.Th>{t('member')}</Table.Th>}
              <Table.Th>{t('mine')}</Table.Th>
              <Table.Th>{t('theirs')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {open.map(member => (
              <Versions
                key={member.name}
                member={member}
                conflict={conflict}
                chosen={sides[member.name] ?? 'theirs'}
                isNarrow={isNarrow}
                onChoose={side => setSides({ ...sides, [member.name]: side })}
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
    </Modal>
  )
}

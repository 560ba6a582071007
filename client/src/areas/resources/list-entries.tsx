// What the inputs of several entries have in common.

import { ActionIcon, Button, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useText } from '../../i18n/dictionary.ts'
import { resourceTexts } from './dictionary.ts'

export const AddEntry = ({ onAdd }: { readonly onAdd: () => void }) => {
  const t = useText(resourceTexts)
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={onAdd}
      style={{ alignSelf: 'flex-start' }}
    >
      {t('addEntry')}
    </Button>
  )
}

interface RemoveEntryProps {
  /** From 0. */
  readonly at: number
  readonly onRemove: () => void
}

export const RemoveEntry = ({ at, onRemove }: RemoveEntryProps) => {
  const t = useText(resourceTexts)
  return (
    <ActionIcon
      variant="subtle"
      color="red"
      size="lg"
      aria-label={t('removeEntry', { count: at + 1 })}
      onClick={onRemove}
    >
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  )
}

export const EntryFault = ({ error }: { readonly error: string | undefined }) =>
  error ? (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {error}
    </Text>
  ) : null

// What inputs of several entries have in common.

import { ActionIcon, Button, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'

interface EntryButtonProps {
  readonly label: string
  readonly onClick: () => void
}

export const AddEntry = ({ label, onClick }: EntryButtonProps) => (
  <Button
    size="xs"
    variant="default"
    leftSection={<IconPlus size={14} aria-hidden />}
    onClick={onClick}
    style={{ alignSelf: 'flex-start' }}
  >
    {label}
  </Button>
)

export const RemoveEntry = ({ label, onClick }: EntryButtonProps) => (
  <ActionIcon variant="subtle" color="red" size={36} aria-label={label} onClick={onClick}>
    <IconTrash size={16} aria-hidden />
  </ActionIcon>
)

export const EntryFault = ({ error }: { readonly error: string | null | undefined }) =>
  error ? (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {error}
    </Text>
  ) : null

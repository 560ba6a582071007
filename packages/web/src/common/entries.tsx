// What inputs of several entries have in common.

import { ActionIcon, Button, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { flushSync } from 'react-dom'

interface EntryButtonProps {
  readonly label: string
  readonly onClick: () => void
}

const inputs = 'input, textarea, select'

/** The focus goes into the entry, so that one can type on. */
export const AddEntry = ({ label, onClick }: EntryButtonProps) => {
  const add = ({ currentTarget: { parentElement: list } }: MouseEvent) => {
    flushSync(onClick)
    const entries = Array.from(list?.children ?? []).filter(child => child.querySelector(inputs))
    entries.at(-1)?.querySelector<HTMLElement>(inputs)?.focus()
  }
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={add}
      style={{ alignSelf: 'flex-start' }}
      data-add-entry
    >
      {label}
    </Button>
  )
}

/** The focus would be lost with the entry. */
export const RemoveEntry = ({ label, onClick }: EntryButtonProps) => {
  const remove = ({ currentTarget }: MouseEvent) => {
    const list = currentTarget.closest('fieldset')
    flushSync(onClick)
    list?.querySelector<HTMLElement>('[data-add-entry]')?.focus()
  }
  return (
    <ActionIcon variant="subtle" color="red" size={36} aria-label={label} onClick={remove}>
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  )
}

export const EntryFault = ({ error }: { readonly error: string | null | undefined }) =>
  error ? (
    <Text size="sm" c="var(--mantine-color-error)" role="alert">
      {error}
    </Text>
  ) : null

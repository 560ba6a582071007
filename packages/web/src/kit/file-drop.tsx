// A place to drop files, which is a button, too.

import { Button, FileButton, Paper, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { commonTexts } from '../common/dictionary.ts'
import { useText } from '../i18n/dictionary.ts'

/** What the place takes. */
export interface FileDropProps {
  /** What to drop, such as "Photos of the damage". */
  readonly label: string
  /** Media types such as `image/*`, as for the attribute `accept`. */
  readonly accept?: string
  readonly onFiles: (files: readonly File[]) => void
  readonly disabled?: boolean
}

const fits = (file: File, accept: string | undefined): boolean =>
  accept === undefined ||
  accept.split(',').some(part => {
    const type = part.trim()
    if (type.startsWith('.')) return file.name.toLowerCase().endsWith(type.toLowerCase())
    return type.endsWith('/*') ? file.type.startsWith(type.slice(0, -1)) : file.type === type
  })

export const FileDrop = ({ label, accept, onFiles, disabled = false }: FileDropProps) => {
  const t = useText(commonTexts)
  const [isOver, setIsOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(!disabled)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    const files = Array.from(event.dataTransfer.files).filter(file => fits(file, accept))
    if (!disabled && files.length > 0) onFiles(files)
  }
  return (
    <Paper
      withBorder
      p="lg"
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      style={{ borderStyle: 'dashed', ...(isOver && { borderColor: 'var(--mantine-primary-color-filled)' }) }}
    >
      <Stack align="center" gap="xs">
        <Text size="sm">{label}</Text>
        <FileButton multiple {...(accept !== undefined && { accept })} onChange={onFiles} disabled={disabled}>
          {button => (
            <Button
              {...button}
              disabled={disabled}
              variant="default"
              size="xs"
              leftSection={<IconUpload size={16} aria-hidden />}
            >
              {t('chooseFiles')}
            </Button>
          )}
        </FileButton>
      </Stack>
    </Paper>
  )
}

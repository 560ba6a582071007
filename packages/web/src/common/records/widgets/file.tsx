// Files and images: chosen or dropped, shown as thumbnails or links, and sent with the record when it is saved.

import { ActionIcon, Anchor, Box, Button, FileButton, Group, Image, Input, Stack, Text } from '@mantine/core'
import { newKey } from '@plinth/client'
import { IconFile, IconUpload, IconX } from '@tabler/icons-react'
import { type DragEvent, useEffect, useId, useState } from 'react'
import { useText } from '../../../i18n/dictionary.ts'
import { resourceTexts } from '../dictionary.ts'
import type { InputProps, ValueProps, Widget } from './widget.ts'

interface FileValue {
  readonly pk: string
  readonly name?: string
  readonly mediaType?: string
  /** The address, once a record has the file. */
  readonly url?: string
  /** What was chosen on this page and no record has yet. In a draft that outlived a reload, it is no file any more. */
  readonly content?: unknown
}

/** The pk tells chosen files apart, as long as they are on the page. */
const toChosen = (content: File): FileValue => ({
  pk: newKey(),
  name: content.name,
  mediaType: content.type,
  content,
})

const filesIn = (value: unknown): readonly FileValue[] => {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value : [value as FileValue]
}

/** Is it there to be sent? */
const isPresent = (file: FileValue): boolean => !isLost(file)

const isLost = ({ content }: FileValue): boolean => content !== undefined && !(content instanceof File)

const isImage = ({ mediaType = '' }: FileValue): boolean => mediaType.startsWith('image/')

const thumbnail = 96

const FileEntry = ({ file }: { readonly file: FileValue }) => {
  const { name = '', url } = file
  const preview = useSource(file) ?? (url && `${url}?preview=${thumbnail}`)
  const content =
    isImage(file) && preview ? (
      <Image src={preview} alt={name} h={thumbnail} w="auto" maw={thumbnail * 2} radius="sm" fit="contain" />
    ) : (
      <Group gap={6} wrap="nowrap">
        <IconFile size={18} aria-hidden />
        <Text component="bdi" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
      </Group>
    )
  return url ? (
    <Anchor href={url} target="_blank" rel="noreferrer" title={name}>
      {content}
    </Anchor>
  ) : (
    content
  )
}

/** The address of a picture that was chosen on this page, while it is shown. */
const useSource = (file: FileValue): string | undefined => {
  const content = isImage(file) && file.content instanceof File ? file.content : undefined
  const [source, setSource] = useState<string>()
  useEffect(() => {
    const made = content && URL.createObjectURL(content)
    setSource(made)
    return () => {
      if (made) URL.revokeObjectURL(made)
    }
  }, [content])
  return source
}

const FilesInput = ({ field, frame, value, onChange }: InputProps) => {
  const t = useText(resourceTexts)
  const id = useId()
  const isList = field.json?.type === 'array'
  const accept = (field.json?.items ?? field.json)?.['x-file']?.mediaTypes?.join(',')
  const entries = filesIn(value)
  const lost = entries.filter(isLost).map(({ name = '' }) => name)
  const isBusy = frame.disabled || field.resource === undefined
  const add = (chosen: readonly File[]) => {
    const [first] = chosen
    if (!first || isBusy) return
    onChange(isList ? [...entries.filter(one => !isLost(one)), ...chosen.map(toChosen)] : toChosen(first))
  }
  const remove = (pk: string) => {
    onChange(isList ? entries.filter(one => one.pk !== pk) : null)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    add([...event.dataTransfer.files])
  }
  const { label, description, required, disabled } = frame
  const error = frame.error ?? (lost.length > 0 ? t('chooseFileAgain', { names: lost.join(', ') }) : undefined)
  return (
    <Input.Wrapper {...{ label, description, error, required }} labelElement="div" labelProps={{ id }}>
      <Stack
        gap="xs"
        mt={4}
        p="sm"
        role="group"
        aria-labelledby={id}
        onDragOver={event => event.preventDefault()}
        onDrop={drop}
        style={{ border: '1px dashed var(--mantine-color-default-border)', borderRadius: 'var(--mantine-radius-sm)' }}
      >
        {entries.length > 0 && (
          <Group gap="md" align="center">
            {entries.map(file => (
              <Group key={file.pk} gap={4} wrap="nowrap">
                <FileEntry file={file} />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={isBusy}
                  aria-label={t('removeFile', { name: file.name ?? '' })}
                  onClick={() => remove(file.pk)}
                >
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              </Group>
            ))}
          </Group>
        )}
        <Group gap="sm">
          <FileButton
            onChange={(chosen: File | File[] | null) => add([chosen ?? []].flat())}
            multiple={isList}
            inputProps={{ 'aria-label': label, name: frame.name }}
            {...(accept && { accept })}
          >
            {props => (
              <Button
                {...props}
                variant="default"
                size="xs"
                disabled={disabled}
                aria-invalid={error !== undefined}
                leftSection={<IconUpload size={16} aria-hidden />}
              >
                {t(isList ? 'chooseFiles' : 'chooseFile')}
              </Button>
            )}
          </FileButton>
          <Text size="xs" c="dimmed" visibleFrom="sm">
            {t('dropFiles')}
          </Text>
        </Group>
      </Stack>
    </Input.Wrapper>
  )
}

const FilesDisplay = ({ value }: ValueProps) => (
  <Group gap="md">
    {filesIn(value).map(file => (
      <Box key={file.pk}>
        <FileEntry file={file} />
      </Box>
    ))}
  </Group>
)

/** A file that was chosen is sent as it is, and one that the record has by its pk. */
const toSent = ({ pk, content }: FileValue) => content ?? { pk }

export const file: Widget = {
  Input: FilesInput,
  text: value =>
    filesIn(value)
      .map(({ name = '' }) => name)
      .join(', '),
  Display: FilesDisplay,
  toBody: value => filesIn(value).filter(isPresent).map(toSent)[0] ?? null,
}

export const files: Widget = { ...file, toBody: value => filesIn(value).filter(isPresent).map(toSent), isWide: true }

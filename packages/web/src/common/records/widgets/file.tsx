// Files and images: chosen or dropped, uploaded at once, and shown as thumbnails or links.

import { ActionIcon, Anchor, Box, Button, FileButton, Group, Image, Input, Loader, Stack, Text } from '@mantine/core'
import { IconFile, IconUpload, IconX } from '@tabler/icons-react'
import { type DragEvent, useEffect, useId, useRef, useState } from 'react'
import { recordsOf } from '../../../api/records.ts'
import { useText } from '../../../i18n/dictionary.ts'
import { useLanguage } from '../../../i18n/language.ts'
import { faultTextsByField, problemText } from '../../problem-text.ts'
import { resourceTexts } from '../dictionary.ts'
import type { InputProps, ValueProps, Widget } from './widget.ts'

interface FileValue {
  readonly pk: string
  readonly name?: string
  readonly mediaType?: string
  /** The address, once a record has the file. */
  readonly url?: string
}

const filesIn = (value: unknown): readonly FileValue[] => {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value : [value as FileValue]
}

const isImage = ({ mediaType = '' }: FileValue): boolean => mediaType.startsWith('image/')

const thumbnail = 96

interface FileEntryProps {
  readonly file: FileValue
  /** Of the browser, for a file that no record has yet. */
  readonly source?: string | undefined
}

const FileEntry = ({ file, source }: FileEntryProps) => {
  const { name = '', url } = file
  const preview = source ?? (url && `${url}?preview=${thumbnail}`)
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

/** Pictures of files that were chosen on this page, by the pk of their uploads. */
const useSources = () => {
  const [sources, setSources] = useState<Readonly<Record<string, string>>>({})
  const made = useRef<string[]>([])
  useEffect(
    () => () => {
      for (const source of made.current) URL.revokeObjectURL(source)
    },
    [],
  )
  const keep = (uploaded: readonly FileValue[], files: readonly File[]) => {
    const added = uploaded.flatMap((one, at) => {
      const file = files[at]
      return file && isImage(one) ? [[one.pk, URL.createObjectURL(file)] as const] : []
    })
    made.current.push(...added.map(([, source]) => source))
    setSources(known => ({ ...known, ...Object.fromEntries(added) }))
  }
  return { sources, keep }
}

const upload = async ({ resource = '', name }: InputProps['field'], files: readonly File[]): Promise<unknown> =>
  (await recordsOf(resource).upload({ [name]: files }))[name]

const FilesInput = ({ field, frame, value, onChange }: InputProps) => {
  const t = useText(resourceTexts)
  const language = useLanguage()
  const id = useId()
  const isList = field.json?.type === 'array'
  const accept = (field.json?.items ?? field.json)?.['x-file']?.mediaTypes?.join(',')
  const entries = filesIn(value)
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const { sources, keep } = useSources()
  const isBusy = isSending || frame.disabled || field.resource === undefined
  const add = async (chosen: readonly File[]) => {
    const files = isList ? chosen : chosen.slice(0, 1)
    if (files.length === 0 || isBusy) return
    setProblem(undefined)
    setIsSending(true)
    try {
      const sent = await upload(field, files)
      keep(filesIn(sent), files)
      onChange(isList ? [...entries, ...filesIn(sent)] : sent)
    } catch (error) {
      setProblem(
        faultTextsByField(error, { labelOf: () => frame.label }).get(field.name) ?? problemText(error, language),
      )
    } finally {
      setIsSending(false)
    }
  }
  const remove = (pk: string) => {
    setProblem(undefined)
    onChange(isList ? entries.filter(one => one.pk !== pk) : null)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    void add([...event.dataTransfer.files])
  }
  const { label, description, error = problem, required, disabled } = frame
  return (
    <Input.Wrapper {...{ label, description, error, required }} labelElement="div" labelProps={{ id }}>
      <Stack
        gap="xs"
        mt={4}
        p="sm"
        role="group"
        aria-labelledby={id}
        aria-busy={isSending}
        onDragOver={event => event.preventDefault()}
        onDrop={drop}
        style={{ border: '1px dashed var(--mantine-color-default-border)', borderRadius: 'var(--mantine-radius-sm)' }}
      >
        {entries.length > 0 && (
          <Group gap="md" align="center">
            {entries.map(file => (
              <Group key={file.pk} gap={4} wrap="nowrap">
                <FileEntry file={file} source={sources[file.pk]} />
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
            onChange={(chosen: File | File[] | null) => void add([chosen ?? []].flat())}
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
                leftSection={isSending ? <Loader size={14} /> : <IconUpload size={16} aria-hidden />}
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

const toReference = ({ pk }: FileValue) => ({ pk })

export const file: Widget = {
  Input: FilesInput,
  text: value =>
    filesIn(value)
      .map(({ name = '' }) => name)
      .join(', '),
  Display: FilesDisplay,
  toBody: value => (value ? toReference(value as FileValue) : null),
}

export const files: Widget = { ...file, toBody: value => filesIn(value).map(toReference), isWide: true }

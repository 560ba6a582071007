// Lists of texts and of numbers, names with texts, and JSON as it is.

import { Badge, Code, Group, JsonInput, TagsInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../../../i18n/dictionary.ts'
import { commonTexts } from '../../dictionary.ts'
import { resourceTexts } from '../dictionary.ts'
import { MapInput } from '../map-input.tsx'
import { equals } from './conditions.tsx'
import { Parts } from './parts.tsx'
import type { Widget } from './widget.ts'

interface BadgesProps {
  readonly entries: readonly unknown[]
  readonly show: (entry: unknown) => ReactNode
}

export const Badges = ({ entries, show }: BadgesProps) => (
  <Group gap={6}>
    {entries.map(entry => (
      <Badge key={JSON.stringify(entry)} variant="light" tt="none" size="lg" fw={500}>
        {show(entry)}
      </Badge>
    ))}
  </Group>
)

const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

export const tags: Widget = {
  Input: ({ frame, value, onChange }) => {
    const t = useText(commonTexts)
    return (
      <TagsInput
        {...frame}
        value={[...textsIn(value)]}
        onChange={onChange}
        clearable
        clearButtonProps={{ 'aria-label': t('clear') }}
      />
    )
  },
  text: value => textsIn(value).join(', '),
  Display: ({ value }) => <Badges entries={textsIn(value)} show={String} />,
  search: equals,
  isWide: true,
}

export const map: Widget = {
  Input: ({ frame, value, onChange }) => <MapInput {...frame} value={Object(value ?? {})} onChange={onChange} />,
  text: value =>
    Object.entries(Object(value))
      .map(([key, entry]) => `${key}: ${entry}`)
      .join(', '),
  Display: ({ value }) => <Parts value={Object(value)} />,
  isWide: true,
}

/** Parses JSON; undefined while the text is none yet. */
const parse = (text: string): unknown => {
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const json: Widget = {
  Input: ({ frame, value, onChange }) => {
    const t = useText(resourceTexts)
    return (
      <JsonInput
        {...frame}
        autosize
        minRows={4}
        formatOnBlur
        validationError={t('notJson')}
        defaultValue={value === null || value === undefined ? '' : JSON.stringify(value, null, 2)}
        onChange={text => {
          const parsed = parse(text)
          if (parsed !== undefined) onChange(parsed)
        }}
      />
    )
  },
  text: value => JSON.stringify(value),
  Display: ({ value }) => <Code block>{JSON.stringify(value, null, 2)}</Code>,
  isWide: true,
}

/** So many numbers of a vector are shown: to people, all of them tell no more. */
const shownNumbers = 4

export const vector: Widget = {
  Input: json.Input,
  text: value => {
    const numbers = textsIn(value)
    const first = numbers.slice(0, shownNumbers).join('; ')
    return numbers.length > shownNumbers ? `${first}; … (${numbers.length})` : first
  },
  isWide: true,
}

// Pairs of names and texts.

import { Fieldset, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useText } from '../../i18n/dictionary.ts'
import { AddEntry, EntryFault, RemoveEntry } from '../entries.tsx'
import { resourceTexts } from './dictionary.ts'

interface MapInputProps {
  readonly label: string
  readonly error?: string
  readonly disabled?: boolean
  readonly value: Readonly<Record<string, unknown>>
  readonly onChange: (value: Readonly<Record<string, string>>) => void
}

type Pair = readonly [name: string, text: string]

export const MapInput = ({ label, error, disabled, value, onChange }: MapInputProps) => {
  const t = useText(resourceTexts)
  // While a name is being typed, two may be the same: the pairs are kept apart from the map.
  const [pairs, setPairs] = useState<readonly Pair[]>(() =>
    Object.entries(value).map(([name, text]) => [name, String(text)]),
  )
  const change = (changed: readonly Pair[]) => {
    setPairs(changed)
    onChange(Object.fromEntries(changed.filter(([name]) => name !== '')))
  }
  return (
    <Fieldset legend={label} disabled={disabled}>
      <Stack gap="xs">
        {pairs.map(([name, text], at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a pair keeps its place while its name changes
          <Group key={at} wrap="nowrap" gap="xs" align="flex-end">
            <TextInput
              label={t('key')}
              value={name}
              onChange={event => change(pairs.with(at, [event.currentTarget.value, text]))}
              style={{ flex: 1 }}
            />
            <TextInput
              label={t('value')}
              value={text}
              onChange={event => change(pairs.with(at, [name, event.currentTarget.value]))}
              style={{ flex: 2 }}
            />
            <RemoveEntry label={t('removeEntry', { count: at + 1 })} onClick={() => change(pairs.toSpliced(at, 1))} />
          </Group>
        ))}
        <AddEntry label={t('addEntry')} onClick={() => setPairs([...pairs, ['', '']])} />
      </Stack>
      <EntryFault error={error} />
    </Fieldset>
  )
}

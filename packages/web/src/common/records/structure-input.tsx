// Fields made of parts, such as a postal address: the parts come from the JSON Schema.

import { Button, Checkbox, Fieldset, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useText } from '../../i18n/dictionary.ts'
import { commonTexts } from '../dictionary.ts'
import { AddEntry, EntryFault, RemoveEntry } from '../entries.tsx'
import { resourceTexts } from './dictionary.ts'
import { tooLongText } from './text-length.ts'
import type { FieldSchema } from './ui-schema.ts'

type Parts = Readonly<Record<string, unknown>>

interface StructureProps {
  readonly label: string
  readonly description?: string
  readonly error?: string
  readonly disabled?: boolean
  readonly schema: FieldSchema | undefined
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

const toParts = (value: unknown): Parts | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Parts) : null

/** A part that refers to a record is given by its identifier. */
const textOfPart = (part: unknown): string => {
  const record = toParts(part)
  return record ? String(record.pk ?? '') : String(part ?? '')
}

interface PartInputsProps {
  readonly schema: FieldSchema | undefined
  readonly value: Parts
  readonly disabled?: boolean
  readonly onChange: (value: Parts) => void
}

const PartInputs = ({ schema, value, disabled, onChange }: PartInputsProps) => {
  const t = useText(resourceTexts)
  const own = Object.entries(schema?.properties ?? {}).filter(([, part]) => part.readOnly !== true)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
      {own.map(([name, part]) =>
        part.type === 'boolean' ? (
          <Checkbox
            key={name}
            label={part.title ?? name}
            checked={value[name] === true}
            disabled={disabled}
            onChange={event => onChange({ ...value, [name]: event.currentTarget.checked })}
          />
        ) : (
          <TextInput
            key={name}
            label={part.title ?? name}
            description={part.description}
            required={schema?.required?.includes(name)}
            error={tooLongText(t, textOfPart(value[name]), part.maxLength)}
            disabled={disabled}
            value={textOfPart(value[name])}
            onChange={event => onChange({ ...value, [name]: event.currentTarget.value || null })}
          />
        ),
      )}
    </SimpleGrid>
  )
}

export const StructureInput = ({ label, error, disabled, schema, value, onChange }: StructureProps) => {
  const t = useText(resourceTexts)
  const common = useText(commonTexts)
  const parts = toParts(value)
  return (
    <Fieldset legend={label} disabled={disabled}>
      {parts ? (
        <Stack gap="xs" align="flex-start">
          <PartInputs schema={schema} value={parts} onChange={onChange} />
          <Button size="xs" variant="default" onClick={() => onChange(null)}>
            {common('clear')}
          </Button>
        </Stack>
      ) : (
        <AddEntry label={t('addEntry')} onClick={() => onChange({})} />
      )}
      <EntryFault error={error} />
    </Fieldset>
  )
}

export const StructuresInput = ({ label, error, disabled, schema, value, onChange }: StructureProps) => {
  const t = useText(resourceTexts)
  const entries = Array.isArray(value) ? value.map(entry => toParts(entry) ?? {}) : []
  return (
    <Fieldset legend={label} disabled={disabled}>
      <Stack gap="sm">
        {entries.map((entry, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity before they are saved
          <Group key={at} align="flex-start" wrap="nowrap">
            <PartInputs
              schema={schema?.items}
              value={entry}
              onChange={changed => onChange(entries.with(at, changed))}
            />
            <RemoveEntry
              label={t('removeEntry', { count: at + 1 })}
              onClick={() => onChange(entries.toSpliced(at, 1))}
            />
          </Group>
        ))}
        <AddEntry label={t('addEntry')} onClick={() => onChange([...entries, {}])} />
      </Stack>
      <EntryFault error={error} />
    </Fieldset>
  )
}

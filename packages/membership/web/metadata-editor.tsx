import { Group, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { AddEntry, EntryFault, RemoveEntry, useTexts } from '@plinth/web'
import { networkTexts } from './dictionary.ts'
import { type MetadataDraft, type MetadataField, switchedTo } from './metadata-draft.ts'

interface MetadataEditorProps {
  readonly draft: MetadataDraft
  readonly onChange: (draft: MetadataDraft) => void
  readonly fault: string | null
}

export const MetadataEditor = ({ draft, onChange, fault }: MetadataEditorProps) => {
  const t = useTexts(networkTexts)
  const other = draft.mode === 'json' ? 'fields' : 'json'
  const switched = switchedTo(draft, other)
  return (
    <Stack gap="xs" component="fieldset" style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
      <Group justify="space-between">
        <Text component="legend" size="sm" fw="var(--mantine-font-weight-medium)" style={{ float: 'left' }}>
          {t('metadata')}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t('editorMode')}
          value={draft.mode}
          onChange={() => switched && onChange(switched)}
          data={(['fields', 'json'] as const).map(mode => ({
            value: mode,
            label: t(mode),
            disabled: mode !== draft.mode && !switched,
          }))}
        />
      </Group>
      {draft.mode === 'json' ? (
        <Textarea
          aria-label={t('jsonLabel')}
          value={draft.text}
          onChange={event => onChange({ mode: 'json', text: event.currentTarget.value })}
          autosize
          minRows={6}
          maxRows={16}
          spellCheck={false}
          styles={{ input: { fontFamily: 'ui-monospace, monospace' } }}
          error={fault}
        />
      ) : (
        <Fields fields={draft.fields} onChange={fields => onChange({ mode: 'fields', fields })} fault={fault} />
      )}
    </Stack>
  )
}

interface FieldsProps {
  readonly fields: readonly MetadataField[]
  readonly onChange: (fields: readonly MetadataField[]) => void
  readonly fault: string | null
}

const Fields = ({ fields, onChange, fault }: FieldsProps) => {
  const t = useTexts(networkTexts)
  const change = (id: number, part: Partial<MetadataField>): void =>
    onChange(fields.map(field => (field.id === id ? { ...field, ...part } : field)))
  const add = (): void =>
    onChange([...fields, { id: Math.max(-1, ...fields.map(({ id }) => id)) + 1, name: '', value: '' }])
  return (
    <>
      {fields.map(({ id, name, value }, index) => (
        <Group key={id} gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            aria-label={t('fieldNameAt', { at: index + 1 })}
            placeholder={t('fieldName')}
            value={name}
            onChange={event => change(id, { name: event.currentTarget.value })}
            style={{ flex: '1 1 8rem' }}
          />
          <TextInput
            aria-label={t('fieldValueAt', { at: index + 1 })}
            placeholder={t('fieldValue')}
            value={value}
            onChange={event => change(id, { value: event.currentTarget.value })}
            style={{ flex: '2 1 10rem' }}
          />
          <RemoveEntry
            label={t('removeField', { name: name || String(index + 1) })}
            onClick={() => onChange(fields.filter(field => field.id !== id))}
          />
        </Group>
      ))}
      <EntryFault error={fault} />
      <AddEntry label={t('addField')} onClick={add} />
    </>
  )
}

import { Button, FileInput, Group, Select, Stack, Switch, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PageHeader } from '../../common/page-header.tsx'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { fieldsFor } from '../../common/records/schema.ts'
import type { Schema } from '../../common/records/ui-schema.ts'
import { type SimpleColumn, SimpleTable } from '../../common/simple-table.tsx'
import { useText } from '../../i18n/dictionary.ts'
import { acceptedFiles, type ImportOptions, type ImportPreview, previewImport } from './import.ts'
import { importTexts } from './import-dictionary.ts'
import { forgetImport, type ImportRun, startImport, useImportRun } from './import-run.ts'
import { ImportRunState } from './import-state.tsx'
import { wayBackTo } from './way-back.ts'

interface Choice {
  readonly value: string
  readonly label: string
}

/** A related record is found by its label, or by its identifier. */
const choicesOf = (schema: Schema): readonly Choice[] => {
  const fields = new Map([...fieldsFor(schema, 'create'), ...fieldsFor(schema, 'update')].map(one => [one.name, one]))
  return [
    { value: 'pk', label: 'pk' },
    ...[...fields.values()].flatMap(({ name, label, relation }) => {
      const byLabel = relation?.kind === 'one' && relation.label ? `${name}.${relation.label}` : null
      if (byLabel === null) return [{ value: name, label }]
      return [
        { value: byLabel, label: `${label} (${relation?.label})` },
        { value: name, label: `${label} (pk)` },
      ]
    }),
  ]
}

type PreviewColumn = ImportPreview['columns'][number] & { readonly examples: string }

const columnsIn = ({ columns, rows }: ImportPreview): readonly PreviewColumn[] =>
  columns.map((column, at) => ({
    ...column,
    examples: rows
      .map(({ cells }) => cells[at] ?? '')
      .filter(Boolean)
      .slice(0, 3)
      .join(' · '),
  }))

interface MappingProps {
  readonly preview: ImportPreview
  readonly choices: readonly Choice[]
  readonly mapping: ImportOptions['mapping']
  readonly onChange: (mapping: ImportOptions['mapping']) => void
}

const MappingTable = ({ preview, choices, mapping, onChange }: MappingProps) => {
  const t = useText(importTexts)
  const columns: readonly SimpleColumn<PreviewColumn>[] = [
    { key: 'column', title: t('column'), render: ({ header }) => header },
    {
      key: 'examples',
      title: t('examples'),
      render: ({ examples }) => (
        <Text size="sm" c="dimmed" lineClamp={2}>
          {examples}
        </Text>
      ),
    },
    {
      key: 'field',
      title: t('field'),
      render: ({ header }) => (
        <Select
          aria-label={t('fieldOf', { column: header })}
          data={[{ value: '', label: t('leaveOut') }, ...choices]}
          value={mapping[header] ?? ''}
          onChange={field => onChange({ ...mapping, [header]: field ?? '' })}
          allowDeselect={false}
          searchable
        />
      ),
    },
  ]
  return (
    <SimpleTable caption={t('columns')} rows={columnsIn(preview)} rowKey={({ header }) => header} columns={columns} />
  )
}

/** Fields that a person can choose; others, such as dates that the service keeps, are left out. */
const suggested = ({ columns }: ImportPreview, choices: readonly Choice[]): ImportOptions['mapping'] =>
  Object.fromEntries(
    columns.map(({ header, field }) => [header, choices.some(({ value }) => value === field) ? (field ?? '') : '']),
  )

export const ImportPage = ({ schema }: { readonly schema: Schema }) => {
  const t = useText(importTexts)
  const client = useQueryClient()
  const resource = schema.pathFragment
  const choices = choicesOf(schema)
  const [file, setFile] = useState<File | null>(null)
  const [preview, setPreview] = useState<ImportPreview | null>(null)
  const [mapping, setMapping] = useState<ImportOptions['mapping']>({})
  const [key, setKey] = useState<string | null>(null)
  const [allOrNothing, setAllOrNothing] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = useImportRun(resource)
  const isRunning = run?.state === 'running'
  const choose = async (chosen: File | null) => {
    setFile(chosen)
    setPreview(null)
    setError(null)
    forgetImport(resource)
    if (!chosen) return
    try {
      const found = await previewImport(resource, chosen)
      setMapping(suggested(found, choices))
      setPreview(found)
    } catch (failure) {
      setError(failure)
    }
  }
  const start = (kind: ImportRun['kind']): void => {
    if (!file) return
    const onWritten = () => {
      void client.invalidateQueries({ queryKey: ['rows', `/api/rest/${resource}`] })
      void client.invalidateQueries({ queryKey: ['total', `/api/rest/${resource}`] })
    }
    void startImport({ resource, file, mapping, key, allOrNothing }, { kind, title: schema.title, onWritten })
  }
  const mapped = choices.filter(({ value }) => Object.values(mapping).includes(value) && !value.includes('.'))
  return (
    <>
      <PageHeader
        title={t('title', { title: schema.title })}
        description={t('about')}
        parent={{ ...wayBackTo(resource), label: schema.title }}
      />
      <Stack>
        <FileInput
          label={t('file')}
          placeholder={t('choose')}
          accept={acceptedFiles}
          leftSection={<IconUpload size={16} aria-hidden />}
          value={file}
          onChange={chosen => void choose(chosen)}
          disabled={isRunning}
          maw="30rem"
        />
        {preview && (
          <>
            <MappingTable preview={preview} choices={choices} mapping={mapping} onChange={setMapping} />
            <Select
              label={t('key')}
              description={t('keyHint')}
              placeholder={t('noKey')}
              data={mapped}
              value={key}
              onChange={setKey}
              clearable
              maw="30rem"
            />
            <Switch
              label={t('allOrNothing')}
              checked={allOrNothing}
              onChange={event => setAllOrNothing(event.currentTarget.checked)}
            />
            <Group>
              <Button variant="default" disabled={isRunning} onClick={() => start('check')}>
                {t('check')}
              </Button>
              <Button disabled={isRunning} onClick={() => start('import')}>
                {t('run')}
              </Button>
            </Group>
            {!allOrNothing && (
              <Text size="sm" c="dimmed">
                {t('resumable')}
              </Text>
            )}
          </>
        )}
        <ProblemAlert error={error} />
        {run && <ImportRunState run={run} schema={schema} />}
      </Stack>
    </>
  )
}

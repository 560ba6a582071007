import { Alert, Button, List, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { faultAt, faultText } from '../../common/problem-text.ts'
import type { Schema } from '../../common/records/ui-schema.ts'
import { saveFile } from '../../common/save-file.ts'
import { type SimpleColumn, SimpleTable } from '../../common/simple-table.tsx'
import { useText } from '../../i18n/dictionary.ts'
import { toCsvLine } from './export.ts'
import type { ImportResult, RefusalReason, RefusedRow } from './import.ts'
import { importTexts } from './import-dictionary.ts'

const outcomes = ['created', 'changed', 'unchanged', 'refused'] as const

interface ImportSummaryProps {
  readonly result: ImportResult
  readonly allOrNothing: boolean
  readonly schema: Schema
}

export const ImportSummary = ({ result, allOrNothing, schema }: ImportSummaryProps) => {
  const t = useText(importTexts)
  const { dryRun, refused, resumedBehind, uncheckedBehind, reasons, rows } = result
  const title = dryRun ? 'checked' : allOrNothing && refused > 0 ? 'notImported' : 'done'
  return (
    <Stack>
      <Alert role="status" color={refused > 0 ? 'yellow' : 'teal'} title={t(title)}>
        <List>
          {outcomes
            .filter(outcome => result[outcome] > 0)
            .map(outcome => (
              <List.Item key={outcome}>{t(outcome, { count: result[outcome] })}</List.Item>
            ))}
        </List>
        {resumedBehind !== null && <Text size="sm">{t('resumed', { line: resumedBehind })}</Text>}
        {uncheckedBehind !== null && <Text size="sm">{t('unchecked', { line: uncheckedBehind })}</Text>}
      </Alert>
      {reasons.length > 0 && <Reasons reasons={reasons} schema={schema} />}
      {rows.length > 0 && <RefusedRows rows={rows} count={refused} schema={schema} />}
    </Stack>
  )
}

const labelOf = (schema: Schema, field: string | null): string | null =>
  field && (schema.fields[field.split('.')[0] ?? '']?.label ?? field)

interface ReasonsProps {
  readonly reasons: readonly RefusalReason[]
  readonly schema: Schema
}

const Reasons = ({ reasons, schema }: ReasonsProps) => {
  const t = useText(importTexts)
  const columns: readonly SimpleColumn<RefusalReason>[] = [
    { key: 'count', title: t('rows'), align: 'right', nowrap: true, width: '6rem', render: ({ count }) => count },
    { key: 'field', title: t('field'), render: ({ member: field }) => labelOf(schema, field) ?? t('wholeRow') },
    { key: 'reason', title: t('reason'), render: reason => faultText(reason) },
    { key: 'values', title: t('values'), render: ({ values }) => values.join(', ') },
  ]
  return (
    <SimpleTable
      caption={t('reasons')}
      rows={reasons}
      rowKey={({ member: field, code, message }) => `${field} ${code} ${message}`}
      columns={columns}
    />
  )
}

/** The table shows these; the file has all that the service lists. */
const maxShown = 100
/** The most columns of the file; those with faults come first. */
const maxColumns = 5

interface RefusedRowsProps {
  readonly rows: readonly RefusedRow[]
  /** All of them: the service lists the first thousand. */
  readonly count: number
  readonly schema: Schema
}

const RefusedRows = ({ rows, count, schema }: RefusedRowsProps) => {
  const t = useText(importTexts)
  const reasonOf = (row: RefusedRow): string => reasonIn(row, schema)
  const headers = [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))]
  const faulty = new Set(rows.flatMap(({ errors }) => errors.flatMap(({ column }) => column ?? [])))
  const visibleColumns = [...headers.filter(one => faulty.has(one)), ...headers.filter(one => !faulty.has(one))].slice(
    0,
    maxColumns,
  )
  const columns: readonly SimpleColumn<RefusedRow>[] = [
    { key: 'line', title: t('line'), nowrap: true, render: ({ line }) => line },
    ...headers
      .filter(header => visibleColumns.includes(header))
      .map(
        (header): SimpleColumn<RefusedRow> => ({
          key: `column ${header}`,
          title: header,
          render: row => <FileCell row={row} column={header} />,
        }),
      ),
    { key: 'reason', title: t('reason'), render: reasonOf },
  ]
  const download = (): void => {
    const lines = rows.map(row => toCsvLine([...headers.map(header => cellText(row.cells[header])), reasonOf(row)]))
    // With a byte order mark: this file is for a spreadsheet program.
    const parts = ['\ufeff', toCsvLine([...headers, t('reason')]), ...lines]
    saveFile(new Blob(parts, { type: 'text/csv' }), `${schema.pathFragment}-refused.csv`)
  }
  const listed = rows.slice(0, maxShown)
  return (
    <Stack gap="xs">
      {listed.length < count && <Text size="sm">{t('firstRefused', { count: listed.length, of: count })}</Text>}
      <SimpleTable
        caption={t('refusedRows')}
        rows={listed}
        rowKey={({ line, message }) => `${line} ${message}`}
        columns={columns}
      />
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={download}
        style={{ alignSelf: 'start' }}
      >
        {t('downloadRefused')}
      </Button>
    </Stack>
  )
}

const FileCell = ({ row, column }: { readonly row: RefusedRow; readonly column: string }) => {
  const isFaulty = row.errors.some(error => error.column === column)
  const text = cellText(row.cells[column])
  return (
    <Text size="sm" lineClamp={2} {...(isFaulty && { c: 'var(--mantine-color-error)', fw: 600 })}>
      {text === '' && isFaulty ? '—' : text}
    </Text>
  )
}

const cellText = (cell: unknown): string => {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

const reasonIn = ({ message, errors }: RefusedRow, schema: Schema): string =>
  errors.map(fault => faultAt(labelOf(schema, fault.member), fault)).join(' ') || message

import { Alert, List, Stack } from '@mantine/core'
import { faultText } from '../../common/problem-text.ts'
import { type SimpleColumn, SimpleTable } from '../../common/simple-table.tsx'
import { useText } from '../../i18n/dictionary.ts'
import { useLanguage } from '../../i18n/language.ts'
import type { ImportResult, RefusedRow } from './import.ts'
import { importTexts } from './import-dictionary.ts'
import type { Schema } from './schema.ts'

const outcomes = ['created', 'changed', 'unchanged', 'refused'] as const

interface ImportSummaryProps {
  readonly result: ImportResult
  readonly schema: Schema
}

export const ImportSummary = ({ result, schema }: ImportSummaryProps) => {
  const t = useText(importTexts)
  const language = useLanguage()
  const reasonOf = ({ message, errors }: RefusedRow): string =>
    errors
      .map(fault => {
        const label = fault.member && (schema.fields[fault.member]?.label ?? fault.member)
        return [label, faultText(fault, language)].filter(Boolean).join(': ')
      })
      .join(' ') || message
  const columns: readonly SimpleColumn<RefusedRow>[] = [
    { key: 'line', title: t('line'), nowrap: true, render: ({ line }) => line },
    { key: 'reason', title: t('reason'), render: reasonOf },
  ]
  return (
    <Stack>
      <Alert role="status" color={result.refused > 0 ? 'yellow' : 'teal'} title={t(result.dryRun ? 'checked' : 'done')}>
        <List>
          {outcomes
            .filter(outcome => result[outcome] > 0)
            .map(outcome => (
              <List.Item key={outcome}>{t(outcome, { count: result[outcome] })}</List.Item>
            ))}
        </List>
        {result.uncheckedBehind !== null && t('unchecked', { line: result.uncheckedBehind })}
      </Alert>
      {result.rows.length > 0 && (
        <SimpleTable
          caption={t('refusedRows')}
          rows={result.rows}
          rowKey={({ line, message }) => `${line} ${message}`}
          columns={columns}
        />
      )}
    </Stack>
  )
}

// The changes of a record, newest first: who changed which fields and when. A version can be restored.

import { Badge, Box, Group, Stack, Text, Title } from '@mantine/core'
import type { RecordVersion } from '@plinth/client'
import { IconHistory, IconRestore } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type Item, recordPath, recordsOf } from '../../api/records.ts'
import { ConfirmButton } from '../../common/confirm-button.tsx'
import { Empty } from '../../common/empty.tsx'
import { Loading } from '../../common/loading.tsx'
import { notify } from '../../common/notify.ts'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { fieldFor } from '../../common/records/schema.ts'
import type { Schema } from '../../common/records/ui-schema.ts'
import { itemKey } from '../../common/records/use-item.ts'
import { shortId } from '../../common/records/value-text.ts'
import { MorePages } from '../../common/show-more.tsx'
import { type SimpleColumn, SimpleTable } from '../../common/simple-table.tsx'
import { useText } from '../../i18n/dictionary.ts'
import { useFormats } from '../../i18n/format.ts'
import { FieldValue } from './field-value.tsx'
import { historyTexts } from './history-dictionary.ts'
import { withdrawUndo } from './undo.tsx'

type FieldChange = RecordVersion['fields'][number]

interface HistoryProps {
  readonly schema: Schema
  readonly record: Item
}

const useHistory = ({ schema: { pathFragment: resource }, record: { pk, version } }: HistoryProps) =>
  useInfiniteQuery({
    // A changed record has another version, and a longer history.
    queryKey: ['history', resource, pk, version],
    queryFn: async ({ pageParam: after, signal }) => recordsOf(resource).history(pk, { after, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

const FieldTable = ({ schema, change }: { readonly schema: Schema; readonly change: RecordVersion }) => {
  const t = useText(historyTexts)
  if (change.fields.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('noFields')}
      </Text>
    )
  }
  const valueColumn = (side: 'before' | 'after'): SimpleColumn<FieldChange> => ({
    key: side,
    title: t(side),
    width: '38%',
    render: ({ field: name, [side]: value }) => {
      const field = fieldFor(schema, { field: name })
      return field ? <FieldValue value={value} field={field} /> : JSON.stringify(value)
    },
  })
  return (
    <SimpleTable
      caption={t('changesOf', { version: change.version })}
      rows={change.fields}
      rowKey={({ field }) => field}
      columns={[
        { key: 'field', title: t('field'), render: ({ field }) => schema.fields[field]?.label ?? field },
        valueColumn('before'),
        valueColumn('after'),
      ]}
    />
  )
}

const RestoreButton = ({ schema, record, version }: HistoryProps & { readonly version: number }) => {
  const t = useText(historyTexts)
  const client = useQueryClient()
  const resource = schema.pathFragment
  const { pk } = record
  const restore = async () => {
    await recordsOf(resource).restoreVersion(pk, version)
    withdrawUndo(recordPath(resource, pk))
    notify(t('restoredVersion', { version }))
    void client.invalidateQueries({ queryKey: ['rows'] })
    await client.invalidateQueries({ queryKey: itemKey(resource, pk) })
  }
  return (
    <ConfirmButton
      size="compact-sm"
      variant="light"
      color="blue"
      leftSection={<IconRestore size={14} aria-hidden />}
      aria-label={`${t('restore')}: ${version}`}
      question={t('restoreQuestion', { version })}
      explanation={t('restoreAbout')}
      onConfirm={restore}
    >
      {t('restore')}
    </ConfirmButton>
  )
}

const Change = ({ schema, record, change }: HistoryProps & { readonly change: RecordVersion }) => {
  const t = useText(historyTexts)
  const formats = useFormats()
  const { version, by, time } = change
  const name = by === null ? t('service') : (by.username ?? shortId(by.pk))
  const isPresent = version === record.version
  const mayRestore = schema.rights.patch && !isPresent && change.change !== 'deleted'
  return (
    <Box component="li">
      <Group justify="space-between" mb="xs">
        <Group gap="xs">
          <Title order={2} size="h5">
            {t('version', { version })}
          </Title>
          {isPresent && <Badge variant="light">{t('present')}</Badge>}
          <Text size="sm" c="dimmed">
            {t(change.change, { name })} · <time dateTime={time}>{formats.dateTime(time)}</time>
          </Text>
        </Group>
        {mayRestore && <RestoreButton schema={schema} record={record} version={version} />}
      </Group>
      <FieldTable schema={schema} change={change} />
    </Box>
  )
}

export const HistoryTab = ({ schema, record }: HistoryProps) => {
  const t = useText(historyTexts)
  const history = useHistory({ schema, record })
  const { data, error, refetch } = history
  if (!data) return error ? <ProblemAlert error={error} onRetry={() => void refetch()} /> : <Loading />
  const changes = data.pages.flatMap(({ items }) => items)
  if (changes.length === 0) return <Empty title={t('none')} icon={IconHistory} />
  return (
    <>
      <Stack component="ol" gap="lg" m={0} p={0} style={{ listStyle: 'none' }}>
        {changes.map(change => (
          <Change
            key={`${change.time} ${change.version} ${change.change}`}
            schema={schema}
            record={record}
            change={change}
          />
        ))}
      </Stack>
      <MorePages list={history} />
    </>
  )
}

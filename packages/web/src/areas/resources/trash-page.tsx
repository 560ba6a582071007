// The deleted records of a resource: restores them, or deletes them for good.

import { Button, Group, Stack } from '@mantine/core'
import { IconRestore, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type Item, recordPath, recordsOf } from '../../api/records.ts'
import { AsyncButton } from '../../common/async-button.tsx'
import { ConfirmButton } from '../../common/confirm-button.tsx'
import { commonTexts } from '../../common/dictionary.ts'
import { Empty } from '../../common/empty.tsx'
import { Loading } from '../../common/loading.tsx'
import { notify } from '../../common/notify.ts'
import { PageHeader } from '../../common/page-header.tsx'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { resourceTexts } from '../../common/records/dictionary.ts'
import { fieldsFor, titleOf } from '../../common/records/schema.ts'
import type { Schema } from '../../common/records/ui-schema.ts'
import { relatedText, useWords, valueText } from '../../common/records/value-text.ts'
import { type SimpleColumn, SimpleTable } from '../../common/simple-table.tsx'
import { useText } from '../../i18n/dictionary.ts'
import { withdrawUndo } from './undo.tsx'
import { wayBackTo } from './way-back.ts'

const pageSize = 50

const trashKey = (resource: string) => ['trash', resource] as const

const useTrash = (resource: string) =>
  useInfiniteQuery({
    queryKey: trashKey(resource),
    queryFn: async ({ pageParam: after, signal }) =>
      recordsOf(resource).find({ trash: 'only', limit: pageSize, total: 'none', after, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // Others delete records, too.
    refetchOnMount: 'always',
  })

/** The number of columns of the record as it was, without its name, which stands before them. */
const columnCount = 2

const userRelation = { relation: { resource: 'users', kind: 'one', label: 'username' } } as const

const Actions = ({ schema, record }: { readonly schema: Schema; readonly record: Item }) => {
  const t = useText(resourceTexts)
  const client = useQueryClient()
  const resource = schema.pathFragment
  const title = titleOf(schema, record)
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: trashKey(resource) }),
      client.invalidateQueries({ queryKey: ['rows'] }),
      client.invalidateQueries({ queryKey: ['total'] }),
    ])
  const restore = async () => {
    await recordsOf(resource).restore(record.pk)
    withdrawUndo(recordPath(resource, record.pk))
    notify(t('restored', { title }))
    await refresh()
  }
  const purge = async () => {
    await recordsOf(resource).purge(record.pk)
    withdrawUndo(recordPath(resource, record.pk))
    notify(t('deleted', { title }))
    await refresh()
  }
  return (
    <Group gap="xs" justify="flex-end">
      <AsyncButton
        size="compact-sm"
        variant="light"
        leftSection={<IconRestore size={14} aria-hidden />}
        aria-label={`${t('restore')}: ${title}`}
        onPress={restore}
      >
        {t('restore')}
      </AsyncButton>
      <ConfirmButton
        size="compact-sm"
        variant="subtle"
        color="red"
        leftSection={<IconTrash size={14} aria-hidden />}
        aria-label={`${t('purge')}: ${title}`}
        question={t('purgeQuestion', { title })}
        explanation={t('deleteForGood')}
        onConfirm={purge}
      >
        {t('purge')}
      </ConfirmButton>
    </Group>
  )
}

const TrashTable = ({ schema, records }: { readonly schema: Schema; readonly records: readonly Item[] }) => {
  const t = useText(resourceTexts)
  const words = useWords()
  const fields = fieldsFor(schema, 'list').filter(({ name }) => name !== schema.label)
  const columns: readonly SimpleColumn<Item>[] = [
    { key: 'title', title: t('name'), render: record => <bdi>{titleOf(schema, record)}</bdi> },
    {
      key: 'deleted',
      title: t('deletedWhen'),
      render: ({ deletedDate }) => (typeof deletedDate === 'string' ? words.formats.dateTime(deletedDate) : ''),
    },
    { key: 'by', title: t('deletedBy'), render: ({ deletedBy }) => <bdi>{relatedText(deletedBy, userRelation)}</bdi> },
    ...fields.slice(0, columnCount).map(field => ({
      key: field.name,
      title: field.label,
      render: (record: Item) => <bdi>{valueText(record[field.name], field, words)}</bdi>,
    })),
    {
      key: 'actions',
      title: t('actions'),
      hideTitle: true,
      align: 'right',
      render: record => <Actions schema={schema} record={record} />,
    },
  ]
  return (
    <SimpleTable
      caption={t('trashOf', { title: schema.title })}
      rows={records}
      rowKey={({ pk }) => pk}
      columns={columns}
    />
  )
}

export const TrashPage = ({ schema }: { readonly schema: Schema }) => {
  const t = useText(resourceTexts)
  const common = useText(commonTexts)
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useTrash(schema.pathFragment)
  const records = data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <>
      <PageHeader
        title={t('trashOf', { title: schema.title })}
        description={t('trashAbout')}
        parent={{ ...wayBackTo(schema.pathFragment), label: schema.title }}
      />
      <Stack gap="sm">
        <ProblemAlert error={error} onRetry={() => void refetch()} />
        {!data && error === null && <Loading />}
        {data && records.length === 0 && <Empty title={t('trashEmpty')} icon={IconTrash} />}
        {records.length > 0 && <TrashTable schema={schema} records={records} />}
        {hasNextPage && (
          <Group justify="center">
            <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {common('showMore')}
            </Button>
          </Group>
        )}
      </Stack>
    </>
  )
}

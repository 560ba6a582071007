// What went wrong: each kind of failure once with its count, or every single error.

import { Anchor, Badge, Button, Group, SegmentedControl, Text } from '@mantine/core'
import { Empty, Loading, ProblemAlert, type SimpleColumn, SimpleTable, useTexts } from '@plinth/web'
import { IconBug, IconBugOff } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import { managementTexts } from './dictionary.ts'
import { client, type ErrorLog, type RecordedError } from './service.ts'
import { useRecordCount, useRecords } from './use-records.tsx'
import { When } from './when.tsx'

const { allErrors, errorLogs } = client

export const placeOf = ({ requestMethod, requestUrl, viewUrl }: RecordedError): string =>
  requestUrl ? `${requestMethod ?? ''} ${requestUrl}`.trim() : (viewUrl ?? '')

interface ViewProps {
  readonly onShowEach: () => void
}

/** The service has not failed, but clients may have reported errors. */
const NoFailures = ({ onShowEach }: ViewProps) => {
  const t = useTexts(managementTexts)
  const { rows, total, error, retry } = useRecords('allErrors', allErrors, { sort: '-createdDate' })
  if (error) return <ProblemAlert error={error} onRetry={retry} />
  if (!rows) return <Loading />
  return (
    <div className="surface">
      {total === 0 ? (
        <Empty icon={IconBugOff} title={t('noErrors')} text={t('noErrorsText')} />
      ) : (
        <Empty icon={IconBug} title={t('noFailures')} text={t('otherErrors', { count: total })}>
          <Button variant="default" onClick={onShowEach}>
            {t('showErrors')}
          </Button>
        </Empty>
      )}
    </div>
  )
}

const ErrorLogs = ({ onShowEach }: ViewProps) => {
  const t = useTexts(managementTexts)
  const { rows, error, retry, more } = useRecords('errorLogs', errorLogs, { sort: '-lastOccurred' })
  if (error) return <ProblemAlert error={error} onRetry={retry} />
  if (!rows) return <Loading />
  if (rows.length === 0) return <NoFailures onShowEach={onShowEach} />
  const columns: readonly SimpleColumn<ErrorLog>[] = [
    {
      key: 'cause',
      title: t('cause'),
      render: ({ pk, rootCauseMessage }) => (
        <Anchor component={Link} to={`/management/errors/logs/${encodeURIComponent(pk)}`} size="sm">
          {rootCauseMessage || pk.slice(0, 12)}
        </Anchor>
      ),
    },
    {
      key: 'count',
      title: t('count'),
      align: 'right',
      nowrap: true,
      render: ({ errorCount }) => t('times', { count: errorCount }),
    },
    { key: 'first', title: t('first'), nowrap: true, render: ({ firstOccurred }) => <When iso={firstOccurred} /> },
    { key: 'last', title: t('last'), nowrap: true, render: ({ lastOccurred }) => <When iso={lastOccurred} /> },
  ]
  return (
    <>
      <SimpleTable caption={t('kinds')} rows={rows} rowKey={({ pk }) => pk} columns={columns} />
      {more}
    </>
  )
}

interface ErrorListProps {
  readonly caption: string
  readonly filter: string | undefined
}

export const ErrorList = ({ caption, filter }: ErrorListProps) => {
  const t = useTexts(managementTexts)
  const { rows, error, retry, more } = useRecords('allErrors', allErrors, { sort: '-createdDate', filter })
  if (error) return <ProblemAlert error={error} onRetry={retry} />
  if (!rows) return <Loading />
  if (rows.length === 0)
    return (
      <div className="surface">
        <Empty icon={IconBugOff} title={t('noErrors')} text={t('noErrorsText')} />
      </div>
    )
  const columns: readonly SimpleColumn<RecordedError>[] = [
    { key: 'when', title: t('when'), nowrap: true, render: ({ createdDate }) => <When iso={createdDate} /> },
    {
      key: 'kind',
      title: t('kind'),
      render: ({ kind }) => (
        <Badge variant="light" color={kind === 'system' ? 'red' : 'orange'} tt="none">
          {t(kind === 'system' ? 'kindSystem' : 'kindClient')}
        </Badge>
      ),
    },
    {
      key: 'message',
      title: t('message'),
      render: ({ pk, message }) => (
        <Anchor component={Link} to={`/management/errors/${encodeURIComponent(pk)}`} size="sm" lineClamp={3}>
          {message}
        </Anchor>
      ),
    },
    { key: 'where', title: t('where'), render: row => <Text size="sm">{placeOf(row)}</Text> },
    { key: 'by', title: t('by'), nowrap: true, render: ({ createdBy }) => createdBy?.username ?? t('anonymous') },
  ]
  return (
    <>
      <SimpleTable caption={caption} rows={rows} rowKey={({ pk }) => pk} columns={columns} />
      {more}
    </>
  )
}

const Counted = ({ label, count }: { readonly label: string; readonly count: number | undefined }) => (
  <Group gap={6} wrap="nowrap" justify="center">
    {label}
    {count !== undefined && (
      <Badge size="sm" variant="light" color={count > 0 ? 'red' : 'gray'}>
        {count}
      </Badge>
    )}
  </Group>
)

const kinds = { any: undefined, client: 'kind==client', system: 'kind==system' } as const
const isKind = (text: string | null): text is keyof typeof kinds => text !== null && Object.hasOwn(kinds, text)

export const ErrorsPage = () => {
  const t = useTexts(managementTexts)
  const [search, setSearch] = useSearchParams()
  const isSingle = search.get('view') === 'each'
  const kindParameter = search.get('kind')
  const kind = isKind(kindParameter) ? kindParameter : 'any'
  const failures = useRecordCount('errorLogs')
  const errors = useRecordCount('allErrors')
  const showEach = () => setSearch({ view: 'each' }, { replace: true })
  return (
    <>
      <Group mb="md">
        <SegmentedControl
          aria-label={t('view')}
          value={isSingle ? 'each' : 'kinds'}
          onChange={value => (value === 'each' ? showEach() : setSearch({}, { replace: true }))}
          data={[
            { value: 'kinds', label: <Counted label={t('kinds')} count={failures} /> },
            { value: 'each', label: <Counted label={t('occurrences')} count={errors} /> },
          ]}
        />
        {isSingle && (
          <SegmentedControl
            aria-label={t('kind')}
            value={kind}
            onChange={value => setSearch({ view: 'each', kind: value }, { replace: true })}
            data={[
              { value: 'any', label: t('kindAny') },
              { value: 'system', label: t('kindSystem') },
              { value: 'client', label: t('kindClient') },
            ]}
          />
        )}
      </Group>
      {isSingle ? <ErrorList caption={t('occurrences')} filter={kinds[kind]} /> : <ErrorLogs onShowEach={showEach} />}
    </>
  )
}

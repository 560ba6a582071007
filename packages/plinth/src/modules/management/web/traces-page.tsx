import { Badge, Group, Switch, Text, TextInput } from '@mantine/core'
import { Empty, get, Loading, ProblemAlert, type SimpleColumn, SimpleTable, useFormats, useTexts } from '@plinth/web'
import { IconRoute } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { managementTexts } from './dictionary.ts'
import { Facts } from './facts.tsx'
import classes from './management.module.css'
import { client } from './service.ts'

interface Trace {
  readonly timestamp: number
  readonly info: {
    readonly method: string
    readonly path: string
    readonly timeTaken: number
    readonly requestId?: string
    readonly remoteAddress?: string
    readonly principal?: string | null
    readonly headers: {
      readonly request: Readonly<Record<string, string>>
      readonly response: Readonly<Record<string, string>>
    }
  }
}

const statusOf = ({ info }: Trace): number => Number(info.headers.response.status ?? 0)

const colourOf = (status: number): string => (status >= 500 ? 'red' : status >= 400 ? 'orange' : 'teal')

/** The traces name callers by their pk. */
const useUserNames = (traces: readonly Trace[]): ReadonlyMap<string, string> => {
  const pks = [...new Set(traces.flatMap(({ info }) => info.principal ?? []))].sort()
  const { data } = useQuery({
    queryKey: ['management', 'names', pks],
    queryFn: async ({ signal }) => {
      const found = await client.users.getMany(pks, { fields: ['username'], signal })
      return new Map(found.map(({ pk, username }) => [pk, username]))
    },
    enabled: pks.length > 0,
    staleTime: 300_000,
  })
  return data ?? new Map()
}

/** Shows details when they are opened: there are many rows, and few are looked at. */
const Details = ({ trace: { requestId, remoteAddress, headers } }: { readonly trace: Trace['info'] }) => {
  const t = useTexts(managementTexts)
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={classes.details} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{t('details')}</summary>
      {isOpen && (
        <Facts
          facts={[
            [t('requestId'), requestId ?? ''],
            [t('address'), remoteAddress ?? ''],
            ...Object.entries(headers.request),
          ]}
        />
      )}
    </details>
  )
}

const useColumns = (traces: readonly Trace[]): readonly SimpleColumn<Trace>[] => {
  const t = useTexts(managementTexts)
  const formats = useFormats()
  const names = useUserNames(traces)
  const nameOf = (principal: string | null | undefined): string =>
    principal ? (names.get(principal) ?? principal) : t('anonymous')
  return [
    {
      key: 'when',
      title: t('when'),
      nowrap: true,
      render: ({ timestamp }) => formats.time(new Date(timestamp).toISOString()),
    },
    {
      key: 'status',
      title: t('status'),
      render: trace => (
        <Badge variant="light" color={colourOf(statusOf(trace))}>
          {statusOf(trace)}
        </Badge>
      ),
    },
    {
      key: 'path',
      title: t('path'),
      render: ({ info }) => (
        <>
          <Text size="sm" className={classes.code ?? ''}>
            {info.method} {info.path}
          </Text>
          <Details trace={info} />
        </>
      ),
    },
    { key: 'caller', title: t('caller'), render: ({ info }) => nameOf(info.principal) },
    {
      key: 'duration',
      title: t('duration'),
      align: 'right',
      nowrap: true,
      render: ({ info }) => t('milliseconds', { count: info.timeTaken }),
    },
  ]
}

const TracesPage = () => {
  const t = useTexts(managementTexts)
  const [isLive, setLive] = useState(false)
  const [text, setText] = useState('')
  const [onlyFailed, setOnlyFailed] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['management', 'traces'],
    queryFn: ({ signal }) => get<readonly Trace[]>('/api/management/trace', { signal }),
    refetchInterval: isLive ? 3000 : false,
    refetchOnMount: 'always',
  })
  const columns = useColumns(data ?? [])
  const rows = (data ?? []).filter(
    trace =>
      `${trace.info.method} ${trace.info.path}`.toLowerCase().includes(text.trim().toLowerCase()) &&
      (!onlyFailed || statusOf(trace) >= 400),
  )
  return (
    <>
      <Group gap="lg" align="flex-end" mb="md">
        <TextInput
          type="search"
          label={t('filterPath')}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          style={{ flex: '1 1 14rem', maxWidth: 320 }}
        />
        <Switch
          label={t('onlyFailed')}
          checked={onlyFailed}
          onChange={event => setOnlyFailed(event.currentTarget.checked)}
        />
        <Switch label={t('live')} checked={isLive} onChange={event => setLive(event.currentTarget.checked)} />
      </Group>
      {error ? (
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : rows.length === 0 ? (
        <div className="surface">
          <Empty icon={IconRoute} title={t(data.length === 0 ? 'noTraces' : 'nothingFound')} />
        </div>
      ) : (
        <SimpleTable
          caption={t('traces')}
          rows={rows}
          rowKey={({ timestamp, info }) => `${timestamp} ${info.requestId}`}
          columns={columns}
        />
      )}
    </>
  )
}

export default TracesPage

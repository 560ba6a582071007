import { Group, Select, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Empty, get, Loading, ProblemAlert, SimpleTable, useFormats, useTexts } from '@plinth/web'
import { IconHistory } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { managementTexts } from './dictionary.ts'
import { usePortion } from './use-portion.tsx'

interface AuditEvent {
  readonly timestamp: string
  readonly principal: string | null
  readonly type: string
  readonly data: Readonly<Record<string, string>>
}

/** What the service tells at once, at most. */
const most = 1000

interface Narrowing {
  readonly principal: string
  readonly type: string | null
  /** The time as the browser's own input writes it: without a zone. */
  readonly after: string
}

const useEvents = ({ principal, type, after }: Narrowing) =>
  useQuery({
    queryKey: ['management', 'audit', principal, type, after],
    queryFn: async ({ signal }) => {
      const from = after === '' ? undefined : new Date(after).toISOString()
      const query = { principal: principal.trim(), type, after: from }
      const { events } = await get<{ events: readonly AuditEvent[] }>('/api/management/auditevents', { query, signal })
      return events.toReversed()
    },
    placeholderData: keepPreviousData,
  })

/** Every type that has occurred so far, and the chosen one. */
const useTypes = (chosen: string | null): readonly string[] => {
  const { data = [] } = useEvents({ principal: '', type: null, after: '' })
  const known = new Set(data.map(({ type }) => type))
  if (chosen) known.add(chosen)
  return [...known].sort()
}

const AuditPage = () => {
  const t = useTexts(managementTexts)
  const [narrowing, setNarrowing] = useState<Narrowing>({ principal: '', type: null, after: '' })
  const [settled] = useDebouncedValue(narrowing, 300)
  const { data, error, refetch } = useEvents(settled)
  const types = useTypes(narrowing.type)
  const change = (part: Partial<Narrowing>) => setNarrowing({ ...narrowing, ...part })
  return (
    <>
      <Group gap="sm" align="flex-end" mb="md">
        <TextInput
          label={t('principal')}
          placeholder={t('principalHint')}
          value={narrowing.principal}
          onChange={event => change({ principal: event.currentTarget.value })}
          style={{ flex: '1 1 12rem', maxWidth: 240 }}
        />
        <Select
          label={t('eventType')}
          placeholder={t('anyType')}
          data={types}
          value={narrowing.type}
          onChange={type => change({ type })}
          clearable
          searchable
          clearButtonProps={{ 'aria-label': t('anyType') }}
          style={{ flex: '1 1 14rem', maxWidth: 300 }}
        />
        <TextInput
          type="datetime-local"
          label={t('after')}
          value={narrowing.after}
          onChange={event => change({ after: event.currentTarget.value })}
          style={{ flex: '1 1 12rem', maxWidth: 240 }}
        />
      </Group>
      {error ? (
        <ProblemAlert error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Events events={data} />
      ) : (
        <Loading />
      )}
    </>
  )
}

const Events = ({ events }: { readonly events: readonly AuditEvent[] }) => {
  const t = useTexts(managementTexts)
  const formats = useFormats()
  const { portion, more } = usePortion(events)
  if (events.length === 0)
    return (
      <div className="surface">
        <Empty icon={IconHistory} title={t('noEvents')} />
      </div>
    )
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {events.length < most ? t('eventCount', { count: events.length }) : t('eventLimit', { count: most })}
      </Text>
      <SimpleTable
        caption={t('audit')}
        rows={portion.map((event, index) => ({ ...event, id: `${events.length - index}` }))}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'when',
            title: t('when'),
            nowrap: true,
            render: ({ timestamp }) => <time dateTime={timestamp}>{formats.dateTime(timestamp)}</time>,
          },
          { key: 'principal', title: t('principal'), render: ({ principal }) => principal ?? t('anonymous') },
          { key: 'type', title: t('eventType'), nowrap: true, render: ({ type }) => <Text size="sm">{type}</Text> },
          {
            key: 'details',
            title: t('details'),
            render: ({ data }) => (
              <Text size="sm" c="dimmed">
                {Object.entries(data)
                  .map(([name, value]) => `${name}: ${value}`)
                  .join(', ')}
              </Text>
            ),
          },
        ]}
      />
      {more}
    </>
  )
}

export default AuditPage

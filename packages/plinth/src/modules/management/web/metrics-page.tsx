import { Group, SegmentedControl, SimpleGrid, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import { get, Loading, ProblemAlert, SimpleTable, useFormats, useTexts } from '@plinth/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { managementTexts } from './dictionary.ts'
import classes from './management.module.css'
import { type Chart, charts, type Metrics, type Point, type Sample } from './metric-series.ts'

const MetricChart = lazy(() => import('./metric-chart.tsx'))

const samplesKey = ['management', 'metrics']
const everyMs = 3000
/** Six minutes. */
const most = 120

/** The service keeps no history of its numbers: each reading is added to those before. */
const useSamples = (isLive: boolean) => {
  const client = useQueryClient()
  return useQuery({
    queryKey: samplesKey,
    queryFn: async ({ signal }): Promise<readonly Sample[]> => {
      const values = await get<Metrics>('/api/management/metrics', { signal })
      const before = client.getQueryData<readonly Sample[]>(samplesKey) ?? []
      return [...before, { at: Date.now(), values }].slice(-most)
    },
    refetchInterval: isLive ? everyMs : false,
    structuralSharing: false,
  })
}

const PointTable = ({ chart, points }: { readonly chart: Chart; readonly points: readonly Point[] }) => {
  const t = useTexts(managementTexts)
  const formats = useFormats()
  return (
    <SimpleTable
      caption={t(chart.name)}
      rows={points.slice(-10).toReversed()}
      rowKey={({ at }) => String(at)}
      columns={[
        { key: 'at', title: t('time'), nowrap: true, render: ({ at }) => formats.time(new Date(at).toISOString()) },
        ...chart.series.map(({ key }) => ({
          key,
          title: t(key),
          align: 'right' as const,
          render: (point: Point) => `${formats.number(point[key] ?? 0)}${chart.unit}`,
        })),
      ]}
    />
  )
}

interface ChartCardProps {
  readonly chart: Chart
  readonly samples: readonly Sample[]
  readonly form: 'charts' | 'table'
}

const ChartCard = ({ chart, samples, form }: ChartCardProps) => {
  const t = useTexts(managementTexts)
  const points = chart.points(samples)
  return (
    <Stack component="section" className={form === 'charts' ? 'surface' : ''} p={form === 'charts' ? 'md' : 0} gap="xs">
      <Title order={2} size="h5">
        {t(chart.name)}
      </Title>
      {points.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('gathering')}
        </Text>
      ) : form === 'table' ? (
        <PointTable chart={chart} points={points} />
      ) : (
        <div className={classes.chart}>
          <Suspense fallback={<Loading rows={3} />}>
            <MetricChart chart={chart} points={points} />
          </Suspense>
        </div>
      )}
    </Stack>
  )
}

const Numbers = ({ values }: { readonly values: Metrics }) => {
  const t = useTexts(managementTexts)
  const formats = useFormats()
  const [text, setText] = useState('')
  const rows = Object.entries(values).filter(([name]) => name.toLowerCase().includes(text.trim().toLowerCase()))
  return (
    <Stack component="section" mt="lg" gap="sm">
      <Title order={2} size="h5">
        {t('numbers')}
      </Title>
      <TextInput
        type="search"
        label={t('filterNumbers')}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        maw={320}
      />
      {rows.length === 0 ? (
        <Text c="dimmed">{t('nothingFound')}</Text>
      ) : (
        <SimpleTable
          caption={t('numbers')}
          rows={rows}
          rowKey={([name]) => name}
          columns={[
            { key: 'name', title: t('number'), render: ([name]) => <span className={classes.code}>{name}</span> },
            { key: 'value', title: t('value'), align: 'right', render: ([, value]) => formats.number(value) },
          ]}
        />
      )}
    </Stack>
  )
}

const MetricsPage = () => {
  const t = useTexts(managementTexts)
  const [isLive, setLive] = useState(true)
  const [form, setForm] = useState<'charts' | 'table'>('charts')
  const { data: samples = [], error, refetch } = useSamples(isLive)
  const latest = samples.at(-1)
  return (
    <>
      <Group justify="space-between" mb="md">
        <SegmentedControl
          aria-label={t('showAs')}
          value={form}
          onChange={value => setForm(value === 'table' ? 'table' : 'charts')}
          data={[
            { value: 'charts', label: t('charts') },
            { value: 'table', label: t('table') },
          ]}
        />
        <Switch
          label={t('live')}
          description={t('liveHint')}
          checked={isLive}
          onChange={event => setLive(event.currentTarget.checked)}
        />
      </Group>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!latest && !error && <Loading />}
      {latest && (
        <>
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
            {charts.map(chart => (
              <ChartCard key={chart.name} chart={chart} samples={samples} form={form} />
            ))}
          </SimpleGrid>
          <Numbers values={latest.values} />
        </>
      )}
    </>
  )
}

export default MetricsPage

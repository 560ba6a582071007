import { Badge, Button, Group, Text } from '@mantine/core'
import {
  AsyncButton,
  Dialog,
  Loading,
  notify,
  ProblemAlert,
  type SimpleColumn,
  SimpleTable,
  useLanguage,
  useTexts,
} from '@plinth/web'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { jobsKey, type RecordedRun, runJob, type ScheduledJob, useJob, useJobs } from './jobs.ts'
import { jobTexts } from './jobs-dictionary.ts'
import { When } from './when.tsx'

const colours = { running: 'blue', succeeded: 'teal', failed: 'red', interrupted: 'yellow' } as const

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** Returns a function that writes a duration in the largest unit that it reaches. */
const useDuration = (): ((ms: number) => string) => {
  const language = useLanguage()
  return ms => {
    const [unit, size] = units.find(([, size]) => ms >= size) ?? (['millisecond', 1] as const)
    const format = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const
    return new Intl.NumberFormat(language, format).format(ms / size)
  }
}

const RunResult = ({ status, startedBy, error }: RecordedRun) => {
  const t = useTexts(jobTexts)
  return (
    <>
      <Badge variant="light" color={colours[status]} tt="none">
        {t(status)}
      </Badge>
      {startedBy && <Text size="xs">{t('startedBy', { user: startedBy })}</Text>}
      {error && (
        <Text size="xs" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
    </>
  )
}

const useRunColumns = (): readonly SimpleColumn<RecordedRun>[] => {
  const t = useTexts(jobTexts)
  const duration = useDuration()
  return [
    { key: 'started', title: t('startTime'), nowrap: true, render: ({ started }) => <When iso={started} /> },
    { key: 'result', title: t('result'), render: run => <RunResult {...run} /> },
    {
      key: 'duration',
      title: t('duration'),
      nowrap: true,
      render: ({ durationMs }) => (durationMs === null ? '–' : duration(durationMs)),
    },
  ]
}

const History = ({ name }: { readonly name: string }) => {
  const t = useTexts(jobTexts)
  const columns = useRunColumns()
  const { data, error, refetch } = useJob(name)
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  if (data.runs.length === 0) return <Text c="dimmed">{t('never')}</Text>
  return (
    <SimpleTable caption={t('historyOf', { name })} rows={data.runs} rowKey={run => run.started} columns={columns} />
  )
}

const Actions = ({
  job: { name, isRunning },
  onHistory,
}: {
  readonly job: ScheduledJob
  readonly onHistory: () => void
}) => {
  const t = useTexts(jobTexts)
  const client = useQueryClient()
  const run = async () => {
    await runJob(name)
    notify(t('started', { name }))
    await client.invalidateQueries({ queryKey: jobsKey })
  }
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <Button size="xs" variant="default" onClick={onHistory} aria-label={t('showHistory', { name })}>
        {t('history')}
      </Button>
      <AsyncButton size="xs" onPress={run} disabled={isRunning} aria-label={t('runNamed', { name })}>
        {t('runNow')}
      </AsyncButton>
    </Group>
  )
}

const useJobColumns = (onHistory: (name: string) => void): readonly SimpleColumn<ScheduledJob>[] => {
  const t = useTexts(jobTexts)
  const duration = useDuration()
  const scheduleOf = ({ cron, timeZone, everyMs }: ScheduledJob): string =>
    cron === null
      ? t('everyInterval', { interval: duration(everyMs ?? 0) })
      : t('cronIn', { cron, timeZone: timeZone ?? 'UTC' })
  return [
    {
      key: 'name',
      title: t('job'),
      render: ({ name, about }) => (
        <>
          <Text fw={600}>{name}</Text>
          {about && <Text size="xs">{about}</Text>}
        </>
      ),
    },
    { key: 'schedule', title: t('schedule'), render: scheduleOf },
    {
      key: 'last',
      title: t('lastRun'),
      render: ({ lastRun }) =>
        lastRun ? (
          <>
            <When iso={lastRun.started} /> <RunResult {...lastRun} />
          </>
        ) : (
          t('never')
        ),
    },
    {
      key: 'duration',
      title: t('duration'),
      nowrap: true,
      render: ({ lastRun }) => (typeof lastRun?.durationMs === 'number' ? duration(lastRun.durationMs) : '–'),
    },
    { key: 'next', title: t('nextRun'), nowrap: true, render: ({ nextRun }) => <When iso={nextRun} /> },
    {
      key: 'actions',
      title: t('actions'),
      hideTitle: true,
      align: 'right',
      render: job => <Actions job={job} onHistory={() => onHistory(job.name)} />,
    },
  ]
}

const JobsPage = () => {
  const t = useTexts(jobTexts)
  const [history, setHistory] = useState<string | null>(null)
  const columns = useJobColumns(setHistory)
  const { data, error, refetch } = useJobs()
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  return (
    <>
      <SimpleTable caption={t('jobs')} rows={data} rowKey={({ name }) => name} columns={columns} />
      <Dialog
        opened={history !== null}
        onClose={() => setHistory(null)}
        title={history === null ? '' : t('historyOf', { name: history })}
        size="lg"
      >
        {history !== null && <History name={history} />}
      </Dialog>
    </>
  )
}

export default JobsPage

import { Badge, NativeSelect, Text, TextInput } from '@mantine/core'
import { get, Loading, notify, ProblemAlert, request, SimpleTable, useTexts } from '@plinth/web'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { managementTexts } from './dictionary.ts'

interface Level {
  readonly configuredLevel: string | null
  readonly effectiveLevel: string
}

interface Loggers {
  readonly levels: readonly string[]
  readonly loggers: Readonly<Record<string, Level>>
}

const loggersKey = ['management', 'loggers']

const colours: Readonly<Record<string, string>> = {
  OFF: 'gray',
  FATAL: 'red',
  ERROR: 'red',
  WARN: 'yellow',
  INFO: 'teal',
  DEBUG: 'indigo',
  TRACE: 'grape',
}

interface LevelSelectProps {
  readonly name: string
  readonly level: Level
  readonly levels: readonly string[]
}

const LevelSelect = ({ name, level, levels }: LevelSelectProps) => {
  const t = useTexts(managementTexts)
  const client = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (configuredLevel: string | null) => {
      const path = `/api/management/loggers/${encodeURIComponent(name)}`
      return (await request<Level>(path, { method: 'POST', body: { configuredLevel } })).body
    },
    onSuccess: ({ effectiveLevel }) => notify(t('levelDone', { name, level: effectiveLevel })),
    onSettled: () => client.invalidateQueries({ queryKey: loggersKey }),
  })
  const choices = levels.map(one => ({ value: one, label: one }))
  return (
    <>
      <NativeSelect
        aria-label={t('levelOf', { name })}
        data={name === 'ROOT' ? choices : [{ value: '', label: t('inherited') }, ...choices]}
        value={level.configuredLevel ?? ''}
        onChange={event => mutate(event.currentTarget.value || null)}
        disabled={isPending}
        maw={180}
      />
      <ProblemAlert error={error} />
    </>
  )
}

const LoggersPage = () => {
  const t = useTexts(managementTexts)
  const [text, setText] = useState('')
  const { data, error, refetch } = useQuery({
    queryKey: loggersKey,
    queryFn: ({ signal }) => get<Loggers>('/api/management/loggers', { signal }),
  })
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const rows = Object.entries(data.loggers).filter(([name]) => name.toLowerCase().includes(text.trim().toLowerCase()))
  return (
    <>
      <TextInput
        type="search"
        label={t('filterLoggers')}
        description={t('loggersHint')}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        maw={480}
        mb="md"
      />
      {rows.length === 0 ? (
        <Text c="dimmed">{t('nothingFound')}</Text>
      ) : (
        <SimpleTable
          caption={t('loggers')}
          rows={rows}
          rowKey={([name]) => name}
          columns={[
            { key: 'name', title: t('logger'), render: ([name]) => <Text fw={600}>{name}</Text> },
            {
              key: 'effective',
              title: t('effective'),
              render: ([, { effectiveLevel }]) => (
                <Badge variant="light" color={colours[effectiveLevel] ?? 'gray'}>
                  {effectiveLevel}
                </Badge>
              ),
            },
            {
              key: 'level',
              title: t('level'),
              render: ([name, level]) => <LevelSelect name={name} level={level} levels={data.levels} />,
            },
          ]}
        />
      )}
    </>
  )
}

export default LoggersPage

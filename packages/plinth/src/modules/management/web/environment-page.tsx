import { Badge, Group, Switch, Text, TextInput } from '@mantine/core'
import { get, Loading, ProblemAlert, SimpleTable, useTexts } from '@plinth/web'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { managementTexts } from './dictionary.ts'
import classes from './management.module.css'

const sources = [
  'commandLineArgs',
  'systemEnvironment',
  'applicationConfig',
  'applicationDefaults',
  'defaultProperties',
  'systemProperties',
] as const
type Source = (typeof sources)[number]

type Environment = Readonly<Record<Source, Readonly<Record<string, string>>>> & { readonly profiles: readonly string[] }

interface Setting {
  readonly name: string
  readonly value: string
  readonly source: Source
}

const settingsOf = (environment: Environment): readonly Setting[] =>
  sources
    .flatMap(source => Object.entries(environment[source] ?? {}).map(([name, value]) => ({ name, value, source })))
    .sort((left, right) => (left.name < right.name ? -1 : 1))

const isOwn = ({ source }: Setting): boolean => source !== 'defaultProperties' && source !== 'systemProperties'

const EnvironmentPage = () => {
  const t = useTexts(managementTexts)
  const [text, setText] = useState('')
  const [onlyChanged, setOnlyChanged] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['management', 'environment'],
    queryFn: ({ signal }) => get<Environment>('/api/management/env', { signal }),
  })
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const term = text.trim().toLowerCase()
  const rows = settingsOf(data).filter(
    setting => `${setting.name} ${setting.value}`.toLowerCase().includes(term) && (!onlyChanged || isOwn(setting)),
  )
  return (
    <>
      <Group gap="lg" align="flex-end" mb="md">
        <TextInput
          type="search"
          label={t('filterSettings')}
          description={t('secretsHint')}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          style={{ flex: '1 1 16rem', maxWidth: 400 }}
        />
        <Switch
          label={t('onlyChanged')}
          checked={onlyChanged}
          onChange={event => setOnlyChanged(event.currentTarget.checked)}
        />
        {data.profiles.map(profile => (
          <Badge key={profile} variant="light">
            {profile}
          </Badge>
        ))}
      </Group>
      {rows.length === 0 ? (
        <Text c="dimmed">{t('nothingFound')}</Text>
      ) : (
        <SimpleTable
          caption={t('environment')}
          rows={rows}
          rowKey={({ name, source }) => `${source} ${name}`}
          columns={[
            { key: 'name', title: t('setting'), render: ({ name }) => <span className={classes.code}>{name}</span> },
            {
              key: 'value',
              title: t('value'),
              render: ({ value }) =>
                value === '' ? (
                  <Text span size="sm" c="dimmed" fs="italic">
                    {t('empty')}
                  </Text>
                ) : (
                  <span className={classes.code}>{value}</span>
                ),
            },
            {
              key: 'source',
              title: t('source'),
              nowrap: true,
              render: setting => (
                <Badge variant="light" color={isOwn(setting) ? 'brand' : 'gray'} tt="none">
                  {t(setting.source)}
                </Badge>
              ),
            },
          ]}
        />
      )}
    </>
  )
}

export default EnvironmentPage

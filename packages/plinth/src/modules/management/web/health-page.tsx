import { Alert, Anchor, Badge, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { get, Loading, ProblemAlert, useFormats, useTexts } from '@plinth/web'
import { IconHeartBroken, IconHeartbeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { managementTexts } from './dictionary.ts'
import { useAttention } from './examination.ts'
import { Facts } from './facts.tsx'
import { type HealthPart, type HealthState, isPart, useHealth } from './health.ts'

const colours: Readonly<Record<HealthState, string>> = { UP: 'teal', DOWN: 'red', UNKNOWN: 'yellow' }

const ConditionBadge = ({ status }: { readonly status: HealthState }) => {
  const t = useTexts(managementTexts)
  return (
    <Badge variant="light" color={colours[status] ?? 'gray'} tt="none">
      {t(status)}
    </Badge>
  )
}

const titles: Readonly<Record<string, 'partDb' | 'partDiskSpace' | 'partMail' | 'partNodes'>> = {
  db: 'partDb',
  diskSpace: 'partDiskSpace',
  mail: 'partMail',
  nodes: 'partNodes',
}

const details: Readonly<
  Record<string, 'location' | 'mailsWaiting' | 'mailsFailed' | 'database' | 'total' | 'free' | 'threshold'>
> = {
  location: 'location',
  waiting: 'mailsWaiting',
  failed: 'mailsFailed',
  database: 'database',
  total: 'total',
  free: 'free',
  threshold: 'threshold',
}

/** The values that are shown as sizes in bytes. */
const sizes = new Set(['total', 'free', 'threshold'])

const useFacts = () => {
  const t = useTexts(managementTexts)
  const formats = useFormats()
  const show = (name: string, value: unknown): ReactNode => {
    if (isPart(value)) return <ConditionBadge status={value.status} />
    if (typeof value === 'number') return sizes.has(name) ? formats.bytes(value) : formats.number(value)
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
  return (part: object): readonly (readonly [string, ReactNode])[] =>
    Object.entries(part)
      .filter(([name]) => name !== 'status')
      .map(([name, value]) => [isPart(value) ? name : details[name] ? t(details[name]) : name, show(name, value)])
}

const PartCard = ({ name, part }: { readonly name: string; readonly part: HealthPart }) => {
  const t = useTexts(managementTexts)
  const factsOf = useFacts()
  const title = titles[name]
  return (
    <Stack component="section" className="surface" p="md" gap="xs">
      <Group justify="space-between">
        <Title order={2} size="h5">
          {title ? t(title) : name}
        </Title>
        <ConditionBadge status={part.status} />
      </Group>
      <Facts facts={factsOf(part)} />
    </Stack>
  )
}

/** `{app: {name}}` → `app.name`. */
const flat = (value: object, prefix = ''): readonly (readonly [string, string])[] =>
  Object.entries(value).flatMap(([name, one]): readonly (readonly [string, string])[] => {
    if (typeof one === 'object' && one !== null && !Array.isArray(one)) return flat(one, `${prefix}${name}.`)
    return [[prefix + name, typeof one === 'string' ? one : JSON.stringify(one)]]
  })

const Build = () => {
  const t = useTexts(managementTexts)
  const { data } = useQuery({
    queryKey: ['management', 'info'],
    queryFn: ({ signal }) => get<Readonly<Record<string, unknown>>>('/api/management/info', { signal }),
    staleTime: 300_000,
  })
  if (!data) return null
  const { nodes: _, ...info } = data
  return (
    <Stack component="section" className="surface" p="md" gap="xs">
      <Title order={2} size="h5">
        {t('build')}
      </Title>
      <Facts facts={flat(info)} />
    </Stack>
  )
}

const HealthPage = () => {
  const t = useTexts(managementTexts)
  const formats = useFormats()
  const { data, error, refetch, dataUpdatedAt } = useHealth({ isLive: true })
  const { errors, warnings } = useAttention()
  if (error) return <ProblemAlert error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading />
  const isDown = data.status === 'DOWN'
  const hasFindings = !isDown && errors + warnings > 0
  return (
    <>
      <Alert
        color={hasFindings && errors > 0 ? 'yellow' : colours[data.status]}
        variant="light"
        role="status"
        icon={isDown ? <IconHeartBroken aria-hidden /> : <IconHeartbeat aria-hidden />}
        title={t(isDown ? 'notWell' : hasFindings ? 'running' : 'allWell')}
        mb="md"
      >
        {hasFindings && (
          <Text size="sm">
            <Anchor component={Link} to="/management/doctor" inherit>
              {t('findings', { count: errors + warnings })}
            </Anchor>
          </Text>
        )}
        <Text size="sm">{t('refreshedAt', { time: formats.time(new Date(dataUpdatedAt).toISOString()) })}</Text>
      </Alert>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        {Object.entries(data).map(([name, part]) => isPart(part) && <PartCard key={name} name={name} part={part} />)}
        <Build />
      </SimpleGrid>
    </>
  )
}

export default HealthPage

import { Badge, Group, Stack, Text } from '@mantine/core'
import {
  AsyncButton,
  ConfirmButton,
  get,
  Loading,
  notify,
  ProblemAlert,
  request,
  useFormats,
  useTexts,
} from '@plinth/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { accountTexts } from './dictionary.ts'
import { Section } from './section.tsx'

interface DeviceSession {
  readonly id: string
  readonly created: string
  readonly lastUsed: string
  readonly userAgent: string | null
  readonly address: string | null
  readonly remembered: boolean
  readonly current: boolean
}

const path = '/api/auth/sessions'
const key = ['sessions']

/** The program and the system, out of the long text by which browsers call themselves. */
const deviceOf = (agent: string | null): string | null => {
  if (!agent) return null
  const program = /(Edg|OPR|Firefox|Chrome|Safari)\/[\d.]+/.exec(agent)?.[1] ?? agent.split(/[ /]/)[0] ?? ''
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' }
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(agent)?.[1]
  return [names[program] ?? program, system].filter(Boolean).join(' · ')
}

const Device = ({ session }: { readonly session: DeviceSession }) => {
  const t = useTexts(accountTexts)
  const formats = useFormats()
  const client = useQueryClient()
  const end = async () => {
    await request(`${path}/${encodeURIComponent(session.id)}`, { method: 'DELETE' })
    await client.invalidateQueries({ queryKey: key })
  }
  return (
    <Group component="li" justify="space-between" wrap="nowrap" align="flex-start">
      <div>
        <Group gap="xs">
          <Text fw={600}>{deviceOf(session.userAgent) ?? t('unknownDevice')}</Text>
          {session.current && (
            <Badge variant="light" color="teal" tt="none">
              {t('thisDevice')}
            </Badge>
          )}
          {session.remembered && (
            <Badge variant="light" color="gray" tt="none">
              {t('remembered')}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {[
            t('lastUsed', { ago: formats.ago(session.lastUsed) }),
            t('since', { date: formats.dateTime(session.created) }),
            session.address,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      {!session.current && (
        <AsyncButton size="xs" variant="default" flex="none" onPress={end}>
          {t('endSession')}
        </AsyncButton>
      )}
    </Group>
  )
}

export const Sessions = () => {
  const t = useTexts(accountTexts)
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({ queryKey: key, queryFn: () => get<readonly DeviceSession[]>(path) })
  const endOthers = async () => {
    await request(path, { method: 'DELETE' })
    await client.invalidateQueries({ queryKey: key })
    notify(t('endedOthers'))
  }
  const others = data?.filter(({ current }) => !current) ?? []
  return (
    <Section title={t('sessions')} about={t('sessionsAbout')}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {!data && !error && <Loading rows={3} />}
      <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
        {data?.map(session => (
          <Device key={session.id} session={session} />
        ))}
      </Stack>
      {data && (
        <Group mt="lg">
          {others.length > 0 ? (
            <ConfirmButton color="red" variant="light" question={t('endOthersQuestion')} onConfirm={endOthers}>
              {t('endOthers')}
            </ConfirmButton>
          ) : (
            <Text c="dimmed" size="sm">
              {t('noOthers')}
            </Text>
          )}
        </Group>
      )}
    </Section>
  )
}

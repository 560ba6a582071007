// What people do with their own data: export all of it, and delete their account.

import { Alert, Group, Stack, Text } from '@mantine/core'
import {
  AsyncButton,
  ConfirmButton,
  get,
  Loading,
  notify,
  ProblemAlert,
  request,
  saveLink,
  useFormats,
  useTexts,
} from '@plinth/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ownDataTexts } from './own-data-dictionary.ts'
import { Section } from './section.tsx'

interface DataExport {
  readonly pk: string
  readonly state: 'waiting' | 'ready' | 'failed'
  readonly requested: string
  readonly until: string
  readonly size: number | null
  readonly url: string | null
}

const exportsPath = '/api/auth/account/exports'
const exportsKey = ['own data', 'exports']
const readExports = () => get<readonly DataExport[]>(exportsPath)

/** How often a page looks whether an export is ready, in milliseconds. */
const lookAgainMs = 2000

const texts = { waiting: 'exportWaiting', ready: 'exportReady', failed: 'exportFailed' } as const

const ExportEntry = ({ one }: { readonly one: DataExport }) => {
  const t = useTexts(ownDataTexts)
  const formats = useFormats()
  const client = useQueryClient()
  const { pk, state, requested, until, size } = one
  // The address is valid for some minutes, and the page may be open for longer.
  const download = async () => {
    const now = (await readExports()).find(each => each.pk === pk)
    if (now?.url) saveLink(now.url, '')
    else await client.invalidateQueries({ queryKey: exportsKey })
  }
  const remove = async () => {
    await request(`${exportsPath}/${pk}`, { method: 'DELETE' })
    await client.invalidateQueries({ queryKey: exportsKey })
  }
  const date = formats.dateTime(requested)
  return (
    <Group justify="space-between" role="status">
      <Text size="sm">{t(texts[state], { date, until: formats.dateTime(until), size: formats.bytes(size ?? 0) })}</Text>
      {state === 'ready' && (
        <Group gap="xs">
          <AsyncButton size="xs" onPress={download}>
            {t('download')}
          </AsyncButton>
          <AsyncButton size="xs" variant="default" onPress={remove}>
            {t('remove')}
          </AsyncButton>
        </Group>
      )}
    </Group>
  )
}

const Export = () => {
  const t = useTexts(ownDataTexts)
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: exportsKey,
    queryFn: readExports,
    refetchInterval: ({ state }) => (state.data?.some(one => one.state === 'waiting') ? lookAgainMs : false),
  })
  const start = async () => {
    await request(exportsPath, { method: 'POST' })
    await client.invalidateQueries({ queryKey: exportsKey })
    notify(t('exportAsked'))
  }
  const isWaiting = data?.some(({ state }) => state === 'waiting') === true
  return (
    <Section title={t('export')} about={t('exportAbout')}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {!data && !error && <Loading rows={1} />}
      <Stack>
        {data?.map(one => (
          <ExportEntry key={one.pk} one={one} />
        ))}
        {data && !isWaiting && (
          <Group>
            <AsyncButton variant="default" onPress={start}>
              {t(data.length > 0 ? 'exportAgain' : 'exportStart')}
            </AsyncButton>
          </Group>
        )}
      </Stack>
    </Section>
  )
}

interface AccountDeletion {
  readonly days: number
  readonly due: string | null
  readonly deleted: readonly string[]
  readonly kept: readonly string[]
}

const deletionPath = '/api/auth/account/deletion'
const deletionKey = ['own data', 'deletion']

const Remains = ({ deletion: { deleted, kept } }: { readonly deletion: AccountDeletion }) => {
  const t = useTexts(ownDataTexts)
  return (
    <Stack gap={4}>
      {deleted.length > 0 && <Text size="sm">{t('isDeleted', { titles: deleted.join(', ') })}</Text>}
      {kept.length > 0 && <Text size="sm">{t('isKept', { titles: kept.join(', ') })}</Text>}
      <Text size="sm">{t('isElsewhere')}</Text>
    </Stack>
  )
}

const Deletion = () => {
  const t = useTexts(ownDataTexts)
  const formats = useFormats()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: deletionKey,
    queryFn: () => get<AccountDeletion>(deletionPath),
  })
  const send = async (method: 'POST' | 'DELETE') => {
    await request(deletionPath, { method })
    await client.invalidateQueries({ queryKey: deletionKey })
    notify(t(method === 'POST' ? 'deletionAsked' : 'deletionCancelled'))
  }
  const about = data && (data.days > 0 ? t('deletionAbout', { count: data.days }) : t('deletionAtOnce'))
  return (
    <Section title={t('deletion')} {...(about && { about })}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {!data && !error && <Loading rows={1} />}
      {data?.due && (
        <Alert color="yellow" role="status" title={t('deletionDue', { date: formats.dateTime(data.due) })}>
          <AsyncButton size="xs" onPress={() => send('DELETE')}>
            {t('deletionCancel')}
          </AsyncButton>
        </Alert>
      )}
      {data && !data.due && (
        <Stack>
          <Remains deletion={data} />
          <Group>
            <ConfirmButton
              color="red"
              variant="light"
              question={t('deletionQuestion')}
              explanation={about}
              onConfirm={() => send('POST')}
            >
              {t('deletionStart')}
            </ConfirmButton>
          </Group>
        </Stack>
      )}
    </Section>
  )
}

export const OwnData = () => (
  <>
    <Export />
    <Deletion />
  </>
)

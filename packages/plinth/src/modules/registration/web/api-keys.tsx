// Keys for programs: shown once when they are made, then known by their first letters only.

import { Alert, Badge, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ApiProblem } from '@plinth/client'
import {
  ConfirmButton,
  CopyText,
  Dialog,
  Empty,
  Loading,
  notify,
  ProblemAlert,
  useFormats,
  useTexts,
  useUser,
} from '@plinth/web'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountTexts } from './dictionary.ts'
import { KeyForm } from './key-form.tsx'
import { Section } from './section.tsx'
import { type ApiKey, client } from './service.ts'

const queryKey = ['api-keys']

const isExpired = ({ expirationDate }: ApiKey): boolean =>
  expirationDate !== null && Date.parse(expirationDate) < Date.now()

const KeyRow = ({ apiKey }: { readonly apiKey: ApiKey }) => {
  const t = useTexts(accountTexts)
  const formats = useFormats()
  const queries = useQueryClient()
  const revoke = async () => {
    await client.apiKeys.remove(apiKey.pk)
    await queries.invalidateQueries({ queryKey })
    notify(t('revoked'))
  }
  return (
    <Group component="li" justify="space-between" align="flex-start" wrap="nowrap">
      <div>
        <Group gap="xs">
          <Text fw={600}>{apiKey.name}</Text>
          <Code>{apiKey.prefix}…</Code>
          {apiKey.scopes?.map(scope => (
            <Badge key={scope} variant="light" tt="none">
              {scope}
            </Badge>
          ))}
          {apiKey.readOnly && (
            <Badge variant="light" color="gray" tt="none">
              {t('readOnly')}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {[
            isExpired(apiKey)
              ? t('expired')
              : apiKey.expirationDate && t('validUntil', { date: formats.dateTime(apiKey.expirationDate) }),
            apiKey.lastUsed ? t('usedAgo', { ago: formats.ago(apiKey.lastUsed) }) : t('neverUsed'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      <ConfirmButton
        size="xs"
        variant="light"
        color="red"
        question={t('revokeQuestion', { name: apiKey.name })}
        explanation={t('revokeText')}
        onConfirm={revoke}
      >
        {t('revoke')}
      </ConfirmButton>
    </Group>
  )
}

const KeyList = ({ keys }: { readonly keys: readonly ApiKey[] }) => {
  const t = useTexts(accountTexts)
  if (keys.length === 0) return <Empty icon={IconKey} title={t('noKeys')} text={t('noKeysText')} />
  return (
    <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
      {keys.map(apiKey => (
        <KeyRow key={apiKey.pk} apiKey={apiKey} />
      ))}
    </Stack>
  )
}

const useOwnKeys = () => {
  const { pk } = useUser()
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      client.apiKeys.find({ filter: `user==${pk}`, sort: '-createdDate', limit: 100, signal }),
    retry: false,
  })
}

/** The keys that remain, for the moments after which people expect to be the only ones who can get in. */
export const RemainingKeys = () => {
  const t = useTexts(accountTexts)
  const queries = useQueryClient()
  const { data } = useOwnKeys()
  const keys = data?.items.filter(key => !isExpired(key)) ?? []
  if (keys.length === 0) return null
  const revokeAll = async () => {
    await Promise.all(keys.map(({ pk }) => client.apiKeys.remove(pk)))
    await queries.invalidateQueries({ queryKey })
    notify(t('revokedAll'))
  }
  return (
    <Alert role="status" color="yellow" icon={<IconKey aria-hidden />} title={t('keysRemain')} my="md">
      <Text size="sm" mb="md">
        {t('keysRemainText')}
      </Text>
      <KeyList keys={keys} />
      <ConfirmButton
        mt="md"
        variant="light"
        color="red"
        question={t('revokeAllQuestion')}
        explanation={t('revokeText')}
        onConfirm={revokeAll}
      >
        {t('revokeAll')}
      </ConfirmButton>
    </Alert>
  )
}

export const ApiKeys = () => {
  const t = useTexts(accountTexts)
  const queries = useQueryClient()
  const [opened, { open, close }] = useDisclosure(false)
  const [made, setMade] = useState<string | null>(null)
  const { data, error, refetch } = useOwnKeys()
  const isMissing = error instanceof ApiProblem && error.status === 404
  const created = async (apiKey: ApiKey) => {
    close()
    setMade(apiKey.key ?? null)
    await queries.invalidateQueries({ queryKey })
  }
  if (isMissing) return <Empty icon={IconKey} title={t('unavailable')} />
  return (
    <Section title={t('keys')} about={t('keysAbout')}>
      {made !== null && (
        <Alert role="status" color="yellow" icon={<IconKey aria-hidden />} title={t('keyMade')} mb="md">
          <Text size="sm">{t('keyMadeText')}</Text>
          <Group gap="xs" mt="xs">
            <Code style={{ overflowWrap: 'anywhere' }}>{made}</Code>
            <CopyText text={made} />
          </Group>
        </Alert>
      )}
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data ? <KeyList keys={data.items} /> : !error && <Loading rows={3} />}
      <Button mt="lg" leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
        {t('newKey')}
      </Button>
      <Dialog opened={opened} onClose={close} title={t('newKey')}>
        <KeyForm onCreated={created} />
      </Dialog>
    </Section>
  )
}

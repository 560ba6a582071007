// Other services that open the account. One comes to it by being signed in with; here it is seen, and taken away.

import { Box, Group, Stack, Text } from '@mantine/core'
import { isProblem } from '@plinth/client'
import { ConfirmButton, get, notify, ProblemAlert, request, useFormats, useTexts } from '@plinth/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { accountTexts } from './dictionary.ts'
import { Section } from './section.tsx'

interface Identity {
  readonly id: string
  readonly label: string
  readonly email: string | null
  readonly created: string
  readonly lastUsed: string
}

const path = '/api/auth/identities'
const queryKey = ['identities']

interface IdentityRowProps {
  readonly identity: Identity
  readonly onRemoved: () => void
}

const IdentityRow = ({ identity, onRemoved }: IdentityRowProps) => {
  const t = useTexts(accountTexts)
  const formats = useFormats()
  const client = useQueryClient()
  const name = identity.label
  const remove = async () => {
    try {
      await request(`${path}/${encodeURIComponent(identity.id)}`, { method: 'DELETE' })
    } catch (error) {
      throw isProblem(error, 'conflict') ? new Error(t('onlyWayIn')) : error
    }
    onRemoved()
    await client.invalidateQueries({ queryKey })
    notify(t('identityRemoved', { name }))
  }
  return (
    <Group component="li" justify="space-between" wrap="nowrap" align="flex-start">
      <div>
        <Text fw={600}>{t('signInWith', { name })}</Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {[
            identity.email,
            t('lastUsed', { ago: formats.ago(identity.lastUsed) }),
            t('since', { date: formats.dateTime(identity.created) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </div>
      <ConfirmButton
        size="xs"
        variant="light"
        color="red"
        flex="none"
        aria-label={t('removeSignInWith', { name })}
        question={t('removeIdentityQuestion', { name })}
        explanation={t('removeIdentityText')}
        onConfirm={remove}
      >
        {t('removeIdentity')}
      </ConfirmButton>
    </Group>
  )
}

/** Shows identities; nothing for those who sign in here alone. */
export const Identities = () => {
  const t = useTexts(accountTexts)
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => get<readonly Identity[]>(path), retry: false })
  const [removed, setRemoved] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const count = data?.length
  // The button that was pressed is gone with its row.
  useEffect(() => {
    if (removed > 0 && count !== undefined && document.activeElement === document.body) list.current?.focus()
  }, [removed, count])
  if (!error && !count && removed === 0) return null
  return (
    <Section title={t('identities')} about={t('identitiesAbout')}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      <Box ref={list} tabIndex={-1} role="group" aria-label={t('identities')}>
        {count === 0 && (
          <Text c="dimmed" size="sm">
            {t('noIdentities')}
          </Text>
        )}
        <Stack component="ul" gap="md" p={0} m={0} style={{ listStyle: 'none' }}>
          {data?.map(identity => (
            <IdentityRow key={identity.id} identity={identity} onRemoved={() => setRemoved(removed + 1)} />
          ))}
        </Stack>
      </Box>
    </Section>
  )
}

// Other services by which one can sign in, as far as they are configured.

import { Divider, Stack } from '@mantine/core'
import { isProblem } from '@plinth/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get, request } from '../api/client.ts'
import { AsyncButton } from '../common/async-button.tsx'
import { ProblemAlert } from '../common/problem-alert.tsx'
import { useText } from '../i18n/dictionary.ts'
import { entryTexts } from './dictionary.ts'

interface Provider {
  readonly name: string
  readonly label: string
}

interface ProvidersProps {
  /** The page to come back to. */
  readonly to: string
  readonly remember: boolean
}

export const Providers = ({ to, remember }: ProvidersProps) => {
  const t = useText(entryTexts)
  const [error, setError] = useState<unknown>(null)
  const { data = [] } = useQuery({
    queryKey: ['providers'],
    queryFn: () => get<readonly Provider[]>('/api/auth/oauth/providers', { provesIdentity: true }),
    retry: false,
    staleTime: 300_000,
  })
  // The page's policy binds forms to the own origin, also where they are sent on: a script asks for the way instead.
  const leave = async (name: string) => {
    setError(null)
    const ask = { method: 'POST', query: { to, rememberMe: remember }, provesIdentity: true } as const
    const path = `/api/auth/oauth/signin/${encodeURIComponent(name)}`
    location.assign((await request<{ readonly location: string }>(path, ask)).body.location)
  }
  if (data.length === 0) return null
  return (
    <Stack mt="lg">
      <Divider label={t('orWith')} />
      {data.map(({ name, label }) => (
        <AsyncButton key={name} variant="default" fullWidth onPress={() => leave(name)} onProblem={setError}>
          {t('continueWith', { name: label })}
        </AsyncButton>
      ))}
      <ProblemAlert error={isProblem(error, 'unavailable') ? new Error(t('socialUnavailable')) : error} />
    </Stack>
  )
}

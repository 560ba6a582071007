// Other services by which one can sign in, as far as they are configured.

import { Divider, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { get, request } from '../api/request.ts'
import { AsyncButton } from '../common/async-button.tsx'
import { useText } from '../i18n/dictionary.ts'
import { entryTexts } from './dictionary.ts'

interface Provider {
  readonly name: string
  readonly label: string
}

/** By a script: the page's policy keeps forms from leading to another site. */
const leaveFor = async (name: string, to: string): Promise<void> => {
  const ask = { method: 'POST', query: { to }, provesIdentity: true } as const
  const path = `/api/auth/oauth/signin/${encodeURIComponent(name)}`
  const { body } = await request<{ readonly location: string }>(path, ask)
  window.location.assign(body.location)
}

export const Providers = ({ to }: { readonly to: string }) => {
  const t = useText(entryTexts)
  const { data = [] } = useQuery({
    queryKey: ['providers'],
    queryFn: () => get<readonly Provider[]>('/api/auth/oauth/providers', { provesIdentity: true }),
    retry: false,
    staleTime: 300_000,
  })
  if (data.length === 0) return null
  return (
    <Stack mt="lg">
      <Divider label={t('orWith')} />
      {data.map(({ name, label }) => (
        <AsyncButton key={name} variant="default" fullWidth onPress={() => leaveFor(name, to)}>
          {t('continueWith', { name: label })}
        </AsyncButton>
      ))}
    </Stack>
  )
}

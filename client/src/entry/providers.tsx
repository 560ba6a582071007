// Other services by which one can sign in, as far as they are configured.

import { Button, Divider, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { get } from '../api/request.ts'
import { useText } from '../i18n/dictionary.ts'
import { entryTexts } from './dictionary.ts'

interface Provider {
  readonly name: string
  readonly label: string
}

export const Providers = () => {
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
        <form key={name} method="post" action={`/api/auth/oauth/signin/${encodeURIComponent(name)}`}>
          <Button type="submit" variant="default" fullWidth>
            {t('continueWith', { name: label })}
          </Button>
        </form>
      ))}
    </Stack>
  )
}

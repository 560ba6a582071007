// Asks who is there before an act that needs a recent sign-in, and lets it go on.

import { Button, Stack, Text } from '@mantine/core'
import { isProblem } from '@plinth/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { get, request } from '../api/client.ts'
import { Dialog } from '../common/dialog.tsx'
import { Loading } from '../common/loading.tsx'
import { ProblemAlert } from '../common/problem-alert.tsx'
import { TextForm } from '../common/text-form.tsx'
import { Providers } from '../entry/providers.tsx'
import { useText } from '../i18n/dictionary.ts'
import { settleSignIn } from './confirm-sign-in.ts'
import { confirmTexts } from './dictionary.ts'

type Way = 'password' | 'code'

const path = '/api/auth/userDetails/verification'

const verify = async (body: object): Promise<void> => {
  await request(path, { method: 'POST', body, provesIdentity: true })
  settleSignIn(true)
}

const isRefused = (error: unknown): boolean => isProblem(error, 'unauthorized')

const Password = () => {
  const t = useText(confirmTexts)
  return (
    <TextForm
      fields={[
        {
          name: 'password',
          label: t('password'),
          type: 'password',
          autoComplete: 'current-password',
          required: true,
        },
      ]}
      submit={t('confirm')}
      onSubmit={verify}
      explain={error => (isRefused(error) ? t('wrongPassword') : null)}
      autoFocus
    />
  )
}

const Code = () => {
  const t = useText(confirmTexts)
  return (
    <TextForm
      fields={[{ name: 'code', label: t('code'), autoComplete: 'one-time-code', required: true }]}
      submit={t('confirm')}
      onSubmit={({ code }) => verify({ code: code.trim() })}
      explain={error => (isRefused(error) ? t('wrongCode') : null)}
      autoFocus
    />
  )
}

const Ways = ({ ways }: { readonly ways: readonly Way[] }) => {
  const t = useText(confirmTexts)
  const { pathname, search } = useLocation()
  const [chosen, setChosen] = useState<Way | undefined>(ways[0])
  if (chosen === undefined)
    return (
      <>
        <Text size="sm">{t('signInAgain')}</Text>
        <Providers to={pathname + search} remember={false} />
      </>
    )
  return (
    <Stack gap="sm">
      {chosen === 'password' ? <Password /> : <Code />}
      {ways
        .filter(way => way !== chosen)
        .map(way => (
          <Button key={way} variant="subtle" size="xs" onClick={() => setChosen(way)}>
            {t(way === 'password' ? 'usePassword' : 'useCode')}
          </Button>
        ))}
    </Stack>
  )
}

const ConfirmSignInDialog = () => {
  const t = useText(confirmTexts)
  const { data, error, refetch } = useQuery({
    queryKey: ['verification'],
    queryFn: () => get<{ readonly ways: readonly Way[] }>(path),
    gcTime: 0,
  })
  return (
    // Above the dialog in which the act was begun.
    <Dialog opened onClose={() => settleSignIn(false)} title={t('title')} zIndex={300} closeOnEscape>
      <Text size="sm" c="dimmed" mb="md">
        {t('about')}
      </Text>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data ? <Ways ways={data.ways} /> : !error && <Loading rows={2} />}
    </Dialog>
  )
}

export default ConfirmSignInDialog

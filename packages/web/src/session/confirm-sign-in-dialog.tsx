// Asks who is there before an act that needs a recent sign-in, and lets it go on.

import { Button, Stack, Text } from '@mantine/core'
import { isProblem } from '@plinth/client'
import { useMutation, useQuery } from '@tanstack/react-query'
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
import { askForPasskey, supportsPasskeys } from './passkeys.ts'

type Way = 'password' | 'passkey' | 'code'

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

const Passkey = () => {
  const t = useText(confirmTexts)
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const passkey = await askForPasskey(`${path}/passkey`)
      if (passkey) await verify({ passkey })
    },
  })
  return (
    <Stack gap="sm">
      <ProblemAlert error={isRefused(error) ? new Error(t('wrongPasskey')) : error} />
      <Button data-autofocus loading={isPending} onClick={() => mutate()}>
        {t('confirmByPasskey')}
      </Button>
    </Stack>
  )
}

const forms = { password: Password, passkey: Passkey, code: Code } as const
const switches = { password: 'usePassword', passkey: 'usePasskey', code: 'useCode' } as const

const Ways = ({ ways }: { readonly ways: readonly Way[] }) => {
  const t = useText(confirmTexts)
  const { pathname, search } = useLocation()
  const [chosen, setChosen] = useState<Way | undefined>(ways[0])
  const Form = chosen && forms[chosen]
  if (!Form)
    return (
      <>
        <Text size="sm">{t('signInAgain')}</Text>
        <Providers to={pathname + search} remember={false} />
      </>
    )
  return (
    <Stack gap="sm">
      <Form />
      {ways
        .filter(way => way !== chosen)
        .map(way => (
          <Button key={way} variant="subtle" size="xs" onClick={() => setChosen(way)}>
            {t(switches[way])}
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
      {data ? (
        <Ways ways={data.ways.filter(way => way !== 'passkey' || supportsPasskeys())} />
      ) : (
        !error && <Loading rows={2} />
      )}
    </Dialog>
  )
}

export default ConfirmSignInDialog

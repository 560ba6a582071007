import { Alert, Anchor, Checkbox, Group } from '@mantine/core'
import { isProblem } from '@plinth/client'
import { useState } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router'
import { client } from '../api/client.ts'
import { TextForm } from '../common/text-form.tsx'
import { useText } from '../i18n/dictionary.ts'
import { useSession } from '../session/session.tsx'
import { entryTexts } from './dictionary.ts'
import { Elsewhere, EntryCard } from './entry-card.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { Providers } from './providers.tsx'
import { SecondFactorStep } from './second-factor-step.tsx'
import { UnconfirmedStep } from './unconfirmed-step.tsx'

/**
 * Returns the target if it is a page of the client itself: a link to the sign-in page must not lead people elsewhere.
 */
const safeTarget = (to: string | null): string => (to?.startsWith('/') && !/^\/[/\\]/.test(to) ? to : '/')

/** Why signing in at another service did not work, by the word that the service says. */
const failures = {
  unavailable: 'socialUnavailable',
  expired: 'socialExpired',
  denied: 'socialDenied',
  inactive: 'socialInactive',
  email: 'socialEmail',
  closed: 'socialClosed',
  failed: 'socialFailed',
} as const

const failureOf = (word: string): (typeof failures)[keyof typeof failures] =>
  Object.hasOwn(failures, word) ? failures[word as keyof typeof failures] : 'socialFailed'

const SignInPage = () => {
  const t = useText(entryTexts)
  const { user, enter } = useSession()
  const [search] = useSearchParams()
  const [remember, setRemember] = useState(false)
  const [needsCode, setNeedsCode] = useState(search.has('secondFactor'))
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null)
  const failure = search.get('error')
  const target = safeTarget(search.get('to'))
  if (user) return <Navigate replace to={target} />
  if (unconfirmed !== null) return <UnconfirmedStep name={unconfirmed} onStartOver={() => setUnconfirmed(null)} />
  if (needsCode) return <SecondFactorStep onEnter={enter} onStartOver={() => setNeedsCode(false)} />

  const signIn = async (values: { username: string; password: string }) => {
    try {
      enter(await client.session.signIn({ ...values, rememberMe: remember }))
    } catch (error) {
      if (isProblem(error, 'second_factor_required')) return setNeedsCode(true)
      if (isProblem(error, 'email_unconfirmed')) return setUnconfirmed(values.username)
      throw error
    }
  }
  return (
    <EntryCard title={t('signIn')} intro={t(target === '/' ? 'signInIntro' : 'signInToGoOn')}>
      {failure !== null && (
        <Alert color="red" role="alert" mb="md">
          {t(failureOf(failure))}
        </Alert>
      )}
      <TextForm
        fields={[
          { name: 'username', label: t('name'), autoComplete: 'username webauthn', required: true },
          {
            name: 'password',
            label: t('password'),
            type: 'password',
            autoComplete: 'current-password',
            required: true,
          },
        ]}
        submit={t('signIn')}
        onSubmit={signIn}
        explain={error => (isProblem(error, 'unauthorized') ? t('wrong') : null)}
        autoFocus
      >
        <Group justify="space-between" gap="xs">
          <Checkbox
            label={t('remember')}
            checked={remember}
            onChange={event => setRemember(event.currentTarget.checked)}
          />
          <Anchor component={Link} to="/forgot-password" size="sm">
            {t('forgot')}
          </Anchor>
        </Group>
      </TextForm>
      <PasskeySignIn remember={remember} onEnter={enter} />
      <Providers to={target} remember={remember} />
      <Elsewhere question={t('noAccount')} to="/register" label={t('register')} />
    </EntryCard>
  )
}

export default SignInPage

import type { SessionUser } from '@plinth/client'
import { notify, request, TextForm, type TextValues, useSession, useTexts, useUser } from '@plinth/web'
import { useState } from 'react'
import { RemainingKeys } from './api-keys.tsx'
import { isRefused, useCurrentPassword } from './current-password.ts'
import { accountTexts } from './dictionary.ts'
import { Identities } from './identities.tsx'
import { Passkeys } from './passkeys.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Section } from './section.tsx'

const Username = () => {
  const t = useTexts(accountTexts)
  const { enter } = useSession()
  const { username } = useUser()
  const currentPassword = useCurrentPassword('password')
  const change = async (body: TextValues<'username' | 'password'>) => {
    const ask = { method: 'PUT', body, provesIdentity: true } as const
    await request('/api/auth/account/username', ask)
    enter((await request<SessionUser>('/api/auth/userDetails')).body)
    notify(t('usernameChanged'))
  }
  return (
    <Section title={t('username')} about={t('usernameAbout')}>
      <TextForm
        key={username}
        fields={[
          { name: 'username', label: t('newUsername'), autoComplete: 'username', required: true, value: username },
          currentPassword,
        ]}
        submit={t('changeUsername')}
        onSubmit={change}
        explain={error => (isRefused(error) ? t('wrongPassword') : null)}
      />
    </Section>
  )
}

const Password = () => {
  const t = useTexts(accountTexts)
  const [done, setDone] = useState(0)
  const currentPassword = useCurrentPassword('currentPassword')
  const change = async (body: TextValues<'currentPassword' | 'password' | 'passwordConfirmation'>) => {
    if (body.password !== body.passwordConfirmation) throw new Error(t('mismatch'))
    await request('/api/auth/account', { method: 'PUT', body, provesIdentity: true })
    setDone(done + 1)
    notify(t('passwordChanged'))
  }
  const fresh = { type: 'password', autoComplete: 'new-password', required: true } as const
  return (
    <Section title={t('password')} about={t('passwordAbout')}>
      <TextForm
        key={done}
        fields={[
          currentPassword,
          { name: 'password', label: t('newPassword'), hint: t('passwordHint'), ...fresh },
          { name: 'passwordConfirmation', label: t('passwordAgain'), ...fresh },
        ]}
        submit={t('changePassword')}
        onSubmit={change}
        explain={error => (isRefused(error) ? t('wrongPassword') : null)}
      />
      {done > 0 && <RemainingKeys />}
    </Section>
  )
}

export const Security = () => (
  <>
    <Passkeys />
    <SecondFactor />
    <Password />
    <Identities />
    <Username />
  </>
)

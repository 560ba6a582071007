import type { SessionUser } from '@plinth/client'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { request } from '../api/client.ts'
import { TextForm, type TextValues } from '../common/text-form.tsx'
import { useText } from '../i18n/dictionary.ts'
import { useLanguage } from '../i18n/language.ts'
import { entryTexts } from './dictionary.ts'
import { Elsewhere, EntryCard, EntryEnd } from './entry-card.tsx'
import { ResendMail } from './resend-mail.tsx'

type Name = 'email' | 'username' | 'firstName' | 'lastName' | 'password' | 'passwordConfirmation' | 'registrationCode'

/** What was left empty is not sent. */
const toBody = (values: TextValues<Name>): object =>
  Object.fromEntries(Object.entries(values).filter(([, text]) => text))

const RegisterPage = () => {
  const t = useText(entryTexts)
  const locale = useLanguage()
  const [search] = useSearchParams()
  const [made, setMade] = useState<{ readonly email: string; readonly username: string } | null>(null)
  const register = async (values: TextValues<Name>) => {
    if (values.password !== values.passwordConfirmation) throw new Error(t('mismatch'))
    const ask = { method: 'POST', body: { ...toBody(values), locale }, provesIdentity: true } as const
    const { username } = (await request<SessionUser>('/api/auth/account', ask)).body
    setMade({ email: values.email, username })
  }
  if (made !== null)
    return (
      <EntryEnd title={t('checkMail')} intro={t('checkMailText', { email: made.email })}>
        <ResendMail name={made.username} />
      </EntryEnd>
    )
  return (
    <EntryCard title={t('register')} intro={t('registerIntro')}>
      <TextForm<Name>
        fields={[
          {
            name: 'email',
            label: t('email'),
            type: 'email',
            autoComplete: 'email',
            required: true,
            value: search.get('email') ?? '',
          },
          { name: 'username', label: t('username'), hint: t('usernameHint'), autoComplete: 'username' },
          { name: 'firstName', label: t('firstName'), autoComplete: 'given-name' },
          { name: 'lastName', label: t('lastName'), autoComplete: 'family-name' },
          {
            name: 'password',
            label: t('password'),
            hint: t('passwordHint'),
            type: 'password',
            autoComplete: 'new-password',
            required: true,
          },
          {
            name: 'passwordConfirmation',
            label: t('passwordAgain'),
            type: 'password',
            autoComplete: 'new-password',
            required: true,
          },
          {
            name: 'registrationCode',
            label: t('registrationCode'),
            hint: t('registrationCodeHint'),
            value: search.get('code') ?? '',
          },
        ]}
        submit={t('register')}
        onSubmit={register}
      />
      <Elsewhere question={t('haveAccount')} to="/sign-in" label={t('signIn')} />
    </EntryCard>
  )
}

export default RegisterPage

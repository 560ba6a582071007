import { useState } from 'react'
import { useLocation } from 'react-router'
import { Problem } from '../api/problem.ts'
import { request } from '../api/request.ts'
import { TextForm, type TextValues } from '../common/text-form.tsx'
import { useText } from '../i18n/dictionary.ts'
import { entryTexts } from './dictionary.ts'
import { Elsewhere, EntryCard, EntryEnd, IncompleteLink } from './entry-card.tsx'

type Name = 'username' | 'email' | 'password' | 'passwordConfirmation'

const FirstAdministratorPage = () => {
  const t = useText(entryTexts)
  const [isDone, setIsDone] = useState(false)
  // Behind the hash: what stands there is never sent to a server by itself.
  const { hash } = useLocation()
  const token = new URLSearchParams(hash.slice(1)).get('token')
  if (!token) return <IncompleteLink />
  if (isDone) return <EntryEnd title={t('firstDone')} intro={t('confirmedText')} />
  const create = async ({ passwordConfirmation, ...values }: TextValues<Name>) => {
    if (values.password !== passwordConfirmation) throw new Error(t('mismatch'))
    const body = { ...values, token }
    await request('/api/auth/first-administrator', { method: 'POST', body, provesIdentity: true })
    setIsDone(true)
  }
  const secret = { type: 'password', autoComplete: 'new-password', required: true } as const
  return (
    <EntryCard title={t('firstTitle')} intro={t('firstIntro')}>
      <TextForm<Name>
        fields={[
          { name: 'username', label: t('username'), autoComplete: 'username', required: true },
          { name: 'email', label: t('email'), type: 'email', autoComplete: 'email', required: true },
          { name: 'password', label: t('password'), hint: t('passwordHint'), ...secret },
          { name: 'passwordConfirmation', label: t('passwordAgain'), ...secret },
        ]}
        submit={t('firstMake')}
        onSubmit={create}
        explain={error => (error instanceof Problem && error.status === 401 ? t('firstFailed') : null)}
        autoFocus
      />
      <Elsewhere question={t('haveAccount')} to="/sign-in" label={t('signIn')} />
    </EntryCard>
  )
}

export default FirstAdministratorPage

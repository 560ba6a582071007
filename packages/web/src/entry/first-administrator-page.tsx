import { ApiProblem } from '@plinth/client'
import { useState } from 'react'
import { request } from '../api/client.ts'
import { TextForm, type TextValues } from '../common/text-form.tsx'
import { useText } from '../i18n/dictionary.ts'
import { entryTexts } from './dictionary.ts'
import { Elsewhere, EntryCard, EntryEnd } from './entry-card.tsx'
import { type LinkPage, withLink } from './with-link.tsx'

type Name = 'username' | 'email' | 'password' | 'passwordConfirmation'

const FirstAdministratorPage = ({ link: { token } }: LinkPage<'token'>) => {
  const t = useText(entryTexts)
  const [isDone, setIsDone] = useState(false)
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
        explain={error => (error instanceof ApiProblem && error.status === 401 ? t('firstFailed') : null)}
        autoFocus
      />
      <Elsewhere question={t('haveAccount')} to="/sign-in" label={t('signIn')} />
    </EntryCard>
  )
}

export default withLink(['token'], FirstAdministratorPage)

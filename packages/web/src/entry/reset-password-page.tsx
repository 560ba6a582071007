import { ApiProblem } from '@plinth/client'
import { useState } from 'react'
import { request } from '../api/client.ts'
import { TextForm, type TextValues } from '../common/text-form.tsx'
import { useText } from '../i18n/dictionary.ts'
import { entryTexts } from './dictionary.ts'
import { Elsewhere, EntryCard, EntryEnd } from './entry-card.tsx'
import { Checked } from './link-check.tsx'
import { type LinkPage, withLink } from './with-link.tsx'

const ResetPasswordPage = ({ link }: LinkPage<'username' | 'token'>) => {
  const t = useText(entryTexts)
  const [isDone, setIsDone] = useState(false)
  if (isDone) return <EntryEnd title={t('changed')} intro={t('changedText')} />
  const change = async (values: TextValues<'password' | 'passwordConfirmation'>) => {
    if (values.password !== values.passwordConfirmation) throw new Error(t('mismatch'))
    const body = { ...values, username: link.username, resetPasswordToken: link.token }
    await request('/api/auth/account', { method: 'PUT', body, provesIdentity: true })
    setIsDone(true)
  }
  const again = { type: 'password', autoComplete: 'new-password', required: true } as const
  const isSpent = (error: unknown) =>
    error instanceof ApiProblem && (error.status === 401 || error.faults.some(({ code }) => code === 'expired_link'))
  return (
    <Checked link={link} use="reset" title={t('resetTitle')}>
      {({ purpose }) => (
        <EntryCard
          title={t(purpose === 'welcome' ? 'welcomeTitle' : 'resetTitle')}
          intro={t(purpose === 'welcome' ? 'welcomeIntro' : 'resetIntro', { username: link.username })}
        >
          <TextForm
            fields={[
              { name: 'password', label: t('newPassword'), hint: t('passwordHint'), ...again },
              { name: 'passwordConfirmation', label: t('passwordAgain'), ...again },
            ]}
            submit={t('change')}
            onSubmit={change}
            explain={error => (isSpent(error) ? t('linkFailed') : null)}
            autoFocus
          />
          <Elsewhere question={t('knowPassword')} to="/sign-in" label={t('signIn')} />
        </EntryCard>
      )}
    </Checked>
  )
}

export default withLink(['username', 'token'], ResetPasswordPage)

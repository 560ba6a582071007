// A press of a button, not the visit itself, uses the link up: mail scanners visit links too.

import { Text } from '@mantine/core'
import { ApiProblem } from '@plinth/client'
import { useState } from 'react'
import { request } from '../api/client.ts'
import { TextForm } from '../common/text-form.tsx'
import { useText } from '../i18n/dictionary.ts'
import { entryTexts } from './dictionary.ts'
import { Elsewhere, EntryCard, EntryEnd } from './entry-card.tsx'
import { Checked, type MailedLink } from './link-check.tsx'
import { type LinkPage, withLink } from './with-link.tsx'

interface ConfirmationProps {
  readonly link: MailedLink
  /** An address for an account that has another way in already takes the password. */
  readonly takesPassword: boolean
  readonly onDone: () => void
}

const Confirmation = ({ link, takesPassword, onDone }: ConfirmationProps) => {
  const t = useText(entryTexts)
  const confirm = async ({ currentPassword }: { currentPassword: string }) => {
    const body = {
      username: link.username,
      resetPasswordToken: link.token,
      ...(currentPassword && { currentPassword }),
    }
    await request('/api/auth/account', { method: 'PUT', body, provesIdentity: true })
    onDone()
  }
  return (
    <EntryCard title={t('confirmTitle')} intro={t('confirmIntro', { username: link.username })}>
      {takesPassword && <Text mb="md">{t('replaceAddress')}</Text>}
      <TextForm
        fields={
          takesPassword
            ? [
                {
                  name: 'currentPassword',
                  label: t('password'),
                  type: 'password',
                  autoComplete: 'current-password',
                  required: true,
                },
              ]
            : []
        }
        submit={t('confirm')}
        onSubmit={confirm}
        explain={error => {
          // Whatever is in the way of asking says nothing of the link.
          if (!(error instanceof ApiProblem) || error.status >= 500 || [0, 429].includes(error.status)) return null
          return t(error.status === 401 ? 'wrong' : 'confirmFailed')
        }}
      />
      {takesPassword && <Elsewhere question={t('noPassword')} to="/forgot-password" label={t('forgotTitle')} />}
      <Elsewhere question={t('confirmedAlready')} to="/sign-in" label={t('signIn')} />
    </EntryCard>
  )
}

const ConfirmPage = ({ link }: LinkPage<'username' | 'token'>) => {
  const t = useText(entryTexts)
  const [isDone, setIsDone] = useState(false)
  if (isDone) return <EntryEnd title={t('confirmed')} intro={t('confirmedText')} />
  return (
    <Checked link={link} use="confirm" title={t('confirmTitle')}>
      {({ takesPassword }) => <Confirmation link={link} takesPassword={takesPassword} onDone={() => setIsDone(true)} />}
    </Checked>
  )
}

export default withLink(['username', 'token'], ConfirmPage)

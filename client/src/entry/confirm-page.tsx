// A press of a button, not the visit itself, uses the link up: mail scanners visit links too.

import { Text } from '@mantine/core'
import { useState } from 'react'
import { Problem } from '../api/problem.ts'
import { request } from '../api/request.ts'
import { TextForm } from '../common/text-form.tsx'
import { useText } from '../i18n/dictionary.ts'
import { entryTexts } from './dictionary.ts'
import { Elsewhere, EntryCard, EntryEnd } from './entry-card.tsx'
import { type LinkPage, withLink } from './with-link.tsx'

const ConfirmPage = ({ link }: LinkPage<'username' | 'token'>) => {
  const t = useText(entryTexts)
  const [state, setState] = useState<'open' | 'replacing' | 'done'>('open')
  if (state === 'done') return <EntryEnd title={t('confirmed')} intro={t('confirmedText')} />
  const confirm = async ({ currentPassword }: { currentPassword: string }) => {
    const body = {
      username: link.username,
      resetPasswordToken: link.token,
      ...(currentPassword && { currentPassword }),
    }
    try {
      await request('/api/auth/account', { method: 'PUT', body, provesIdentity: true })
      setState('done')
    } catch (error) {
      // Only an address for an account that has another way in already asks for the password.
      const asksForPassword = ({ member }: { readonly member?: string }) => member === 'currentPassword'
      if (error instanceof Problem && error.faults.some(asksForPassword)) return setState('replacing')
      throw error
    }
  }
  return (
    <EntryCard title={t('confirmTitle')} intro={t('confirmIntro', { username: link.username })}>
      {state === 'replacing' && <Text mb="md">{t('replaceAddress')}</Text>}
      <TextForm
        key={state}
        fields={
          state === 'replacing'
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
          if (!(error instanceof Problem) || error.status >= 500 || [0, 429].includes(error.status)) return null
          return t(error.status === 401 ? 'wrong' : 'confirmFailed')
        }}
      />
      {state === 'replacing' && <Elsewhere question={t('noPassword')} to="/forgot-password" label={t('forgotTitle')} />}
      <Elsewhere question={t('confirmedAlready')} to="/sign-in" label={t('signIn')} />
    </EntryCard>
  )
}

export default withLink(['username', 'token'], ConfirmPage)

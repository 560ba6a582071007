// A mail with a link is sent again: to confirm the address, or to choose a new password. Which one, the service decides.

import { Alert } from '@mantine/core'
import { useState } from 'react'
import { request } from '../api/client.ts'
import { AsyncButton } from '../common/async-button.tsx'
import { ProblemAlert } from '../common/problem-alert.tsx'
import { useText } from '../i18n/dictionary.ts'
import { entryTexts } from './dictionary.ts'

/** The answer is the same for every name, also for one that does not exist. */
export const requestMail = async (name: string): Promise<void> => {
  const body = name.includes('@') ? { email: name.trim() } : { username: name.trim() }
  await request('/api/auth/account', { method: 'PUT', body, provesIdentity: true })
}

/** `name`: a username or an e-mail address. */
export const ResendMail = ({ name }: { readonly name: string }) => {
  const t = useText(entryTexts)
  const [isSent, setIsSent] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const resend = async () => {
    setError(null)
    await requestMail(name)
    setIsSent(true)
  }
  return (
    <>
      {isSent && (
        <Alert role="status" color="teal" mb="md">
          {t('resent')}
        </Alert>
      )}
      <ProblemAlert error={error} />
      <AsyncButton variant="default" fullWidth onPress={resend} onProblem={setError}>
        {t('resend')}
      </AsyncButton>
    </>
  )
}

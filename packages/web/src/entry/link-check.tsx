// A link of a mail is checked when it is opened, before people type anything. Checking does not use it up.

import { Button } from '@mantine/core'
import { ApiProblem } from '@plinth/client'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { request } from '../api/client.ts'
import { Loading } from '../common/loading.tsx'
import { ProblemAlert } from '../common/problem-alert.tsx'
import { useText } from '../i18n/dictionary.ts'
import { entryTexts } from './dictionary.ts'
import { Elsewhere, EntryCard, EntryEnd } from './entry-card.tsx'
import type { LinkPage } from './with-link.tsx'

/** What the link of a mail carries. */
export type MailedLink = LinkPage<'username' | 'token'>['link']

type Use = 'confirm' | 'reset'

interface CheckedLink {
  readonly purpose: 'confirmation' | 'addressChange' | 'passwordReset' | 'welcome'
  /** Is the password of the account needed, too? */
  readonly takesPassword: boolean
}

const useCheck = ({ username, token }: MailedLink): UseQueryResult<CheckedLink> =>
  useQuery({
    queryKey: ['accountLink', username, token],
    queryFn: async () => {
      const ask = { method: 'POST', body: { username, resetPasswordToken: token }, provesIdentity: true } as const
      return (await request<CheckedLink>('/api/auth/account/verification', ask)).body
    },
    refetchOnWindowFocus: false,
    gcTime: 0,
  })

const DeadLink = ({ use }: { readonly use: Use }) => {
  const t = useText(entryTexts)
  if (use === 'confirm') return <EntryEnd title={t('deadLink')} intro={t('deadConfirmation')} />
  return (
    <EntryCard title={t('deadLink')} intro={t('deadReset')}>
      <Button component={Link} to="/forgot-password" fullWidth>
        {t('newLink')}
      </Button>
      <Elsewhere question={t('knowPassword')} to="/sign-in" label={t('signIn')} />
    </EntryCard>
  )
}

interface CheckedProps {
  readonly link: MailedLink
  readonly use: Use
  readonly title: string
  readonly children: (checked: CheckedLink) => ReactNode
}

/** What is shown for a link that is good. */
export const Checked = ({ link, use, title, children }: CheckedProps) => {
  const { data, error, refetch } = useCheck(link)
  if (error instanceof ApiProblem && error.status === 422) return <DeadLink use={use} />
  if (data) {
    const isReset = data.purpose === 'passwordReset' || data.purpose === 'welcome'
    return isReset === (use === 'reset') ? children(data) : <DeadLink use={use} />
  }
  return (
    <EntryCard title={title}>
      {error ? <ProblemAlert error={error} onRetry={() => void refetch()} /> : <Loading rows={2} />}
    </EntryCard>
  )
}

// The own record: drawn from the service's description, like every other.

import type { SessionUser } from '@plinth/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { request } from '../../api/client.ts'
import { patchItem, type Tagged } from '../../api/records.ts'
import { Loading } from '../../common/loading.tsx'
import { notify } from '../../common/notify.ts'
import { ProblemAlert } from '../../common/problem-alert.tsx'
import { DraftNotice } from '../../common/records/draft-notice.tsx'
import { changedValues, initialValues } from '../../common/records/form-values.ts'
import { RecordForm } from '../../common/records/record-form.tsx'
import { fieldsFor, useSchema } from '../../common/records/schema.ts'
import type { Schema } from '../../common/records/ui-schema.ts'
import { forgetDraft, useDraft, useDraftKey } from '../../common/records/use-draft.ts'
import { itemKey, useItem } from '../../common/records/use-item.ts'
import { useText } from '../../i18n/dictionary.ts'
import { useSession, useUser } from '../../session/session.tsx'
import { Avatar } from './avatar.tsx'
import { accountTexts } from './dictionary.ts'
import { Email } from './email.tsx'
import { Section } from './section.tsx'

/** The fields with ways of their own: the picture by upload, the username with the password. */
const elsewhere = new Set(['username', 'avatarUrl', 'bannerUrl', 'roles'])

const ProfileForm = ({ schema, item }: { readonly schema: Schema; readonly item: Tagged }) => {
  const t = useText(accountTexts)
  const client = useQueryClient()
  const { enter } = useSession()
  const { pk } = item.record
  const fields = useMemo(
    () => fieldsFor(schema, 'update').filter(({ name, isLocked }) => !isLocked && !elsewhere.has(name)),
    [schema],
  )
  const initial = useMemo(() => initialValues(fields, item.record), [fields, item])
  const key = useDraftKey('profile', pk)
  const draft = useDraft(key, initial, fields)
  const save = useMutation({
    mutationFn: () => patchItem({ resource: 'users', pk }, changedValues(fields, initial, draft.values), item.etag),
    onSuccess: async saved => {
      forgetDraft(key)
      if (saved) client.setQueryData(itemKey('users', pk), saved)
      // The header shows the name, too.
      enter((await request<SessionUser>('/api/auth/userDetails')).body)
      notify(t('saved'))
    },
  })
  return (
    <>
      <DraftNotice draft={draft} />
      <RecordForm
        fields={fields}
        values={draft.values}
        onChange={draft.change}
        error={save.error}
        isPending={save.isPending}
        onSubmit={() => save.mutate()}
      />
    </>
  )
}

export const Profile = () => {
  const t = useText(accountTexts)
  const { pk } = useUser()
  const schema = useSchema('users')
  const item = useItem('users', pk)
  const error = schema.error ?? item.error
  if (error) return <ProblemAlert error={error} onRetry={() => void item.refetch()} />
  if (!schema.data || !item.data) return <Loading />
  return (
    <>
      <Section title={t('picture')}>
        <Avatar />
      </Section>
      <Email />
      <ProfileForm key={item.data.etag} schema={schema.data} item={item.data} />
    </>
  )
}

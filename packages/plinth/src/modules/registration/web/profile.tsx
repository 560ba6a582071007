// The own record: drawn from the service's description, like every other.

import type { SessionUser } from '@plinth/client'
import { notify, request, useSession, useTexts, useUser } from '@plinth/web'
import { Avatar } from './avatar.tsx'
import { accountTexts } from './dictionary.ts'
import { Email } from './email.tsx'
import { Section } from './section.tsx'
import { RecordForm } from './service.ts'

export const Profile = () => {
  const t = useTexts(accountTexts)
  const { pk } = useUser()
  const { enter } = useSession()
  const saved = async () => {
    // The header shows the name, too.
    enter((await request<SessionUser>('/api/auth/userDetails')).body)
    notify(t('saved'))
  }
  return (
    <>
      <Section title={t('picture')}>
        <Avatar />
      </Section>
      <Email />
      {/* The picture is uploaded, and the username is changed with the password. */}
      <RecordForm
        resource="users"
        pk={pk}
        except={['username', 'avatarUrl', 'bannerUrl', 'roles']}
        draft="profile"
        onSaved={saved}
      />
    </>
  )
}

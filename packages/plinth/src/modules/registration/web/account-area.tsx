import { Tabs } from '@mantine/core'
import { NotFound, PageHeader, useTexts } from '@plinth/web'
import { Route, Routes, useNavigate } from 'react-router'
import { ApiKeys } from './api-keys.tsx'
import { accountTexts } from './dictionary.ts'
import { OwnData } from './own-data.tsx'
import { Profile } from './profile.tsx'
import { Security } from './security.tsx'
import { Sessions } from './sessions.tsx'

const sections = { profile: Profile, security: Security, sessions: Sessions, keys: ApiKeys, data: OwnData } as const
type Section = keyof typeof sections
const names = Object.keys(sections) as Section[]

const AccountPage = ({ section }: { readonly section: Section }) => {
  const t = useTexts(accountTexts)
  const navigate = useNavigate()
  const Content = sections[section]
  return (
    <>
      <PageHeader title={t('account')} description={t('about')} />
      <Tabs value={section} onChange={chosen => navigate(`/account/${chosen}`)} keepMounted={false} maw={820}>
        <Tabs.List mb="md">
          {names.map(name => (
            <Tabs.Tab key={name} value={name} px={{ base: 'xs', sm: 'md' }}>
              {t(name)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={section}>
          <Content />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

const AccountArea = () => (
  <Routes>
    <Route index element={<AccountPage section="profile" />} />
    {names.map(name => (
      <Route key={name} path={name} element={<AccountPage section={name} />} />
    ))}
    <Route path="*" element={<NotFound />} />
  </Routes>
)

export default AccountArea

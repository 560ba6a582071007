import { Avatar, Menu, UnstyledButton } from '@mantine/core'
import type { SessionUser } from '@plinth/client'
import { IconBook, IconLogout } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { useAreaNames, useAreas } from '../areas.ts'
import { initialsOf } from '../common/initials.ts'
import { notifyProblem } from '../common/notify.ts'
import { useText } from '../i18n/dictionary.ts'
import { useSession } from '../session/session.tsx'
import { shellTexts } from './dictionary.ts'

export const UserMenu = ({ user }: { readonly user: SessionUser }) => {
  const t = useText(shellTexts)
  const { signOut } = useSession()
  const navigate = useNavigate()
  const { nameOf } = useAreaNames()
  const personal = useAreas().filter(({ place }) => place === 'user')
  const name = user.name || user.username
  const leave = () => {
    signOut()
      .then(() => navigate('/sign-in'))
      .catch(notifyProblem)
  }
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton aria-label={t('userMenu', { name })}>
          <Avatar src={user.avatarUrl} alt="" radius="xl" size={34} color="brand">
            {initialsOf(user).toUpperCase()}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('signedInAs', { name })}</Menu.Label>
        {personal.map(area => {
          const { path, icon: Icon } = area
          return (
            <Menu.Item key={path} component={Link} to={`/${path}`} leftSection={<Icon size={16} />}>
              {nameOf(area)}
            </Menu.Item>
          )
        })}
        <Menu.Item component="a" href="/apidoc" leftSection={<IconBook size={16} aria-hidden />}>
          {t('reference')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={leave}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

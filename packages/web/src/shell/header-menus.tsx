// The header menus load after the page: they are not needed in the first second.

import { useSession } from '../session/session.tsx'
import { Preferences } from './preferences.tsx'
import { UserMenu } from './user-menu.tsx'

const HeaderMenus = () => {
  const { user } = useSession()
  return (
    <>
      <Preferences />
      {user && <UserMenu user={user} />}
    </>
  )
}

export default HeaderMenus

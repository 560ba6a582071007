// The area of a module: one page for all its addresses, or pages with navigation of their own.

import { Route, Routes } from 'react-router'
import { PageHeader } from '../common/page-header.tsx'
import { SubNavigation } from '../common/sub-navigation.tsx'
import { useTitles } from '../i18n/title.ts'
import { isAllowed } from '../kit/caller-rule.ts'
import type { Area } from '../kit/define-web.ts'
import { useSession } from '../session/session.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { ModulePart } from './module-part.tsx'

const nothing = {}

export const ModuleArea = ({ area }: { readonly area: Area }) => {
  const titleOf = useTitles()
  const { user } = useSession()
  const { path, title, page, pages = [] } = area
  if (page) return <ModulePart content={page} props={nothing} />
  const visible = pages.filter(({ access }) => isAllowed(access, user))
  const links = visible
    .filter(({ isHidden = false }) => !isHidden)
    .map(one => ({ to: `/${path}${one.path && `/${one.path}`}`, label: titleOf(one.title), end: one.path === '' }))
  return (
    <>
      <PageHeader title={titleOf(title)} />
      {links.length > 1 && <SubNavigation label={titleOf(title)} pages={links} />}
      <Routes>
        {visible.map(({ path, page }) => (
          <Route key={path} path={path} element={<ModulePart content={page} props={nothing} />} />
        ))}
        <Route path="*" element={<NotFound />} />
      </Routes>
    </>
  )
}

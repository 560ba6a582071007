// Leads people who are not signed in to the sign-in page, and back afterwards.

import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useIsOn } from '../api/modules.ts'
import type { AnyArea } from '../areas.ts'
import { Loading } from '../common/loading.tsx'
import { signInPath } from '../common/sign-in-path.ts'
import { isAllowed } from '../kit/caller-rule.ts'
import { useSession } from '../session/session.tsx'
import { Forbidden, NotFound } from './not-found.tsx'

interface AreaGuardProps {
  readonly area: AnyArea
  readonly children: ReactNode
}

export const AreaGuard = ({ area, children }: AreaGuardProps) => {
  const { user } = useSession()
  const { pathname, search } = useLocation()
  const isOn = useIsOn()(area.module, area.needsEndpoints)
  if (isOn === undefined) return <Loading />
  if (!isOn) return <NotFound />
  if (isAllowed(area.access, user)) return children
  if (user) return <Forbidden />
  return <Navigate replace to={signInPath(pathname + search)} />
}

// Leads whoever is not signed in to the sign-in page, and back afterwards.

import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import type { Area } from '../areas.ts'
import { useSession } from '../session/session.tsx'
import { Forbidden } from './not-found.tsx'

interface AreaGuardProps {
  readonly area: Area
  readonly children: ReactNode
}

export const AreaGuard = ({ area, children }: AreaGuardProps) => {
  const { user } = useSession()
  const { pathname, search } = useLocation()
  if (area.isFor(user)) return children
  if (user) return <Forbidden />
  return <Navigate replace to={signInPath(pathname + search)} />
}

export const signInPath = (target: string): string =>
  target === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(target)}`

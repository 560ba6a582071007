// What the user may do, by role.

import type { SessionUser } from '@plinth/client'

/** Administrators have every role. */
export const hasRole = (user: SessionUser | null, ...roles: readonly string[]): boolean =>
  user?.roles.some(({ authority }) => authority === 'ROLE_ADMIN' || roles.some(role => role === authority)) ?? false

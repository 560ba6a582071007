// The session of the client as react-admin asks for it.

import type { ClientCore } from '../client.ts'
import type { ServiceSchema } from '../schema.ts'
import type { SessionUser } from '../session.ts'

/** What a login form sends: name and password, then the code if problem `second_factor_required` asks for one. */
export interface SignInForm {
  readonly username?: string
  readonly password?: string
  readonly code?: string
}

/** The auth provider as react-admin takes it. */
export interface PlinthAuthProvider {
  login(form: SignInForm): Promise<void>
  logout(): Promise<void>
  checkAuth(): Promise<void>
  checkError(error: unknown): Promise<void>
  getIdentity(): Promise<{ id: string; fullName: string; avatar?: string }>
  /** The roles of the user. */
  getPermissions(): Promise<readonly string[]>
}

/**
 * Lets react-admin sign in and out with the session of the client.
 *
 * @example const authProvider = createAuthProvider(client)
 */
export const createAuthProvider = <S extends ServiceSchema>({ session }: ClientCore<S>): PlinthAuthProvider => {
  const currentUser = async (): Promise<SessionUser> => {
    const user = session.user ?? (await session.load())
    if (user === null) throw new Error('Not signed in.')
    return user
  }
  return {
    login: async ({ username = '', password, code }) => {
      if (password === undefined) await session.sendCode(code ?? '')
      else await session.signIn({ username, password, ...(code && { code }) })
    },
    logout: async () => {
      if (session.user !== null) await session.signOut()
    },
    checkAuth: async () => void (await currentUser()),
    // 403 means that the user may not do this, not that the session has ended.
    checkError: async error => {
      if (typeof error === 'object' && error !== null && 'status' in error && error.status === 401) throw error
    },
    getIdentity: async () => {
      const { pk, name, username, avatarUrl } = await currentUser()
      return { id: pk, fullName: name ?? username, ...(avatarUrl !== null && { avatar: avatarUrl }) }
    },
    getPermissions: async () => (await currentUser()).roles.map(({ authority }) => authority),
  }
}

// For acts that no request of the client carries out, such as a download by the browser itself.

import { get } from '../api/client.ts'
import { confirmSignIn } from './confirm-sign-in.ts'

/** What the browser needs to begin, in seconds. */
const enough = 30

/**
 * Has the user signed in recently, or confirmed it now? Ask before an address is opened that needs it; requests ask by themselves.
 *
 * @example if (await hasSignedInRecently()) saveLink(address, 'backup.zip')
 */
export const hasSignedInRecently = async (): Promise<boolean> => {
  const { recentFor } = await get<{ readonly recentFor: number }>('/api/auth/userDetails/verification')
  return recentFor > enough || confirmSignIn()
}

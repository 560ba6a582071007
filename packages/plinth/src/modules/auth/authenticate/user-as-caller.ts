// A user as a caller where no request is behind it, such as the owner of a webhook or the recipient of a report: what they may read now
// is what they get.

import type { Caller } from '../../../core/model/caller.ts'
import type { Platform } from '../../../core/rest/platform.ts'
import { roleNamesOf, type User } from '../../people/index.ts'
import { readAttributes } from './caller-attributes.ts'

export const userAsCaller = async (
  platform: Platform,
  user: Pick<User, 'pk' | 'username' | 'roles'>,
): Promise<Caller> => {
  const attributes = await readAttributes(platform, user.pk)
  return {
    pk: user.pk,
    username: user.username,
    roles: new Set(roleNamesOf(user)),
    ...(attributes && { attributes }),
  }
}

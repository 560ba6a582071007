import type { SessionUser } from '@plinth/client'

/** What stands in place of a picture that a user does not have. */
export const initialsOf = ({
  firstName,
  lastName,
  username,
}: Pick<SessionUser, 'firstName' | 'lastName' | 'username'>): string =>
  [firstName, lastName].map(name => name?.charAt(0) ?? '').join('') || username.slice(0, 2)

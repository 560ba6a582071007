// Registrations that wait for the confirmation of the address that they were made with.

import type { Reader } from '../../core/model/transaction.ts'

/** Who was turned away has a date of that, and waits for nothing. */
export const isUnconfirmed = async (reader: Reader, user: string): Promise<boolean> => {
  const credentials = await reader.get(reader.resource('userCredentials'), user)
  return credentials?.active === false && credentials.inactivationDate === null
}

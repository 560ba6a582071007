// E-mail addresses that the service accepts.

import { createHash } from 'node:crypto'
import { defineFaults } from '../../core/fault.ts'

export const mailFault = defineFaults({ email: 'must be a valid e-mail address' })

const local = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const shape = new RegExp(`^(?=.{3,254}$)(?=[^@]{1,64}@)${local}@${label}(?:\\.${label})*$`)

/**
 * ASCII only (RFC 5321, 4.1.2, without quoted parts): so no letter of another script can imitate an address, and nothing in an
 * address can break out of a header.
 */
export const isEmail = (text: string): boolean => shape.test(text)

export const emailPattern = { is: shape, says: mailFault('email') }

/** For the audit: enough to recognise an address, too little to use it. */
export const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/u, '$1***')

/** Equal for all spellings of a mailbox. Null for what is no address: folding its letters could make it one. */
export const emailHashOf = (email: string): string | null => {
  const trimmed = email.trim()
  return isEmail(trimmed) ? createHash('sha256').update(trimmed.toLowerCase()).digest('hex') : null
}

// A party of a business network, and its name as callers write it.

import type { KeyObject } from 'node:crypto'
import { Problem } from 'plinth'
import { ValueFault } from 'plinth/module'
import { membershipFault } from './faults.ts'
import { canonicalX500 } from './x500.ts'

export interface Party {
  /** The canonical X.500 name. */
  readonly name: string
  readonly isOperator: boolean
  /** The address where its node takes messages; null for one of this process, or of which it is not known. */
  readonly address: string | null
  /** The key, without which no message of the party is believed. */
  readonly key: KeyObject | null
}

export const readPartyName = (text: string, where: string): string => {
  try {
    return canonicalX500(text)
  } catch (error) {
    if (!(error instanceof ValueFault)) throw error
    throw badParty(where, error.message)
  }
}

export const badParty = (member: string, reason: string): Problem =>
  new Problem('invalid', {
    detail: `${member} ${reason}.`,
    errors: [{ pointer: `/${member}`, member, ...membershipFault('party', { message: reason }) }],
  })

import { createHash } from 'node:crypto'
import { defineResource, hashOf } from '../../core/model/define.ts'
import { text } from '../../core/model/fields.ts'
import type { Transaction } from '../../core/model/transaction.ts'

const maxLength = 1600

export const userAgents = defineResource('userAgents', {
  title: { de: 'User-Agents' },
  singularTitle: { de: 'User-Agent' },
  about: {
    en: 'Programs by which people reach the service, as they call themselves.',
    de: 'Browser und andere Programme, die auf den Dienst zugreifen, wie sie sich selbst nennen.',
  },
  label: 'value',
  identifier: hashOf('value'),
  fields: { value: text({ required: true, max: maxLength, title: { de: 'Wert' } }) },
  access: { read: "caller.has('ROLE_SITE_OPERATOR')", write: "caller.has('ROLE_ADMIN')" },
})

/** The record of this program, made when it is new; null when it does not say what it is. */
export const userAgentOf = async (tx: Transaction, sent: string | null, now: Date): Promise<string | null> => {
  const value = (sent ?? '').toWellFormed().replaceAll('\0', '').slice(0, maxLength)
  if (value === '') return null
  const pk = createHash('sha256').update(value).digest('hex')
  const stamps = { createdDate: now.toISOString(), lastModifiedDate: now.toISOString() }
  await tx.ensure(tx.resource(userAgents.name), pk, { value, ...stamps })
  return pk
}

import { createHash } from 'node:crypto'
import { defineResource, hashOf } from '../../core/model/define.ts'
import { text } from '../../core/model/fields.ts'
import type { TransactionRecords } from '../../core/model/records.ts'

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
  families: { create: 'A', find: 'A', patch: 'A' },
  access: { read: "caller.has('ROLE_SITE_OPERATOR')", write: "caller.has('ROLE_ADMIN')" },
})

/** The record of this program, made when it is new; null when it does not say what it is. */
export const userAgentOf = async (records: TransactionRecords, sent: string | null): Promise<string | null> => {
  const value = (sent ?? '').toWellFormed().replaceAll('\0', '').slice(0, maxLength)
  if (value === '') return null
  const pk = createHash('sha256').update(value).digest('hex')
  await records.ensure(userAgents, { pk, value })
  return pk
}

import { type Change, defineResource, type Hooks } from '../../core/model/define.ts'
import { computed, longText, many, text } from '../../core/model/fields.ts'
import type { Transaction } from '../../core/model/transaction.ts'
import { Problem } from '../../core/problem.ts'
import { recordChange } from '../audit/index.ts'
import { accountFault } from './faults.ts'
import { copyRights } from './rights.ts'

/** Rules in the model name these, so they are here to stay. */
export const startingRoles: Readonly<Record<string, string>> = {
  ROLE_ADMIN: 'May do everything.',
  ROLE_SITE_OPERATOR: 'Runs the site: geography, codes, errors, memberships.',
  ROLE_STAFF: 'Works at the counter.',
  ROLE_USER: 'Every signed-in user.',
}

const maxMembers = 1_000_000

const membersOf = async (tx: Transaction, { resource, pk }: Change): Promise<string[]> => {
  const members = resource.members.get('members')
  if (!members) throw new Error('roles have members')
  return (await tx.pairs(members, [pk], { limit: maxMembers })).map(([, user]) => user)
}

const hooks: Hooks = {
  before: async (change, tx) => {
    const name = String(change.before?.name)
    const goes = change.kind === 'delete' || (change.kind === 'update' && change.values.name !== undefined)
    if (goes && name in startingRoles) throw new Problem('conflict', `The service relies on ${name}.`)
    if (change.kind === 'delete') for (const user of await membersOf(tx, change)) await copyRights(tx, user, name)
  },
  after: async (change, tx) => {
    const isRenamed = change.kind === 'update' && change.values.name !== undefined
    if (isRenamed) for (const user of await membersOf(tx, change)) await copyRights(tx, user)
    // The roles that every installation has are no news.
    if (!change.isService && (change.kind !== 'update' || isRenamed)) await recordRole(tx, change)
  },
}

const events = { create: 'ROLE_CREATED', update: 'ROLE_RENAMED', delete: 'ROLE_DELETED' } as const

const recordRole = (tx: Transaction, change: Change): Promise<void> => {
  const { kind, before, values } = change
  const [former, role] = [before?.name, values.name].map(name => (name === undefined ? null : String(name)))
  const data = { ...(former && { former }), ...(role && { role }) }
  return recordChange(tx, change, { type: events[kind], data })
}

export const roles = defineResource('roles', {
  title: { de: 'Rollen' },
  singularTitle: { de: 'Rolle' },
  about: { en: 'What users may be trusted with, by name.', de: 'Rollen, die Personen zugewiesen werden können.' },
  label: 'name',
  fields: {
    name: text({
      required: true,
      max: 100,
      unique: true,
      pattern: { is: /^ROLE_[A-Z0-9_]+$/, says: accountFault('authority') },
      title: { de: 'Name' },
    }),
    description: longText({ max: 510, title: { de: 'Beschreibung' } }),
    authority: computed(text({ max: 100, title: { de: 'Befugnis' } }), ({ name }) => String(name)),
    members: many('users', { by: 'roles', title: { en: 'Members', de: 'Mitglieder' } }),
  },
  hooks,
  access: { read: 'caller.signedIn', write: "caller.has('ROLE_ADMIN')" },
})

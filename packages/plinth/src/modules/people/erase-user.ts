// `plinth erase user`: removes the personal data of a user from the history and the trash.

import type { Command, CommandContext } from '../../core/module.ts'
import { Problem } from '../../core/problem.ts'
import type { Platform } from '../../core/rest/platform.ts'
import { eraseAccount } from './erase-account.ts'
import { peopleAudit } from './problems.ts'
import { users } from './users.ts'

/** The user of this name or pk, present, in the trash or in the history alone. */
const findUser = async ({ store }: Platform, name: string): Promise<string> => {
  const resource = store.resource(users)
  const pks = new Set<string>()
  for (const by of ['pk', 'username']) {
    const field = resource.fields.get(by)
    if (field) for (const pk of await store.findTraces(field, name)) pks.add(pk)
  }
  const [pk, ...others] = pks
  if (pk === undefined) throw new Problem('not_found', `There is no trace of a user '${name}'.`)
  if (others.length > 0)
    throw new Problem('conflict', `Several users had the name '${name}'. Give the pk of one: ${[...pks].join(', ')}.`)
  return pk
}

const deleted = 'The user was deleted permanently, with all that belongs to the account.'
const anonymised =
  'Other records need the user, who stays without a name. All that belongs to the account was deleted permanently.'

const eraseUser = async (context: CommandContext, platform: Platform, name: string): Promise<void> => {
  const { store, clock } = platform
  const pk = await findUser(platform, name)
  const deletes = context.options.delete === true
  const { entries, trashed, authored, isPresent, isAnonymised } = await platform.records.transaction(async records => {
    const resource = records.tx.resource(users)
    const isPresent = (await records.first(users, { where: { pk } })) !== null
    const erased = await records.tx.eraseTraces(resource, pk)
    const { isAnonymised } =
      isPresent && deletes ? await eraseAccount(records, platform.registry.resources, pk) : { isAnonymised: false }
    const data = { user: pk, ...erased, by: 'command line' }
    await peopleAudit.record(records, { type: 'USER_ERASED', principal: null, data, now: clock() })
    return { ...erased, isPresent, isAnonymised }
  })
  await store.eraseRemoved()
  context.print(
    ...(isPresent && deletes ? [isAnonymised ? anonymised : deleted] : []),
    `Erased ${entries} entries of the history and ${trashed} records in the trash.`,
    `Erased the author, the address and the request of ${authored} changes and deletions.`,
    ...(isPresent && !deletes ? ['The user still exists: --delete deletes the account, too.'] : []),
    'Not erased: the audit log, logs and backups, which have retention times of their own.',
  )
}

export const eraseCommands: readonly Command[] = [
  { name: 'erase', about: 'erase personal data' },
  {
    name: 'erase user',
    about: 'erase the personal data of a user from the history and the trash',
    arguments: [{ name: '<user>', about: 'the username or the pk; also of a deleted user' }],
    options: [{ name: '--delete', about: 'delete the account, too, permanently' }],
    run: (context, name = '') => context.withPlatform(platform => eraseUser(context, platform, name)),
  },
]

// Deletes the accounts whose time has come.

import { hourMs, type Job } from '../../core/jobs/job.ts'
import { oneByOne } from '../../core/jobs/sweep.ts'
import type { Service } from '../../core/service.ts'
import { files, releaseFiles } from '../files/index.ts'
import { queueMail } from '../mail/index.ts'
import { eraseAccount, mailRecipientOf, users } from '../people/index.ts'
import { accountDeletions } from './account-deletions.ts'
import { accountDeleted } from './mails.ts'
import { privacyAudit } from './problems.ts'

export const deleteAccounts: Job = {
  name: 'delete-accounts',
  about: {
    en: 'Deletes accounts whose users have asked for it, when their time has come.',
    de: 'Löscht Konten, deren Löschung beantragt wurde, sobald die Frist vorbei ist.',
  },
  everyMs: hourMs,
  run: async ({ service, records, now, signal }) => {
    const due = await records.find(accountDeletions, { where: { due: { le: now.toISOString() } }, sort: 'due' })
    // One that cannot be deleted, such as that of the last administrator, must not keep the others.
    await oneByOne(service, { name: 'deleting accounts', all: due }, async ({ pk }) => {
      signal.throwIfAborted()
      await deleteAccount(service, pk)
    })
  },
}

const deleteAccount = async ({ platform }: Service, user: string): Promise<void> => {
  const { registry, store, clock } = platform
  const isDone = await platform.records.transaction(async records => {
    // Another instance may have done it, or the user may have cancelled it.
    if (!(await records.lock(accountDeletions, user))) return false
    const { username } = await records.get(users, user)
    const to = await mailRecipientOf(records, user)
    if (to) {
      const { account, ...recipient } = to
      await queueMail(records, accountDeleted, { ...recipient, content: account })
    }
    const own = await records.find(files, { where: { resource: users.name, owner: user } })
    await releaseFiles(
      records,
      own.map(({ pk }) => pk),
    )
    const { isAnonymised, ...erased } = await eraseAccount(records, registry.resources, user)
    const data = { user, ...erased, way: isAnonymised ? 'anonymised' : 'deleted' }
    await privacyAudit.record(records, { type: 'ACCOUNT_DELETED', principal: username, data, now: clock() })
    return true
  })
  if (isDone) await store.eraseRemoved()
}

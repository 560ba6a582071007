// The deletion of the own account: what goes with it, the request, and the way back.

import { integer, text, timestamp } from '../../core/model/fields.ts'
import { defineShape, list } from '../../core/model/shape.ts'
import { type Call, defineEndpoint } from '../../core/rest/endpoint.ts'
import { toValueAnswer } from '../../core/rest/endpoint-answers.ts'
import { languageFor } from '../../core/rest/language.ts'
import type { Service } from '../../core/service.ts'
import { queueMail } from '../mail/index.ts'
import { mailRecipientOf, mustNotBeLastAdministrator } from '../people/index.ts'
import { accountDeletions } from './account-deletions.ts'
import { accountDeletionRequested } from './mails.ts'
import { privacyAudit } from './problems.ts'
import { privacySettings } from './settings.ts'
import { userOf } from './user-of.ts'
import { whatRemains } from './what-remains.ts'

const must = { required: true } as const

const accountDeletion = defineShape('AccountDeletion', {
  days: integer({ ...must, about: 'Days between the request and the deletion.' }),
  requested: timestamp(),
  due: timestamp({ about: 'When the account is deleted; null unless the user has asked for it.' }),
  deleted: list(text(must), { ...must, about: 'What is deleted with the account, by title.' }),
  kept: list(text(must), { ...must, about: 'What needs the user, who therefore stays without a name, by title.' }),
})

const path = '/api/auth/account/deletion'

const dayMs = 86_400_000

export const deletionEndpoints = ({ config, platform }: Service) => {
  const days = config.get(privacySettings).deletionDays

  const show = async ({ context, request }: Pick<Call, 'context' | 'request'>) => {
    const user = userOf(context.caller)
    const found = await platform.records.first(accountDeletions, { where: { pk: user } })
    const remains = await whatRemains(context, { user, language: languageFor(context, request) })
    return { ...remains, days, requested: found?.requested ?? null, due: found?.due ?? null }
  }

  return [
    defineEndpoint({
      method: 'GET',
      path,
      id: 'readAccountDeletion',
      tag: 'privacy',
      summary: 'What goes with your account, and when',
      access: 'caller.signedIn',
      answers: { 200: accountDeletion },
      run: show,
    }),
    defineEndpoint({
      method: 'POST',
      path,
      id: 'deleteAccount',
      tag: 'privacy',
      summary: 'Delete your account',
      description: 'The account is deleted after the days that the service has set; until then it can be cancelled.',
      access: 'caller.signedIn',
      requires: 'recentSignIn',
      answers: { 201: { about: 'It will be deleted.', value: accountDeletion } },
      problems: [401, 403, 409, 503],
      answer: async call => {
        const { caller, now, request } = call
        const user = userOf(caller)
        await platform.records.transaction(async records => {
          await mustNotBeLastAdministrator(records, { user, caller })
          if (await records.lock(accountDeletions, user)) return
          const due = new Date(now.getTime() + days * dayMs).toISOString()
          await records.create(accountDeletions, { user, requested: now.toISOString(), due })
          const data = { address: request.remoteAddress, due }
          await privacyAudit.record(records, {
            type: 'ACCOUNT_DELETION_REQUESTED',
            principal: caller.username,
            data,
            now,
          })
          const to = days > 0 ? await mailRecipientOf(records, user) : null
          if (!to) return
          const { account, ...recipient } = to
          const content = { ...account, until: due.slice(0, 10) }
          await queueMail(records, accountDeletionRequested, { ...recipient, content })
        })
        return toValueAnswer(accountDeletion, await show(call), { status: 201 })
      },
    }),
    defineEndpoint({
      method: 'DELETE',
      path,
      id: 'keepAccount',
      tag: 'privacy',
      summary: 'Cancel the deletion of your account',
      access: 'caller.signedIn',
      answers: { 204: 'The account stays.' },
      problems: [401, 403, 503],
      run: async ({ caller, now, request }) => {
        const user = userOf(caller)
        await platform.records.transaction(async records => {
          if (!(await records.lock(accountDeletions, user))) return
          await records.remove(accountDeletions, user)
          const data = { address: request.remoteAddress }
          await privacyAudit.record(records, {
            type: 'ACCOUNT_DELETION_CANCELLED',
            principal: caller.username,
            data,
            now,
          })
        })
      },
    }),
  ] as const
}

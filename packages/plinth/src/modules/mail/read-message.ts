// GET mails/{pk}/message: the file of a mail in the outbox folder, for administrators of a service without a mail server. Links in
// mails open accounts, so administrators cannot read them with an API key, and the audit records who has read them.

import type { Config } from '../../core/config/settings.ts'
import { isInPerson } from '../../core/model/caller.ts'
import { Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { type Call, defineEndpoint, type Endpoint } from '../../core/rest/endpoint.ts'
import { mayUse } from '../../core/rest/platform.ts'
import type { Service } from '../../core/rest/service.ts'
import { defineAudit } from '../audit/index.ts'
import { mails } from './mails.ts'
import { readMessage } from './transport.ts'

const mediaType = 'message/rfc822'

export const mailAudit = defineAudit(['MAIL_READ'])

export const readMessageEndpoint = ({ config }: Service): Endpoint =>
  defineEndpoint({
    method: 'GET',
    path: '/api/rest/mails/{pk}/message',
    id: 'readMessage',
    summary: 'Read an e-mail in the outbox folder',
    description: 'Only without a mail server: e-mails that were sent to one are not stored.',
    holdsSecrets: true,
    access: mayUse(mails, 'read'),
    answers: { 200: { about: 'The mail.', content: { [mediaType]: { type: 'string' } } } },
    problems: [401, 403, 404, 406],
    answer: call => readMessageOf(call, config),
  })

const readMessageOf = async (
  { context, caller, records, params }: Call<`${string}{pk}`>,
  config: Config,
): Promise<Answer> => {
  const { sender } = context
  if (!isInPerson(caller)) throw new Problem('forbidden', 'E-mails cannot be read with an API key.')
  const mail = await records.get(mails, params.pk)
  const body = await readMessage(config, mail.pk)
  if (!body) throw new Problem('not_found')
  const data = { mail: mail.pk, purpose: mail.purpose ?? '', recipient: mail.recipient ?? '' }
  await records.transaction(({ tx, now }) =>
    mailAudit.recordChange(tx, { caller, sender, now }, { type: 'MAIL_READ', data }),
  )
  const headers = { 'Content-Disposition': `attachment; filename="${mail.pk}.eml"`, 'Cache-Control': 'no-store' }
  return { kind: 'bytes', mediaType, body, headers }
}

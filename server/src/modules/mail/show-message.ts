// GET mails/{pk}/message: a mail as it lies in the outbox folder, for administrators of a service that has no mail server.
// Links in mails open accounts, so administrators read them in person, and it is written down who did.

import { formatsByName } from '../../core/formats/index.ts'
import type { Route } from '../../core/http/exchange.ts'
import { isInPerson } from '../../core/model/reach.ts'
import { Problem } from '../../core/problem.ts'
import { recordsFor } from '../../core/records/records.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { allowed } from '../../core/rest/permit.ts'
import type { Context } from '../../core/rest/platform.ts'
import { respond } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import { recordChange } from '../audit/index.ts'
import { mails } from './mails.ts'
import { readMessage } from './outbox.ts'

const mediaType = 'message/rfc822'

export const messageRoute = (service: Service): Route => ({
  method: 'GET',
  path: '/api/rest/mails/{pk}/message',
  holdsSecrets: true,
  handler: respond(service, {
    resource: service.platform.registry.resource(mails),
    format: formatsByName.json,
    takesBody: false,
    produces: mediaType,
    permit: allowed(service.platform.registry.resource(mails), 'read'),
    run: (context, { request }) => showMessage(context, service, request.params.pk ?? ''),
  }),
  describe: {
    id: 'readMessage',
    summary: 'Read a mail in the outbox folder',
    description: 'Only without a mail server: what was sent to one is not kept.',
    answers: { 200: { says: 'The mail.', content: { [mediaType]: { type: 'string' } } } },
    problems: [401, 403, 404, 406],
  },
})

const showMessage = async (context: Context, { config }: Service, pk: string): Promise<Answer> => {
  const { caller, sender } = context
  const records = recordsFor(context)
  if (!isInPerson(caller)) throw new Problem('forbidden', 'Mails are read in person, not with an API key.')
  const mail = await records.get(mails, pk)
  const body = await readMessage(config, mail.pk)
  if (!body) throw new Problem('not_found')
  const data = { mail: mail.pk, purpose: mail.purpose ?? '', recipient: mail.recipient ?? '' }
  await records.transaction(({ tx, now }) => recordChange(tx, { caller, sender, now }, { type: 'MAIL_READ', data }))
  const headers = { 'Content-Disposition': `attachment; filename="${mail.pk}.eml"`, 'Cache-Control': 'no-store' }
  return { kind: 'bytes', mediaType, body, headers }
}

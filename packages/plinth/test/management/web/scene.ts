// A service with errors and a mail, and a browser in which an administrator is signed in.

import { openScreens } from '@plinth/test-kit/screens'
import { startService } from '@plinth/test-kit/service'

export const json = { Accept: 'application/json' }

/** Also returns the identifier of the error log with a failure of the service. */
export const openManagement = async () => {
  const service = await startService('sqlite', {
    settings: { 'app.jwt.tokenSigningKey': 'a canary that is never shown 0123456789' },
  })
  const screens = await openScreens(service)
  const admin = service.as('admin')
  const stacktrace = Array.from({ length: 40 }, (_, at) => `    at frame${at} (somewhere/deep/in/the/tree.ts:${at}:1)`)
  const log = { rootCauseMessage: 'Error: the printer is on fire', stacktrace: stacktrace.join('\n') }
  const logPk: string = (await admin.post('/api/rest/errorLogs', log, json)).body.pk
  const failure = { message: 'It failed', requestUrl: '/api/rest/films', errorLog: logPk }
  await admin.post('/api/rest/systemErrors', failure, json)
  await admin.post('/api/rest/clientErrors', { message: 'TypeError: x is not a function', viewUrl: '/client' }, json)
  await service.as('simple').post('/api/rest/invitations', { addressLines: 'ada@example.org' })
  await screens.signIn('admin')
  return { service, screens, logPk }
}

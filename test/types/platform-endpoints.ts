// Endpoints of modules, typed by the application of this repository, also where a module makes them for each service. Checked by the
// compiler, never run.

import { createClient } from '@plinth/client'
import type { SchemaOf } from 'plinth'
import type app from '../../plinth.config.ts'
import { same } from './same.ts'

type Endpoints = SchemaOf<typeof app>['endpoints']

const client = createClient<SchemaOf<typeof app>>({ url: 'https://service.example' })

/** One endpoint of each module that has some under a fixed name. */
export const known: readonly (keyof Endpoints)[] = [
  ...(['logIn', 'createTokens', 'readCurrentUser', 'listSessions', 'turnOnSecondFactor'] as const),
  ...(['register', 'invite', 'createFirstAdministrator', 'putUserMetadatum', 'readMessage'] as const),
  ...(['listModules', 'listResources', 'examineInstallation', 'startBackup', 'downloadBackup'] as const),
  ...(['testWebhook', 'rotateWebhookSecret', 'importRecords', 'listMyFriends', 'listenToEvents'] as const),
  ...(['getHealth', 'setLogger', 'runJob', 'getAuditEvents', 'getManagement'] as const),
  ...(['registerAlias', 'calculateOrderShort', 'restoreFilms', 'listFilmsHistory', 'uploadUsersFiles'] as const),
  ...(['activateMembership', 'listNetworkMembershipsOfNode', 'getMembershipHistoryAtOperator'] as const),
  ...(['submitOrders', 'calculateOrder', 'printReceipt', 'voidPayment', 'describeStore'] as const),
]

/** Right calls. */
export const right = async (): Promise<void> => {
  const { findings } = await client.endpoints.examineInstallation()
  const level: 'ok' | 'warning' | 'error' | undefined = findings[0]?.level
  await client.endpoints.rotateWebhookSecret({ params: { pk: '1' } })
  void level
  const restored = await client.endpoints.restoreFilms({ params: { pk: '1' } })
  same<string>().as(restored.title)
  const history = await client.endpoints.listFilmsHistory({ params: { pk: '1' }, query: { _ps: 5 } })
  same<'created' | 'updated' | 'deleted' | 'restored' | undefined>().as(history.content[0]?.change)
  const files = await client.endpoints.listUsersFiles({ params: { pk: '1' } })
  same<string | undefined>().as(files.files[0]?.mediaType)
  same<'UP' | 'DOWN' | 'UNKNOWN'>().as((await client.endpoints.getHealth()).status)
  same<string | undefined>().as((await client.endpoints.getJobs())[0]?.name)
}

/** Wrong calls, none of which compiles. */
export const wrong = async (): Promise<void> => {
  // @ts-expect-error: no such endpoint
  await client.endpoints.examineInstalation()
  // @ts-expect-error: a parameter of the path is missing
  await client.endpoints.rotateWebhookSecret()
  // @ts-expect-error: a parameter of another name
  await client.endpoints.rotateWebhookSecret({ params: { id: '1' } })
  // @ts-expect-error: payments have no trash
  await client.endpoints.restorePayments({ params: { pk: '1' } })
  // @ts-expect-error: hosts have no files
  await client.endpoints.listHostsFiles({ params: { pk: '1' } })
  // @ts-expect-error: the version is missing
  await client.endpoints.restoreFilmsVersion({ params: { pk: '1' } })
  // @ts-expect-error: a page size is a number
  await client.endpoints.listFilmsHistory({ params: { pk: '1' }, query: { _ps: '5' } })
  // @ts-expect-error: no such status
  ;(await client.endpoints.getHealth()).status === 'SICK'
  // @ts-expect-error: no such level
  ;(await client.endpoints.examineInstallation()).findings[0]?.level === 'fatal'
}

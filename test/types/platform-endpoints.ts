// Endpoints of modules, typed by the application of this repository, also where a module makes them for each service. Checked by the
// compiler, never run.

import { createClient } from '@plinth/client'
import type { SchemaOf } from 'plinth'
import type app from '../../plinth.config.ts'

type Endpoints = SchemaOf<typeof app>['endpoints']

const client = createClient<SchemaOf<typeof app>>({ url: 'https://service.example' })

/** One endpoint of each module that has some under a fixed name. */
export const known: readonly (keyof Endpoints)[] = [
  ...(['logIn', 'createTokens', 'readCurrentUser', 'listSessions', 'turnOnSecondFactor'] as const),
  ...(['register', 'invite', 'createFirstAdministrator', 'putUserMetadatum', 'readMessage'] as const),
  ...(['listModules', 'listResources', 'examineInstallation', 'startBackup', 'downloadBackup'] as const),
  ...(['testWebhook', 'rotateWebhookSecret', 'importRecords', 'listMyFriends', 'listenToEvents'] as const),
  ...(['submitOrders', 'calculateOrder', 'printReceipt', 'voidPayment', 'describeStore'] as const),
]

/** Right calls. */
export const right = async (): Promise<void> => {
  const { findings } = await client.endpoints.examineInstallation()
  const level: 'ok' | 'warning' | 'error' | undefined = findings[0]?.level
  await client.endpoints.rotateWebhookSecret({ params: { pk: '1' } })
  void level
}

/** Wrong calls, none of which compiles. */
export const wrong = async (): Promise<void> => {
  // @ts-expect-error: no such endpoint
  await client.endpoints.examineInstalation()
  // @ts-expect-error: a parameter of the path is missing
  await client.endpoints.rotateWebhookSecret()
  // @ts-expect-error: a parameter of another name
  await client.endpoints.rotateWebhookSecret({ params: { id: '1' } })
  // @ts-expect-error: no such level
  ;(await client.endpoints.examineInstallation()).findings[0]?.level === 'fatal'
}

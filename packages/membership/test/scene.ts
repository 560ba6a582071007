// A service with embedded nodes: two operators and two members.

import type { TestedDatabase } from '@plinth/test-kit/databases'
import { keepDatabase } from '@plinth/test-kit/kept-database'
import { type Answer, type Client, type ServiceOptions, startService, type TestService } from '@plinth/test-kit/service'

export const parties = {
  operator: 'O=Operations, L=Athens, C=GR',
  rival: 'O=Rivals, L=Rome, C=IT',
  alpha: 'O=Alpha Works, L=London, C=GB',
  beta: 'O=Beta, L=Paris, C=FR',
} as const

export const nodeSettings: Record<string, string> = {
  'app.modules': 'membership',
  'app.bnms.controllers': 'bno,member,bnos,members',
  ...Object.fromEntries(Object.entries(parties).map(([name, party]) => [`app.nodes.${name}.partyName`, party])),
  'app.nodes.operator.role': 'operator',
  'app.nodes.rival.role': 'operator',
}

/**
 * A service with the nodes of these settings. It starts on prepared data without nodes, so that only the data of the nodes are created.
 */
export const startWithNodes = async (database: TestedDatabase, options: ServiceOptions): Promise<TestService> => {
  if (options.settings?.['app.dataDir'] || options.settings?.['app.database.url'])
    throw new Error('startWithNodes brings its own data')
  const kept = await keepDatabase(database, { 'app.modules': '' })
  const settings = { 'app.modules': 'membership', ...options.settings, ...kept.settings }
  const service = await startService(database, { ...options, settings }).catch(async error => {
    await kept.remove()
    throw error
  })
  return {
    ...service,
    stop: async () => {
      await service.stop()
      await kept.remove()
    },
  }
}

export const startScene = async (database: TestedDatabase, options: ServiceOptions = {}) => {
  const service = await startWithNodes(database, { ...options, settings: { ...nodeSettings, ...options.settings } })
  const admin = service.as('admin')
  return { service, admin, ...actions(admin) }
}

export type NetworkScene = Awaited<ReturnType<typeof startScene>>

const asOperator = (node: string) => `/api/bnms/bnos/${encodeURIComponent(node)}/memberships`
const asMember = (node: string) => `/api/bnms/members/${encodeURIComponent(node)}/memberships`

/** The operations by name, for one caller. */
export const actions = (client: Client) => ({
  request: (node: string, body: unknown): Promise<Answer> => client.post(asMember(node), body),
  amend: (node: string, body: unknown): Promise<Answer> => client.put(asMember(node), body),
  list: (node: string, query = ''): Promise<Answer> => client.get(asMember(node) + query),
  activate: (node: string, body: unknown): Promise<Answer> => client.put(asOperator(node), body),
  suspend: (node: string, body: unknown): Promise<Answer> => client(asOperator(node), { method: 'DELETE', body }),
  decline: (node: string, body: unknown): Promise<Answer> => client.post(`${asOperator(node)}/decline`, body),
  revoke: (node: string, body: unknown): Promise<Answer> => client.post(`${asOperator(node)}/revoke`, body),
  overview: (node: string, query = ''): Promise<Answer> => client.get(asOperator(node) + query),
})

export type Actions = ReturnType<typeof actions>

let networks = 0
/** Memberships of different networks have nothing to do with one another: each test takes one of its own. */
export const newNetwork = (): string => `network-${++networks}`

export type State = 'none' | 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'DECLINED' | 'REVOKED'

const ways = {
  none: [],
  PENDING: ['request'],
  ACTIVE: ['request', 'activate'],
  SUSPENDED: ['request', 'activate', 'suspend'],
  DECLINED: ['request', 'decline'],
  REVOKED: ['request', 'activate', 'revoke'],
} as const

export interface NetworkSceneOptions {
  readonly member?: keyof typeof parties
  readonly networkId?: string
}

/** A membership with the operator in the given state: alpha's, in a new network, unless given otherwise. */
export const membershipIn = async (
  state: State,
  act: Actions,
  { member = 'alpha', networkId }: NetworkSceneOptions = {},
) => {
  const network = networkId ?? newNetwork()
  const body = { member: parties[member], networkId: network }
  for (const step of ways[state]) {
    const application = { party: parties.operator, networkId: network, membershipMetadata: { kind: 'first' } }
    if (step === 'request') await act.request(member, application)
    else await act[step]('operator', body)
  }
  return { networkId: network, body }
}

// A node whose ledger is in this database: that of the service, or of a process of its own.

import { Problem, type Records } from 'plinth'
import { every, lazy } from 'plinth/module'
import { answering } from './answering.ts'
import { Delivery } from './deliver.ts'
import { createAsk, type LocalAnswer, type Post } from './exchange.ts'
import { historyOf } from './history.ts'
import { readPublicKey } from './identity.ts'
import { createInbox, type Inbox } from './inbox.ts'
import { Ledger } from './ledger.ts'
import { NetworkMember } from './member.ts'
import { type RecordMembershipEvent, toMembershipEvent } from './membership-event.ts'
import type { NetworkMap } from './network-map.ts'
import type { MembershipNode, NodeHealth } from './node.ts'
import type { NodeKey } from './node-key.ts'
import { Operator } from './operator.ts'
import type { Party } from './party.ts'
import { countBehind } from './peers.ts'
import { limited } from './selection.ts'
import type { NodeSettings } from './settings.ts'
import { membershipNodes } from './tables.ts'

const forgetEvery = 60_000

export interface NodeLog {
  error(fields: object, message: string): void
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
}

export interface EmbeddedParts {
  readonly records: Records
  readonly clock: () => Date
  readonly log: NodeLog
  readonly map: NetworkMap
  readonly post: Post
  readonly audit: RecordMembershipEvent
  readonly key: NodeKey
}

export interface EmbeddedNode extends MembershipNode {
  readonly ledger: Ledger
  /** Makes the ledger ready, or says why it cannot be used. */
  prepare(): Promise<void>
  readonly inbox: Inbox
  readonly answer: LocalAnswer
}

export const toParty = ({ party, role }: NodeSettings, { identity }: NodeKey): Party => ({
  name: party,
  isOperator: role === 'operator',
  address: null,
  get key() {
    return readPublicKey(identity().publicKey) ?? null
  },
})

export const createEmbeddedNode = (settings: NodeSettings, parts: EmbeddedParts): EmbeddedNode => {
  const { name, party, role, whitelist, readMetadata } = settings
  const { records, clock, log, map, post, audit, key } = parts
  const { identity } = key
  const ledger = new Ledger({ node: name, records, key })
  const ask = createAsk({ identity, map, post, clock })
  const delivery = new Delivery({ ledger, map, ask, log, local: () => [...post.local.keys()] })
  const operator =
    role === 'operator'
      ? new Operator({ ledger, map, readMetadata, clock, audit, changed: () => delivery.wake() })
      : null
  const member = new NetworkMember({ ledger, map, readMetadata, whitelist, ask, operator, log })

  const ready = lazy(() => ledger.prepare())
  const once = answering({ ledger, map, operator, member, delivery })
  const answer: LocalAnswer = async (from, kind, body) => {
    await ready()
    return once(from, kind, body)
  }
  post.local.set(party, answer)
  const inbox = createInbox({ ledger, map, clock, log, answer })

  return {
    name,
    party,
    role,
    kind: 'embedded',
    ledger,
    prepare: ready,
    answer,
    inbox,
    rule: async order => {
      if (!operator)
        throw new Problem('forbidden', { en: 'This node is not an operator.', de: 'Dieser Knoten ist kein Betreiber.' })
      await ready()
      return operator.rule(order)
    },
    apply: async order => {
      await ready()
      const record = await member.apply(order)
      // The operator's node knows which party asked; only this one knows which person.
      if (record.bno !== party)
        await records.transaction(transaction =>
          audit(transaction, toMembershipEvent(order.act, record, { node: name, actor: order.actor })),
        )
      return record
    },
    list: async listing => {
      await ready()
      return limited(await member.list(listing), listing, map)
    },
    history: async linearId => {
      await ready()
      return historyOf(ledger, linearId, signer =>
        signer === party ? readPublicKey(identity().publicKey) : map.party(signer)?.key,
      )
    },
    operators: async () => member.operators(),
    health: () => healthOf(ledger),
    start: async () => {
      await ready()
      const stopDelivery = operator ? delivery.start() : null
      const stopForgetting = every(forgetEvery, { name: 'dropping old messages', log }, inbox.forget)
      const stopMember = member.start()
      return async () => {
        await stopForgetting()
        await stopDelivery?.()
        await stopMember()
      }
    },
  }
}

const healthOf = async (ledger: Ledger): Promise<NodeHealth> => {
  const states = (await ledger.records.first(membershipNodes, { where: { pk: ledger.node } }))?.sequence ?? 0
  return { status: 'UP', states, partiesBehind: await countBehind(ledger, states) }
}

// Answers messages of other nodes, whose senders have been verified.

import { type Json, Problem } from 'plinth'
import { type Delivery, toSent } from './deliver.ts'
import type { LocalAnswer } from './exchange.ts'
import type { Ledger, ReceivedState } from './ledger.ts'
import type { NetworkMember } from './member.ts'
import { concernsOthers, statuses } from './membership-states.ts'
import type { MessageBody } from './messages.ts'
import type { NetworkMap } from './network-map.ts'
import type { Operator } from './operator.ts'
import { activeNetworks, rowsAtOnce, rowsOf, type Selection } from './selection.ts'

export interface AnsweringParts {
  readonly ledger: Ledger
  readonly map: NetworkMap
  readonly operator: Operator | null
  readonly member: NetworkMember
  readonly delivery: Delivery
}

export const answering = ({ ledger, map, operator, member, delivery }: AnsweringParts): LocalAnswer => {
  const asOperator = (): Operator => {
    if (!operator) throw new Problem('not_found', `${ledger.identity().party} is not an operator.`)
    return operator
  }
  return async (from, kind, body) => {
    switch (kind) {
      case 'request':
      case 'amend': {
        const order = { act: kind, member: from, actor: from, ...readProposal(body) }
        return { entries: [toSent(await asOperator().propose(order))] }
      }
      case 'list':
        asOperator()
        return pageFor(ledger, from, body)
      case 'hello':
        asOperator()
        delivery.hear(from)
        return {}
      case 'notify': {
        const operator = map.party(from)
        if (!operator?.isOperator) throw new Problem('forbidden', `${from} is not an operator.`)
        if (!member.operators().includes(from)) throw new Problem('forbidden', `This node does not deal with ${from}.`)
        await member.accept(operator, body.entries)
        return {}
      }
    }
  }
}

const readText = (value: Json | undefined): string | null =>
  typeof value === 'string' && value.length <= 1000 ? value : null

const readProposal = ({ operationId, networkId, metadata }: MessageBody) => {
  if (typeof operationId !== 'string') throw new Problem('bad_request', 'The order must have an operationId.')
  return { operationId, networkId: readText(networkId), metadata: metadata ?? null }
}

const maxPageBytes = 1024 * 1024

/**
 * A page of the list as a member may read it: its own memberships, and those of the networks in which it is active, also
 * where they are no longer active, so that a copy that missed a notice is mended. `own` tells it whether it may read at all.
 */
const pageFor = async (ledger: Ledger, from: string, body: MessageBody): Promise<MessageBody> => {
  const bno = ledger.identity().party
  const own = await ownStates(ledger, from)
  const selection: Selection = {
    bno,
    networks: activeNetworks(own.map(({ state }) => state.record)),
    statuses: statuses.filter(concernsOthers),
    member: readText(body.member),
    networkId: null,
    besides: { member: from, statuses },
  }
  const page = (await rowsOf(ledger, selection, { after: readText(body.after), limit: null }).next()).value ?? []
  const states = await ledger.statesOf(page)
  const sent = withinBytes(states)
  const isCut = sent.length < states.length || page.length === rowsAtOnce
  return {
    own: own.map(toSent),
    entries: sent.map(toSent),
    next: (isCut && sent.at(-1)?.state.record.linearId) || null,
  }
}

const ownStates = async (ledger: Ledger, member: string): Promise<readonly ReceivedState[]> => {
  const bno = ledger.identity().party
  const whole = { bno, networks: 'all', statuses: 'all', member, networkId: null, besides: null } as const
  const found: ReceivedState[] = []
  for await (const rows of rowsOf(ledger, whole)) found.push(...(await ledger.statesOf(rows)))
  return found
}

const withinBytes = (states: readonly ReceivedState[]): readonly ReceivedState[] => {
  let bytes = 0
  return states.filter(({ signed }, index) => {
    bytes += signed.entry.length
    return index === 0 || bytes <= maxPageBytes
  })
}

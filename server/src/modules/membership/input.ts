// Bodies and parameters of the membership operations → orders, with every fault named at once.

import { createHash, randomUUID } from 'node:crypto'
import { type FaultReason, fault } from '../../core/fault.ts'
import { formatsByName } from '../../core/formats/index.ts'
import type { Request } from '../../core/http/exchange.ts'
import type { Caller } from '../../core/model/caller.ts'
import type { Json } from '../../core/model/json.ts'
import { type Fault, Problem } from '../../core/problem.ts'
import { type Parameters, readParameters } from '../../core/query/parameters.ts'
import { type Body, readBody } from '../../core/rest/body.ts'
import { membershipFault } from './faults.ts'
import { type Status, statuses } from './membership-states.ts'
import type { Application, Listing, Order, Selected } from './node.ts'

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: string): boolean => value.isWellFormed() && !/\p{Cc}/u.test(value)

/** Reads members of one object; what is wrong is noted, not thrown. */
const createReader = (members: Members, at: string, faults: Fault[]) => {
  const note = (member: string, reason: FaultReason): null => {
    faults.push({ pointer: `${at}/${member}`, member, ...reason })
    return null
  }
  const text = (member: string, max: number): string | null => {
    const value = members[member]
    if (value === undefined || value === null) return null
    if (typeof value !== 'string') return note(member, fault('text'))
    if (value.trim() === '') return note(member, fault('not_empty'))
    if (value.length > max) return note(member, fault('max_length', { max }))
    return isText(value) ? value : note(member, fault('characters'))
  }
  return {
    text,
    needed: (member: string, max: number): string => {
      if (members[member] === undefined || members[member] === null) note(member, fault('required'))
      return text(member, max) ?? ''
    },
    version: (): number | null => {
      const value = members.version
      if (value === undefined || value === null) return null
      const isVersion = typeof value === 'number' && Number.isSafeInteger(value) && value > 0
      return isVersion ? value : note('version', membershipFault('version'))
    },
    /** As the record spells it, so that a record can be sent back. */
    networkId: (): string | null => text(members.networkId === undefined ? 'networkID' : 'networkId', 100),
  }
}

const mustBeSound = (faults: readonly Fault[]): void => {
  if (faults.length === 0) return
  const [{ member, message } = { member: '', message: '' }] = faults
  const detail = faults.length === 1 ? `${member} ${message}.` : `${faults.length} members are at fault.`
  throw new Problem('invalid', { detail, errors: faults })
}

const maxName = 1000
const maxReason = 500

const readSelected = (members: unknown, at: string, faults: Fault[]): Selected => {
  if (!isObject(members)) throw new Problem('bad_request', 'The body must be an object.')
  const read = createReader(members, at, faults)
  return {
    member: read.needed('member', maxName),
    bno: read.text('bno', maxName),
    networkId: read.networkId(),
    reason: read.text('reason', maxReason),
    version: read.version(),
  }
}

const plainJson = ({ format, json }: Body): unknown => {
  if (!format.value) throw new Problem('unsupported_media_type', 'Send application/json.')
  return json
}

/** One membership, or a list of them that are decided on together. */
export const readSelection = (body: Body): { readonly isList: boolean; readonly memberships: readonly Selected[] } => {
  const json = plainJson(body)
  const faults: Fault[] = []
  const isList = Array.isArray(json)
  if (isList && json.length === 0) throw new Problem('bad_request', 'The list is empty.')
  const memberships = isList
    ? json.map((one, index) => readSelected(one, `/${index}`, faults))
    : [readSelected(json, '', faults)]
  mustBeSound(faults)
  return { isList, memberships }
}

/** A body as elsewhere, or parameters of the same names: many callers cannot send a body with DELETE. */
export const readDeletion = (request: Request): ReturnType<typeof readSelection> => {
  if (request.body) return readSelection(readBody(request, formatsByName.json))
  const parameters = readParameters(request.search)
  mustKnow(parameters, ['member', 'bno', 'networkId', 'reason', 'version'])
  const members = Object.fromEntries([...parameters].map(([name, [value]]) => [name, value]))
  const version = /^\d{1,15}$/.test(members.version ?? '') ? Number(members.version) : members.version
  const faults: Fault[] = []
  const selected = readSelected({ ...members, version }, '', faults)
  mustBeSound(faults.map(({ pointer: _, member, ...fault }) => ({ ...fault, member, parameter: member })))
  return { isList: false, memberships: [selected] }
}

export const readApplication = (body: Body, act: Application['act']): Omit<Application, keyof Order> => {
  const json = plainJson(body)
  if (!isObject(json)) throw new Problem('bad_request', 'The body must be an object.')
  const faults: Fault[] = []
  const read = createReader(json, '', faults)
  const operator = read.needed('party', maxName)
  const networkId = read.networkId()
  if (act === 'amend' && json.membershipMetadata === undefined) {
    const member = 'membershipMetadata'
    faults.push({ pointer: `/${member}`, member, ...fault('required') })
  }
  mustBeSound(faults)
  return { act, operator, networkId, metadata: (json.membershipMetadata ?? null) as Json }
}

/** The caller's own key makes the order known again; another caller's same key is another order. */
export const readOrder = (request: Request, caller: Caller): Order => {
  const key = request.headers['idempotency-key']
  const actor = caller.username ?? ''
  if (key === undefined) return { actor, operationId: randomUUID() }
  if (!/^[\x21-\x7e]{1,255}$/.test(String(key)))
    throw new Problem('bad_request', 'Idempotency-Key takes 1 to 255 visible ASCII characters.')
  return { actor, operationId: createHash('sha256').update(`${caller.pk}\n${key}`).digest('hex') }
}

const badParameter = (parameter: string, reason: FaultReason): Problem =>
  new Problem('bad_parameter', { detail: `${parameter} ${reason.message}.`, errors: [{ parameter, ...reason }] })

const mustKnow = (parameters: Parameters, known: readonly string[]): void => {
  for (const [name, values] of parameters) {
    if (!known.includes(name)) throw badParameter(name, fault('unknown_parameter', { parameter: name, known }))
    if (values.length > 1 && name !== 'status')
      throw badParameter(name, fault('repeated', { parameter: name, count: values.length }))
  }
}

const listingParameters = [
  'bno',
  'networkId',
  'status',
  'member',
  'filterOutMissingFromNetworkMap',
  'forceRefresh',
  '_ps',
  '_after',
]

/** `usual` is what is meant when no status is given. */
export const readListing = (request: Request, usual: readonly Status[] | null, maxPageSize: number): Listing => {
  const parameters = readParameters(request.search)
  mustKnow(parameters, listingParameters)
  const text = (name: string, max: number): string | null => {
    const value = parameters.get(name)?.[0]
    if (value === undefined || value.trim() === '') return null
    if (value.length > max) throw badParameter(name, fault('max_length', { max }))
    if (!isText(value)) throw badParameter(name, fault('characters'))
    return value
  }
  const flag = (name: string, usually: boolean): boolean => {
    const value = parameters.get(name)?.[0]
    if (value === undefined || value === '') return usually
    if (value !== 'true' && value !== 'false') throw badParameter(name, fault('boolean'))
    return value === 'true'
  }
  const size = text('_ps', 10)
  if (size !== null && !(/^\d+$/.test(size) && Number(size) >= 1 && Number(size) <= maxPageSize))
    throw badParameter('_ps', fault('whole_number_between', { min: 1, max: maxPageSize }))
  return {
    bno: text('bno', maxName),
    networkId: text('networkId', 100),
    statuses: readStatuses(parameters.get('status') ?? []) ?? usual,
    member: text('member', maxName),
    onlyOnNetworkMap: flag('filterOutMissingFromNetworkMap', true),
    forceRefresh: flag('forceRefresh', false),
    after: text('_after', 36),
    limit: size === null ? null : Number(size),
  }
}

const readStatuses = (given: readonly string[]): readonly Status[] | null => {
  const words = given.flatMap(value => value.split(',')).map(word => word.trim().toUpperCase())
  const named = words.filter(word => word !== '')
  if (named.length === 0) return null
  if (named.includes('ALL')) return statuses
  return named.map(word => {
    const known = statuses.find(status => status === word)
    if (!known) throw badParameter('status', fault('choice', { choices: [...statuses, 'ALL'] }))
    return known
  })
}

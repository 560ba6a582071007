// JSON:API relationship documents: POST adds, PATCH replaces, DELETE takes away.

import { readLinkage } from '../formats/json-api.ts'
import type { StoredRecord } from '../model/record.ts'
import type { Member, Resource } from '../model/resource.ts'
import type { Transaction } from '../model/transaction.ts'
import { Problem } from '../problem.ts'
import type { Answer } from './answer.ts'
import type { WriteTask } from './item.ts'
import { type Context, inTransaction } from './platform.ts'
import { relationOf } from './relations.ts'
import { hold, updateRecord } from './write.ts'

type Inside = Context & { readonly tx: Transaction }

export type LinkageChange = 'add' | 'replace' | 'remove'

export interface Linkage {
  readonly resource: Resource
  readonly pk: string
  readonly relation: Member & { readonly target: Resource }
  readonly change: LinkageChange
  /** A pk or null for a to-one relation, a list for the others. */
  readonly targets: readonly string[] | string | null
}

export const changeRelation =
  (change: LinkageChange) =>
  async (context: Context, { resource, request, body }: WriteTask): Promise<Answer> => {
    context.platform.access.permit(resource, 'patch', context.caller)
    const relation = relationOf(resource, request, context)
    const targets = readLinkage(body.json, relation)
    await inTransaction(context, inside =>
      changeLinks(inside, { resource, pk: request.params.pk ?? '', relation, change, targets }),
    )
    return { kind: 'nothing', status: 204 }
  }

export const changeLinks = async (inside: Inside, linkage: Linkage): Promise<void> => {
  const { resource, pk, relation, change, targets } = linkage
  const held = await hold(inside, resource, pk, 'patch')
  if (!held) throw new Problem('not_found')
  mustBeWritable(relation, inside)
  if (relation.field.role === 'one') return setReference(inside, linkage)
  const wanted = [...new Set(targets as readonly string[])]
  const present = await presentTargets(inside, relation, held.before)
  if (change !== 'remove')
    await setLinks(inside, linkage, { targets: wanted.filter(one => !present.has(one)), linked: true })
  if (change === 'remove')
    await setLinks(inside, linkage, { targets: wanted.filter(one => present.has(one)), linked: false })
  if (change === 'replace')
    await setLinks(inside, linkage, { targets: [...present].filter(one => !wanted.includes(one)), linked: false })
}

const mustBeWritable = (relation: Member, { platform, caller }: Context): void => {
  const owning = relation.field.role === 'inverse' ? relation.inverseOf : relation
  if (
    !owning ||
    owning.field.options.serverOwned ||
    owning.field.options.fixed ||
    !platform.access.mayWrite(owning, caller)
  ) {
    throw new Problem('forbidden', 'This relation is not yours to change.')
  }
}

const setReference = async (inside: Inside, { resource, pk, relation, change, targets }: Linkage): Promise<void> => {
  if (change !== 'replace') throw new Problem('method_not_allowed', { headers: { Allow: 'GET, HEAD, PATCH, OPTIONS' } })
  if (targets === null && relation.field.options.required)
    throw new Problem('invalid', `${relation.name} must not be empty.`)
  const read = () => ({ values: { [relation.name]: targets }, version: undefined })
  await updateRecord(inside, { resource, pk, operation: 'patch', preconditions: {}, read })
}

/** Relations longer than this are changed record by record, from the other side. */
const maxLinkage = 100_000

const presentTargets = async ({ tx }: Inside, relation: Member, owner: StoredRecord): Promise<ReadonlySet<string>> =>
  new Set((await tx.pairs(relation, [owner.pk], maxLinkage)).map(([, target]) => target))

interface Step {
  readonly targets: readonly string[]
  readonly linked: boolean
}

const setLinks = async (
  inside: Inside,
  { resource, pk, relation }: Linkage,
  { targets, linked }: Step,
): Promise<void> => {
  if (targets.length === 0) return
  const by = relation.field.role === 'inverse' ? relation.inverseOf : null
  if (by?.field.role === 'one') {
    if (!linked && by.field.options.required)
      throw new Problem('conflict', `${by.owner.name} cannot be without ${by.name}.`)
    for (const target of targets) await setOwner(inside, { record: target, by, owner: linked ? pk : null })
    return
  }
  // Seen from the other side the pair is the other record's own: its rules count as well.
  if (by) for (const target of targets) await mustHold(inside, relation.target, target)
  await (linked ? inside.tx.link : inside.tx.unlink)(resource, pk, relation.name, targets)
  await inside.tx.update(resource, pk, { lastModifiedDate: inside.platform.clock().toISOString() })
}

const setOwner = async (
  inside: Inside,
  { record, by, owner }: { record: string; by: Member; owner: string | null },
): Promise<void> => {
  const read = () => ({ values: { [by.name]: owner }, version: undefined })
  const updated = await updateRecord(inside, {
    resource: by.owner,
    pk: record,
    operation: 'patch',
    preconditions: {},
    read,
  })
  if (!updated) throw missing(by.owner, record)
}

const mustHold = async (inside: Inside, resource: Resource, pk: string): Promise<void> => {
  if (!(await hold(inside, resource, pk, 'patch'))) throw missing(resource, pk)
}

const missing = (resource: Resource, pk: string): Problem =>
  new Problem('unprocessable', {
    errors: [{ pointer: '/data', message: `no record '${pk}' in ${resource.name}`, code: 'missing' }],
  })

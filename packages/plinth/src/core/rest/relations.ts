// Changes of a relation by JSON:API relationship documents: POST adds, PATCH replaces, DELETE takes away.

import { fault } from '../fault.ts'
import { readLinkage } from '../formats/json-api-read.ts'
import type { Values } from '../model/record.ts'
import type { Resource, ResourceField } from '../model/resource.ts'
import { Problem } from '../problem.ts'
import { inTransaction } from '../records/context.ts'
import { wholePk } from '../records/identify.ts'
import { linkedTo } from '../records/references.ts'
import { hold, updateRecord } from '../records/write.ts'
import type { Answer } from './answer.ts'
import type { Context, TransactionContext } from './context.ts'
import { relationOf } from './related.ts'
import { isFixed } from './values.ts'
import { located } from './write-input.ts'
import type { WriteTask } from './written.ts'

export type LinkageChange = 'add' | 'replace' | 'remove'

export interface Linkage {
  readonly resource: Resource
  readonly pk: string
  readonly relation: ResourceField & { readonly target: Resource }
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
    await inTransaction(context, transaction =>
      changeLinks(transaction, {
        resource,
        pk: wholePk(resource, request.params.pk ?? '', context),
        relation,
        change,
        targets,
      }),
    )
    return { kind: 'nothing', status: 204 }
  }

export const changeLinks = async (transaction: TransactionContext, linkage: Linkage): Promise<void> => {
  const { resource, pk, relation } = linkage
  if (!(await hold(transaction, { resource, pk, operation: 'patch' }))) throw new Problem('not_found')
  mustBeWritable(relation, transaction)
  if (relation.definition.role === 'one') return setReference(transaction, linkage)
  const { seen } = await linkedTo(relation, pk, transaction)
  const { added, removed } = differences(linkage, seen)
  if (added.length + removed.length === 0) return
  if (relation.definition.role === 'links') {
    return write(transaction, { resource, pk }, { [relation.name]: without(seen, removed).concat(added).sort() })
  }
  for (const target of added) await changeFar(transaction, linkage, { target, linked: true })
  for (const target of removed) await changeFar(transaction, linkage, { target, linked: false })
}

const mustBeWritable = (relation: ResourceField, { platform, caller }: Context): void => {
  const owning = relation.definition.role === 'inverse' ? relation.inverseOf : relation
  if (
    !owning ||
    owning.definition.options.serverOwned ||
    isFixed(owning) ||
    !platform.access.mayWrite(owning, caller)
  ) {
    throw new Problem('forbidden', {
      en: 'You have no permission to change this relation.',
      de: 'Ihnen fehlt die Berechtigung, diese Beziehung zu ändern.',
    })
  }
}

const setReference = async (
  transaction: TransactionContext,
  { resource, pk, relation, change, targets }: Linkage,
): Promise<void> => {
  if (change !== 'replace') throw new Problem('method_not_allowed', { headers: { Allow: 'GET, HEAD, PATCH, OPTIONS' } })
  if (targets === null && relation.definition.options.required)
    throw new Problem('invalid', `${relation.name} must not be empty.`)
  await write(transaction, { resource, pk }, { [relation.name]: targets })
}

const without = (list: readonly string[], gone: readonly string[]): string[] => list.filter(one => !gone.includes(one))

const differences = ({ change, targets }: Linkage, present: readonly string[]) => {
  const named = [...new Set([targets ?? []].flat())]
  const added = change === 'remove' ? [] : without(named, present)
  if (change === 'add') return { added, removed: [] }
  return { added, removed: change === 'replace' ? without(present, named) : without(present, without(present, named)) }
}

/** Seen from the other side the pair is the other record's own: it is written there, by that record's rules. */
const changeFar = async (
  transaction: TransactionContext,
  { pk, relation }: Linkage,
  { target, linked }: { readonly target: string; readonly linked: boolean },
): Promise<void> => {
  const by = relation.inverseOf
  if (!by) throw new Error(`${relation.name} has no other side`)
  const record = { resource: by.owner, pk: target }
  if (by.definition.role === 'one') {
    if (!linked && by.definition.options.required)
      throw new Problem('conflict', `${by.owner.name} cannot be without ${by.name}.`)
    return write(transaction, record, { [by.name]: linked ? pk : null })
  }
  const { seen } = await linkedTo(by, target, transaction)
  await write(transaction, record, { [by.name]: [...without(seen, [pk]), ...(linked ? [pk] : [])].sort() })
}

const write = async (
  transaction: TransactionContext,
  { resource, pk }: { readonly resource: Resource; readonly pk: string },
  values: Values,
): Promise<void> => {
  const atData = () => '/data'
  const updated = await located(atData, () => updateRecord(transaction, { resource, pk, values, isRead: true }))
  if (!updated) {
    const reason = fault('missing', { resource: resource.name })
    throw new Problem('unprocessable', { errors: [{ pointer: '/data', ...reason }] })
  }
}

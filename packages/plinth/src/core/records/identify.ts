// The pk of a new record.

import { randomUUID } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { sha256Of } from '../digest.ts'
import { type FaultReason, fault } from '../fault.ts'
import { isAdmin } from '../model/caller.ts'
import { uuid } from '../model/pk.ts'
import type { Values } from '../model/record.ts'
import type { Resource } from '../model/resource.ts'
import type { View } from '../model/view.ts'
import { Problem } from '../problem.ts'
import type { RecordContext } from './context.ts'

export interface PkSource {
  readonly pk: string | undefined
  /** The source of the pk: a path names the record to be made, a body merely suggests, code knows what it does. */
  readonly by: 'path' | 'body' | 'document' | 'code'
}

type Acting = Pick<RecordContext, 'caller'>

/** Finds or makes the pk, and completes the references that it is made of. */
export const identify = (resource: Resource, values: Values, source: PkSource, context: Acting): string => {
  const { identifier } = resource.definition
  switch (identifier.kind) {
    case 'generated':
      return chosenPk(source, context) ?? (identifier.unguessable ? randomUUID() : uuidv7())
    case 'assigned':
      return assignedPk(identifier, source)
    case 'hashed':
      // Code may hash what is the same in several texts.
      if (source.by === 'code' && source.pk !== undefined) return source.pk
      return matching(sha256Of(String(values[identifier.of])), source)
    case 'shared':
      values[identifier.by] ??= source.pk
      return matching(joined(values, [identifier.by]), source)
    case 'composite': {
      const whole = source.pk === undefined ? undefined : wholePk(resource, source.pk, context)
      const parts = whole?.split('_') ?? []
      identifier.by.forEach((field, at) => {
        values[field] ??= parts[at]
      })
      const [owner] = identifier.by
      if (identifier.ofCaller && owner) values[owner] ??= context.caller.pk
      return matching(joined(values, identifier.by), { ...source, pk: whole })
    }
  }
}

/** A pk as callers may write it → as it is stored: who owns a record may leave themselves out. */
export const wholePk = ({ definition: { identifier } }: Resource, pk: string, { caller }: Acting): string => {
  const isShort = identifier.kind === 'composite' && identifier.ofCaller && !pk.includes('_')
  return isShort && caller.pk !== null ? `${caller.pk}_${pk}` : pk
}

const chosenPk = (source: PkSource, { caller }: Acting): string | null => {
  if (source.pk === undefined) return null
  if (source.by === 'code') return source.pk
  if (!isAdmin(caller)) {
    if (source.by === 'path') throw new Problem('not_found')
    // JSON:API 1.1, "Client-Generated IDs": an unsupported one is refused with 403.
    if (source.by === 'document')
      throw new Problem('forbidden', {
        en: 'Only administrators can choose identifiers.',
        de: 'Nur Administratoren können Kennungen selbst wählen.',
      })
    return null
  }
  const pk = source.pk.toLowerCase()
  if (!uuid.test(pk)) throw invalidPk(fault('uuid'))
  return pk
}

const assignedPk = ({ pattern, max }: { pattern: RegExp; max: number }, { pk }: PkSource): string => {
  if (pk === undefined || pk === '') throw invalidPk(fault('required'))
  if (pk.length > max) throw invalidPk(fault('max_length', { max }))
  if (!pattern.test(pk)) throw invalidPk(fault('pk_pattern', { pattern: pattern.source }))
  return pk
}

const joined = (values: Values, fields: readonly string[]): string => {
  const missing = fields.filter(field => typeof values[field] !== 'string')
  if (missing.length === 0) return fields.map(field => values[field]).join('_')
  throw new Problem('invalid', {
    errors: missing.map(field => ({ pointer: `/${field}`, member: field, ...fault('required') })),
  })
}

const matching = (pk: string, source: PkSource): string => {
  if (source.pk !== undefined && source.pk !== pk) throw invalidPk(fault('pk_of_members'))
  return pk
}

const invalidPk = (reason: FaultReason): Problem =>
  new Problem('invalid', { detail: `pk ${reason.message}.`, errors: [{ pointer: '/pk', member: 'pk', ...reason }] })

export const whole = new WeakMap<View, View>()

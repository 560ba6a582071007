// The fields that say when a record was written, and by whom.

import type { HookContext } from './hooks.ts'
import type { Values } from './record.ts'
import type { Resource } from './resource.ts'

export type WriteMoment = Pick<HookContext, 'caller' | 'now'>

/** The stamps of a record that is changed. */
export const changeStamps = ({ definition: { stamps } }: Resource, { caller, now }: WriteMoment): Values => ({
  ...(stamps !== 'none' && { lastModifiedDate: now.toISOString() }),
  ...(stamps === 'people' && { lastModifiedBy: caller.pk }),
})

/** The stamps of a new record. */
export const creationStamps = (resource: Resource, { caller, now }: WriteMoment): Values => ({
  ...(resource.definition.stamps !== 'none' && { createdDate: now.toISOString() }),
  ...(resource.definition.stamps === 'people' && { createdBy: caller.pk }),
  ...changeStamps(resource, { caller, now }),
})

// The fields by which a record tells when it was written, and by whom.

import type { Change } from './define.ts'
import type { Values } from './record.ts'
import type { Resource } from './resource.ts'

export type Writing = Pick<Change, 'caller' | 'now'>

/** For a record that is changed. */
export const changeStamps = ({ definition: { stamps } }: Resource, { caller, now }: Writing): Values => ({
  ...(stamps !== 'none' && { lastModifiedDate: now.toISOString() }),
  ...(stamps === 'people' && { lastModifiedBy: caller.pk }),
})

/** For a new record. */
export const creationStamps = (resource: Resource, { caller, now }: Writing): Values => ({
  ...(resource.definition.stamps !== 'none' && { createdDate: now.toISOString() }),
  ...(resource.definition.stamps === 'people' && { createdBy: caller.pk }),
  ...changeStamps(resource, { caller, now }),
})

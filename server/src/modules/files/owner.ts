// The record that files belong to, and whether the caller may have to do with them.

import type { Operation } from '../../core/model/define.ts'
import { integer, text, timestamp } from '../../core/model/fields.ts'
import { toFilter } from '../../core/model/query.ts'
import type { Resource } from '../../core/model/resource.ts'
import { defineShape, list, object, type ShapeValue } from '../../core/model/shape.ts'
import { Problem } from '../../core/problem.ts'
import { addressOf } from '../../core/rest/item-answer.ts'
import type { Context } from '../../core/rest/platform.ts'
import type { FileRecord } from './files.ts'

export interface Owner {
  readonly resource: Resource
  readonly pk: string
}

/** 404 unless the caller sees the record, 403 unless the operation is allowed on it. */
export const mustBeAllowed = async (
  { platform, caller }: Context,
  { resource, pk }: Owner,
  operation: Operation,
): Promise<void> => {
  const { access, store } = platform
  const allowed = access.permit(resource, operation, caller)
  const visible = toFilter(access.permit(resource, 'read', caller))
  if (!(await store.get(resource, pk, { visible }))) throw new Problem('not_found')
  if (allowed !== true && !(await store.get(resource, pk, { visible: allowed }))) throw new Problem('forbidden')
}

const file = {
  name: text({ required: true }),
  mediaType: text({ required: true }),
  size: integer({ required: true, min: 0 }),
  uploaded: timestamp({ required: true }),
  url: text({ required: true, format: 'uri-reference' }),
}

export const fileList = defineShape('FileList', { files: list(object(file), { required: true }) }, { element: 'files' })

export const describeFile = (
  { name, mediaType, size, uploaded }: Pick<FileRecord, 'name' | 'mediaType' | 'size' | 'uploaded'>,
  { resource, pk }: Owner,
): ShapeValue<typeof file> => ({ name, mediaType, size, uploaded, url: `${addressOf(resource, pk)}/files/${name}` })

// PUT at a collection: the record is named by its body.

import type { Resource } from '../../core/model/resource.ts'
import { Problem } from '../../core/problem.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { readInput } from '../../core/rest/body.ts'
import { answerWith } from '../../core/rest/item.ts'
import type { Context } from '../../core/rest/platform.ts'
import type { Task } from '../../core/rest/respond.ts'
import { readValues } from '../../core/rest/values.ts'
import { updateRecord } from '../../core/rest/write.ts'

export const replaceByBody = async (context: Context, resource: Resource, task: Task): Promise<Answer> => {
  const { request, body } = task
  const input = readInput(body, resource)
  const { pk } = input
  if (pk === undefined) {
    const message = 'is required'
    throw new Problem('invalid', {
      detail: 'The body names no record: it needs `pk` or `id`.',
      errors: [{ pointer: input.pointer('pk'), member: 'pk', message, code: 'required' }],
    })
  }
  const updated = await updateRecord(context, {
    resource,
    pk,
    operation: 'replace',
    preconditions: request.headers,
    read: before => readValues({ resource, input, mode: 'replace', before }, context),
  })
  if (!updated) throw new Problem('not_found')
  return answerWith(context, { resource, request }, { record: updated.record, status: 200 })
}

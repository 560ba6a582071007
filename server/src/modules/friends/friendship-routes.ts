// Changes of friendships: as those of any record, but with both sides held from the beginning, and `DELETE` as a status.

import type { Method, Route } from '../../core/http/exchange.ts'
import type { Resource } from '../../core/model/resource.ts'
import { inTransaction } from '../../core/records/context.ts'
import { wholePk } from '../../core/records/identify.ts'
import { recordsWithin } from '../../core/records/records.ts'
import type { Answer } from '../../core/rest/answer.ts'
import { readInput } from '../../core/rest/body.ts'
import { patch, remove, replace, type WriteTask } from '../../core/rest/item.ts'
import { defaultFormat, type OperationCode } from '../../core/rest/matrix.ts'
import { allowed } from '../../core/rest/permit.ts'
import type { Context, Inside } from '../../core/rest/platform.ts'
import { respond } from '../../core/rest/respond.ts'
import type { Service } from '../../core/rest/service.ts'
import { friendships, holdPair } from './friendships.ts'

interface Operation {
  readonly method: Method
  readonly code: OperationCode
  readonly right: 'replace' | 'patch' | 'delete'
  readonly run: (context: Context, task: WriteTask) => Promise<Answer>
}

const operations: readonly Operation[] = [
  {
    method: 'PUT',
    code: 'U',
    right: 'replace',
    run: (context, task) => (endsIt(task) ? remove : replace)(context, task),
  },
  {
    method: 'PATCH',
    code: 'P',
    right: 'patch',
    run: (context, task) => (endsIt(task) ? remove : patch)(context, task),
  },
  { method: 'DELETE', code: 'D', right: 'delete', run: remove },
]

export const friendshipRoutes = (service: Service): readonly Route[] => {
  const resource = service.platform.registry.resource(friendships)
  return operations.map(({ method, code, right, run }) => ({
    method,
    path: '/api/rest/friendships/{pk}',
    handler: respond(service, {
      resource,
      format: defaultFormat(resource.name, code),
      takesBody: method !== 'DELETE',
      permit: allowed(resource, right),
      run: (context, task) => inTransaction(context, inside => held(inside, { ...task, resource }, run)),
    }),
  }))
}

/** The row is locked only after the pair: in the other order two sides could wait for each other. */
const held = async (inside: Inside, task: WriteTask, run: Operation['run']): Promise<Answer> => {
  const [owner, friend] = wholePk(task.resource, task.request.params.pk ?? '', inside).split('_')
  if (owner && friend) await holdPair(recordsWithin(inside), { owner, friend })
  return run(inside, task)
}

const endsIt = ({ body, resource }: { body: WriteTask['body']; resource: Resource }): boolean => {
  const { status } = readInput(body, resource).members
  return typeof status === 'string' && status.toUpperCase() === 'DELETE'
}

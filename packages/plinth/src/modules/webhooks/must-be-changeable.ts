// Who may use the endpoints of a webhook.

import { toFilter } from '../../core/model/query.ts'
import { Problem } from '../../core/problem.ts'
import type { Context } from '../../core/rest/context.ts'
import { webhooks } from './webhooks.ts'

/** Problem `forbidden` unless the caller may change this webhook: to read it is not enough. */
export const mustBeChangeable = async ({ platform, caller }: Context, pk: string): Promise<void> => {
  const resource = platform.registry.resource(webhooks)
  const changeable = toFilter(platform.access.permit(resource, 'patch', caller))
  if (!(await platform.store.get(resource, pk, { visible: changeable }))) throw new Problem('forbidden')
}

// What the composition needs of accounts: who asks, and who was refused.

import type { Service } from '../../../core/rest/service.ts'
import { createAuthContext } from '../context.ts'
import { createKnownSessions } from '../sessions/known-sessions.ts'
import { refusedAsLapsed } from '../verification/refusal-log.ts'
import { Lapsed } from '../verification/still-valid.ts'
import { createIdentify } from './identify.ts'
import { createRecall } from './recall.ts'
import { createRecheck } from './recheck.ts'

export type FrontDoor = Pick<Service, 'identify' | 'recall' | 'recheck' | 'reportRefusal'>

export const createFrontDoor = (service: Pick<Service, 'platform' | 'config' | 'log' | 'allowsOrigin'>): FrontDoor => {
  const auth = createAuthContext(service)
  const sessions = createKnownSessions(service.platform.store)
  const identify = createIdentify(service, auth, sessions)
  return {
    identify,
    recall: createRecall(auth, sessions),
    recheck: createRecheck(service, identify, sessions),
    reportRefusal: async ({ problem, request, caller }) => {
      const { code, message: reason } = problem
      if (problem instanceof Lapsed) await auth.noteRefusal(refusedAsLapsed(problem, request))
      else if (code === 'forbidden')
        await auth.noteRefusal({ type: 'AUTHORIZATION_FAILURE', principal: caller.username, request, reason })
    },
  }
}

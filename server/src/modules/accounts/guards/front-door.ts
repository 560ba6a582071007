// What the composition needs of accounts: who asks, and who was refused.

import type { Service } from '../../../core/rest/service.ts'
import { createDesk } from '../desk/desk.ts'
import { refusedAsLapsed } from '../desk/refusal-log.ts'
import { Lapsed } from '../desk/still-proved.ts'
import { createKnownSessions } from '../sessions/known-sessions.ts'
import { createIdentify } from './identify.ts'
import { createRecall } from './recall.ts'
import { createRecheck } from './recheck.ts'

export type FrontDoor = Pick<Service, 'identify' | 'recall' | 'recheck' | 'reportRefusal'>

export const createFrontDoor = (service: Pick<Service, 'platform' | 'config' | 'log' | 'allowsOrigin'>): FrontDoor => {
  const desk = createDesk(service)
  const sessions = createKnownSessions(service.platform.store)
  const identify = createIdentify(service, desk, sessions)
  return {
    identify,
    recall: createRecall(desk, sessions),
    recheck: createRecheck(service, identify, sessions),
    reportRefusal: async ({ problem, request, caller }) => {
      const { code, message: reason } = problem
      if (problem instanceof Lapsed) await desk.noteRefusal(refusedAsLapsed(problem, request))
      else if (code === 'forbidden')
        await desk.noteRefusal({ type: 'AUTHORIZATION_FAILURE', principal: caller.username, request, reason })
    },
  }
}

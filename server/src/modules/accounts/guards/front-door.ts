// What the composition needs of accounts: who asks, and who was refused.

import type { Service } from '../../../core/rest/service.ts'
import { createSessionReader } from '../sessions/session-reader.ts'
import { createDesk } from '../sign-in/desk.ts'
import { createIdentify } from './identify.ts'
import { createRecheck } from './recheck.ts'

export type FrontDoor = Pick<Service, 'identify' | 'recheck' | 'reportRefusal'>

export const createFrontDoor = (service: Pick<Service, 'platform' | 'config' | 'log' | 'allowsOrigin'>): FrontDoor => {
  const desk = createDesk(service)
  const readSession = createSessionReader(service.platform.store)
  const identify = createIdentify(service, desk, readSession)
  return {
    identify,
    recheck: createRecheck(service, identify, readSession),
    reportRefusal: ({ problem, request, caller }) =>
      desk.noteRefusal({
        type: 'AUTHORIZATION_FAILURE',
        principal: caller.username,
        request,
        reason: problem.message,
      }),
  }
}

// The platform with its front door: who calls, which origins may, and where failures go.

import { createOriginPolicy } from '../core/rest/cross-origin.ts'
import type { Service } from '../core/rest/service.ts'
import { createFrontDoor } from '../modules/accounts/index.ts'
import type { FailureRecorder } from '../modules/errors/index.ts'
import { createHostOrigins } from '../modules/hosts/index.ts'
import { createFailureLog } from './failure-log.ts'

type Surroundings = Pick<
  Service,
  'platform' | 'config' | 'logs' | 'observed' | 'address' | 'overview' | 'traffic' | 'closing'
> & {
  readonly failures: FailureRecorder
}

export const createService = ({ failures, ...around }: Surroundings): Service => {
  const { platform, config, logs } = around
  const allowsOrigin = createOriginPolicy(platform, {
    fixed: config.get('app.cors.allowedOrigins'),
    dynamic: createHostOrigins(platform.store, platform.registry),
  })
  const log = logs.named('app')
  const logFailure = createFailureLog(logs.named('rest'), around.closing)
  const { identify, recall, recheck, reportRefusal } = createFrontDoor({ platform, config, log, allowsOrigin })
  return {
    ...around,
    log,
    allowsOrigin,
    // The log wants to know who asked.
    identify: async (request, forgiving) => {
      const caller = await identify(request, forgiving)
      request.callerPk = caller.pk
      return caller
    },
    recall,
    recheck,
    reportRefusal,
    reportFailure: (error, request) => {
      logFailure(error, request)
      return failures.record(error, request)
    },
  }
}

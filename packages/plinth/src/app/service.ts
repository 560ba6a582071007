// The platform with its front door: who calls, which origins may, and where failures go.

import { corsSettings } from '../core/config/service-settings.ts'
import { nobody } from '../core/model/caller.ts'
import { Problem } from '../core/problem.ts'
import { createOriginPolicy } from '../core/rest/origins.ts'
import type { Service } from '../core/rest/service.ts'
import { createAuthentication } from '../modules/auth/index.ts'
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
  const origins = createOriginPolicy(platform, {
    fixed: config.get(corsSettings).allowedOrigins,
    dynamic: createHostOrigins(platform.records),
  })
  const log = logs.named('app')
  const logFailure = createFailureLog(logs.named('rest'), around.closing)
  const { authenticate, peekCaller, reauthenticate, reportRefusal } = createAuthentication({
    platform,
    config,
    log,
    ...origins,
  })
  return {
    ...around,
    log,
    ...origins,
    authenticate: async (request, forgiving) => {
      try {
        const caller = await authenticate(request, forgiving)
        // The log wants to know who asked.
        request.callerPk = caller.pk
        platform.rateLimiter.count(caller, request)
        return caller
      } catch (error) {
        // Wrong credentials are no way around the limits on callers without any.
        if (error instanceof Problem && error.status === 401) platform.rateLimiter.count(nobody, request)
        throw error
      }
    },
    peekCaller: request => {
      const cached = peekCaller(request)
      if (cached) platform.rateLimiter.count(cached.caller, request)
      return cached
    },
    reauthenticate,
    reportRefusal,
    reportFailure: (error, request) => {
      logFailure(error, request)
      return failures.record(error, request)
    },
  }
}

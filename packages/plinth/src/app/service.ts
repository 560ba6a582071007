// The platform with its front door: who calls, which origins may, and where failures go.

import { appSettings, corsSettings } from '../core/config/service-settings.ts'
import { createOriginPolicy } from '../core/rest/origins.ts'
import { countRequests } from '../core/rest/rate-limit.ts'
import type { Service } from '../core/rest/service.ts'
import { createAuthentication } from '../modules/auth/index.ts'
import type { FailureRecorder } from '../modules/errors/index.ts'
import { createHostOrigins } from '../modules/hosts/index.ts'
import { createFailureLog } from './observation.ts'

type Surroundings = Pick<
  Service,
  'platform' | 'config' | 'logs' | 'observed' | 'address' | 'overview' | 'jobs' | 'traffic' | 'closing'
> & {
  readonly failures: FailureRecorder
  readonly isDevelopment: boolean
}

export const createService = ({ failures, isDevelopment, ...around }: Surroundings): Service => {
  const { platform, config, logs } = around
  const origins = createOriginPolicy(platform, {
    fixed: config.get(corsSettings).allowedOrigins,
    dynamic: createHostOrigins(platform),
    trustsLoopback: config.get(appSettings).demo || isDevelopment,
    log: logs.named('rest'),
  })
  const log = logs.named('app')
  const logFailure = createFailureLog(logs.named('rest'), around.closing)
  const authentication = createAuthentication({ platform, config, log, ...origins })
  return {
    ...around,
    log,
    ...origins,
    ...authentication,
    ...countRequests(authentication, platform.rateLimiter),
    reportFailure: (error, request) => {
      logFailure(error, request)
      return failures.record(error, request)
    },
  }
}

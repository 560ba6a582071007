// The platform with its front door: who calls, which origins may, and where failures go.

import { appSettings, corsSettings } from '../core/config/service-settings.ts'
import type { Module } from '../core/module.ts'
import type { Problem } from '../core/problem.ts'
import { isProblemCode } from '../core/problem-types.ts'
import { countRequests } from '../core/rest/count-requests.ts'
import { createOriginPolicy } from '../core/rest/origins.ts'
import type { Service } from '../core/service.ts'
import { createAuthentication } from '../modules/auth/index.ts'
import type { FailureRecorder } from '../modules/errors/index.ts'
import { createFormReceiver } from '../modules/files/index.ts'
import { createHostOrigins } from '../modules/hosts/index.ts'
import { createFailureLog } from './observation.ts'

type ServiceParts = Pick<
  Service,
  'platform' | 'config' | 'logs' | 'observed' | 'address' | 'overview' | 'jobs' | 'traffic' | 'closing'
> & {
  readonly failures: FailureRecorder
  readonly isDevelopment: boolean
  readonly modules: readonly Module[]
}

/** A problem that no module lists works, and is missing in the API description: it is logged once. */
const createProblemCheck = (modules: readonly Module[], log: Service['log']): ((problem: Problem) => void) => {
  const known = new Set(modules.flatMap(({ problems = {} }) => Object.keys(problems)))
  return ({ code }) => {
    if (known.has(code) || isProblemCode(code)) return
    known.add(code)
    log.warn(
      `the problem '${code}' is in no module, so the API description lacks it; list it in 'problems' of the module`,
    )
  }
}

export const createService = ({ failures, isDevelopment, modules, ...around }: ServiceParts): Service => {
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
    receiveForm: createFormReceiver(config),
    noteProblem: createProblemCheck(modules, log),
    reportFailure: (error, request) => {
      logFailure(error, request)
      return failures.record(error, request)
    },
  }
}

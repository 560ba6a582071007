// Counts requests towards the rate limits of their callers, as soon as the callers are known.

import { anonymous } from '../model/caller.ts'
import { Problem } from '../problem.ts'
import type { FrontDoor } from './front-door.ts'
import type { RateLimiter } from './rate-limiter.ts'

type Authentication = Pick<FrontDoor, 'authenticate' | 'peekCaller'>

/** Counts the requests of callers once they are known. */
export const countRequests = ({ authenticate, peekCaller }: Authentication, limiter: RateLimiter): Authentication => ({
  authenticate: async (request, forgiving) => {
    try {
      const caller = await authenticate(request, forgiving)
      // The log wants to know who asked.
      request.callerPk = caller.pk
      limiter.count(caller, request)
      return caller
    } catch (error) {
      // Wrong credentials are no way around the limits on callers without any.
      if (error instanceof Problem && error.status === 401) limiter.count(anonymous, request)
      throw error
    }
  },
  peekCaller: request => {
    const cached = peekCaller(request)
    if (cached) limiter.count(cached.caller, request)
    return cached
  },
})

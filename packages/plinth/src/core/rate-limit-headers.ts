// The headers that describe a limit: the fields `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), and
// with a refusal also the three fields of earlier drafts, which many clients know.

import { Problem } from './problem.ts'

export interface Limited {
  /** The name of the limit. */
  readonly policy: string
  readonly limit: number
  readonly left: number
  /** Until the count starts again. */
  readonly resetMs: number
}

export const rateLimitOf = ({ policy, left, resetMs }: Limited): string =>
  `"${policy}";r=${Math.floor(left)};t=${toSeconds(resetMs)}`

/** 429 `too_many_requests`. */
export const tooManyRequests = (limited: Limited, detail: string): Problem => {
  const seconds = String(toSeconds(limited.resetMs))
  return new Problem('too_many_requests', {
    detail: `${detail}; try again in ${seconds} seconds.`,
    headers: {
      'Retry-After': seconds,
      'RateLimit-Policy': `"${limited.policy}";q=${limited.limit}`,
      RateLimit: rateLimitOf({ ...limited, left: 0 }),
      'RateLimit-Limit': String(limited.limit),
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': seconds,
    },
  })
}

const toSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

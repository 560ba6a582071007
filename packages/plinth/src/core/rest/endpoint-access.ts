// Who may call an endpoint: its rule on the caller, or its own check.

import { anonymous, type Caller } from '../model/caller.ts'
import type { Rule } from '../model/rules.ts'
import { Problem } from '../problem.ts'
import type { Endpoint } from './endpoint.ts'
import type { Permit } from './permits.ts'

interface EndpointAccess {
  /** Is absent where everyone may call the endpoint. */
  readonly permit?: Permit
  readonly isOpen: boolean
  readonly roles: readonly string[]
}

/** The check of `access`, and what the API description says of it. */
export const permitOf = (endpoint: Endpoint, compile: (expression: string) => Rule): EndpointAccess => {
  const { access, open = false } = endpoint
  if (typeof access !== 'string') return { permit: access, isOpen: open, roles: [] }
  const rule = compile(access)
  return {
    ...(access !== 'true' && { permit: ({ caller }) => mustPass(rule, caller) }),
    isOpen: rule.decide(anonymous) === true,
    roles: rule.roles,
  }
}

const mustPass = (rule: Rule, caller: Caller): void => {
  if (rule.decide(caller) !== true) throw new Problem(caller.pk === null ? 'unauthorized' : 'forbidden')
}

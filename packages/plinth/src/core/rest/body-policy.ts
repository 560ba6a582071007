// How strict bodies are read, and which problems have a body, as configured.

import { apiSettings } from '../config/api-settings.ts'
import type { Config } from '../config/settings.ts'

export interface BodyPolicy {
  /** Unknown fields in the body of a request are faults. */
  readonly strict: boolean
  /** 401, 403 and 404 have a problem body for every caller. */
  readonly problems: boolean
}

export const bodyPolicyOf = (config: Config): BodyPolicy => {
  const { strictBodies, problemBodies } = config.get(apiSettings)
  return { strict: strictBodies, problems: problemBodies }
}

// Registration as a whole: becoming a user, and the ways back to a forgotten account.

import { registrationCodeBatches, userRegistrationCodes } from './code-batches.ts'
import { resetRequests } from './request-reset.ts'

export { startAnsweringResets } from './answer-resets.ts'
export { startPurging } from './purge.ts'
export { registrationRoutes } from './routes.ts'

export const registrationResources = [registrationCodeBatches, userRegistrationCodes, resetRequests] as const

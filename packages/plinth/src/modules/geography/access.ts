import type { AccessRules } from '../../core/model/define.ts'

const write = "caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')"

export const publicReading: AccessRules = { read: 'true', write }
export const memberReading: AccessRules = { read: 'caller.signedIn', write }

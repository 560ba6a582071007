import type { Access } from '../../core/model/define.ts'

const write = "caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')"

export const publicReading: Access = { read: 'true', write }
export const memberReading: Access = { read: 'caller.signedIn', write }

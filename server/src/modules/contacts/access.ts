import type { Access } from '../../core/model/define.ts'

const rule = "record.pk == caller.pk || caller.has('ROLE_ADMIN', 'ROLE_SITE_OPERATOR')"

/** The person's own, and those of the people who run the site. */
export const ownOrManaged: Access = { read: rule, write: rule }

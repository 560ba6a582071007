// What people may do with the nodes. What a node may do is decided by its identity.

import type { Caller } from 'plinth'

export const maySteer = ({ roles }: Caller): boolean => roles.has('ROLE_ADMIN') || roles.has('ROLE_SITE_OPERATOR')
export const mayLook = ({ pk }: Caller): boolean => pk !== null

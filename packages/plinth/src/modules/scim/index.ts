// SCIM 2.0: identity providers create, change and deactivate users, and put them into groups, which are roles here.

import { defineModule } from '../../core/module.ts'
import { scimEndpoints } from './endpoints.ts'
import { scimGroups, scimUsers } from './links.ts'

export { scimScope } from './endpoints.ts'

export const scim = defineModule({
  name: 'scim',
  title: { en: 'Provisioning', de: 'Bereitstellung von Konten' },
  about: {
    en: 'SCIM 2.0: identity providers manage users and roles.',
    de: 'SCIM 2.0: Identitätsanbieter verwalten Personen und Rollen.',
  },
  resources: [scimUsers, scimGroups],
  endpoints: scimEndpoints,
})

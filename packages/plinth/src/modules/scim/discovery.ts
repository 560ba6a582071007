// What the service says of itself to providers (RFC 7643, sections 5 to 7).

import { coreSchema, groupSchema, type ScimSchema, userSchema } from './attributes.ts'
import { maxOperations, maxPayload } from './bulk.ts'
import { maxCount } from './requests.ts'
import type { ScimObject } from './scim-json.ts'

const schemas: readonly ScimSchema[] = [userSchema, groupSchema]

const yes = { supported: true } as const

export const serviceConfiguration = (root: string): ScimObject => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: `${new URL(root).origin}/docs/scim`,
  patch: yes,
  bulk: { ...yes, maxOperations, maxPayloadSize: maxPayload },
  filter: { ...yes, maxResults: maxCount },
  changePassword: yes,
  sort: yes,
  etag: yes,
  pagination: { cursor: false, index: true, defaultPageSize: maxCount, maxPageSize: maxCount },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'API key',
      description: 'The API key of an administrator with the scope `scim:read` or `scim:write`.',
      primary: true,
    },
    { type: 'httpbasic', name: 'HTTP Basic', description: 'The name and password of an administrator.' },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${root}/ServiceProviderConfig` },
})

export const resourceTypes = (root: string): readonly ScimObject[] =>
  schemas.map(({ name, description, endpoint }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    description,
    endpoint,
    schema: coreSchema(name),
    meta: { resourceType: 'ResourceType', location: `${root}/ResourceTypes/${name}` },
  }))

export const schemaDocuments = (root: string): readonly ScimObject[] =>
  schemas.map(({ name, description, attributes }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: coreSchema(name),
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: `${root}/Schemas/${coreSchema(name)}` },
  }))

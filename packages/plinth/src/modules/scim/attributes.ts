// The attributes of users and groups (RFC 7643, section 4), as far as the service keeps them. Reading, patches, filters and the schemas
// that providers ask for go by this one description.

type AttributeType = 'string' | 'boolean' | 'complex' | 'reference'
type Mutability = 'readWrite' | 'readOnly' | 'writeOnly'

export interface Attribute {
  readonly name: string
  readonly type: AttributeType
  readonly description: string
  readonly multiValued: boolean
  readonly required: boolean
  readonly caseExact: boolean
  readonly mutability: Mutability
  readonly returned: 'default' | 'never' | 'always'
  readonly uniqueness: 'none' | 'server'
  readonly referenceTypes?: readonly string[]
  readonly subAttributes?: readonly Attribute[]
}

const attribute = (name: string, description: string, options: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  description,
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: options.mutability === 'writeOnly' ? 'never' : 'default',
  uniqueness: 'none',
  ...options,
})

const readOnly = { mutability: 'readOnly' } as const

export const coreSchema = (name: 'User' | 'Group'): string => `urn:ietf:params:scim:schemas:core:2.0:${name}`

/** What every resource has (RFC 7643, section 3.1); no schema lists it. */
const common: readonly Attribute[] = [
  attribute('schemas', 'The schemas of the resource.', { multiValued: true, returned: 'always' }),
  attribute('id', 'The identifier here.', { ...readOnly, caseExact: true, returned: 'always' }),
  attribute('externalId', 'The identifier of the provider.', { caseExact: true }),
  attribute('meta', 'Dates, version and address.', { ...readOnly, type: 'complex' }),
]

const userAttributes: readonly Attribute[] = [
  attribute('userName', 'The name to sign in with.', { required: true, uniqueness: 'server' }),
  attribute('name', 'The parts of the name.', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'The whole name.', readOnly),
      attribute('givenName', 'The first name.'),
      attribute('familyName', 'The last name.'),
    ],
  }),
  attribute('displayName', 'The name that others see.', readOnly),
  attribute('preferredLanguage', 'The language of the user, such as de-AT.'),
  attribute('active', 'Whether the user can sign in.', { type: 'boolean' }),
  attribute('password', 'A new password.', { mutability: 'writeOnly', caseExact: true }),
  attribute('emails', 'The e-mail address; of several, the primary one is kept.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The address.'),
      attribute('type', 'Always `work`.'),
      attribute('primary', 'Whether it is the one that is kept.', { type: 'boolean' }),
    ],
  }),
  attribute('groups', 'The groups of the user; change them there.', {
    ...readOnly,
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of the group.', { ...readOnly, caseExact: true }),
      attribute('$ref', 'The address of the group.', { ...readOnly, type: 'reference', referenceTypes: ['Group'] }),
      attribute('display', 'The name of the group.', readOnly),
    ],
  }),
]

const groupAttributes: readonly Attribute[] = [
  attribute('displayName', 'The name of the group.', { required: true, uniqueness: 'server' }),
  attribute('members', 'The users in the group.', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of the user.', { caseExact: true }),
      attribute('$ref', 'The address of the user.', { ...readOnly, type: 'reference', referenceTypes: ['User'] }),
      attribute('display', 'The username.', readOnly),
      attribute('type', 'Always `User`.', readOnly),
    ],
  }),
]

export interface ScimSchema {
  readonly name: 'User' | 'Group'
  readonly description: string
  /** The path below the root of the service. */
  readonly endpoint: '/Users' | '/Groups'
  readonly attributes: readonly Attribute[]
}

export const userSchema: ScimSchema = {
  name: 'User',
  description: 'People who use the service.',
  endpoint: '/Users',
  attributes: userAttributes,
}

export const groupSchema: ScimSchema = {
  name: 'Group',
  description: 'Roles, which give users permissions.',
  endpoint: '/Groups',
  attributes: groupAttributes,
}

export const attributesOf = ({ attributes }: ScimSchema): readonly Attribute[] => [...common, ...attributes]

/** Names of attributes count in any case (RFC 7643, section 2.1). */
export const findAttribute = (attributes: readonly Attribute[], name: string): Attribute | undefined => {
  const wanted = name.toLowerCase()
  return attributes.find(one => one.name.toLowerCase() === wanted)
}

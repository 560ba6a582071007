// The people of the demo: each one's password is the username.

export interface DemoUser {
  readonly pk: string
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  readonly roles: readonly string[]
}

const pk = (number: number): string => `00000000-0000-7000-8000-00000000000${number}`

export const demoUsers: readonly DemoUser[] = [
  { pk: pk(1), username: 'admin', firstName: 'Ada', lastName: 'Minster', roles: ['ROLE_ADMIN', 'ROLE_USER'] },
  {
    pk: pk(2),
    username: 'operator',
    firstName: 'Otto',
    lastName: 'Perron',
    roles: ['ROLE_SITE_OPERATOR', 'ROLE_USER'],
  },
  { pk: pk(3), username: 'staff', firstName: 'Stella', lastName: 'Affleck', roles: ['ROLE_STAFF', 'ROLE_USER'] },
  { pk: pk(4), username: 'client', firstName: 'Clive', lastName: 'Entwhistle', roles: ['ROLE_USER'] },
  { pk: pk(5), username: 'simple', firstName: 'Simone', lastName: 'Plesk', roles: ['ROLE_USER'] },
]

// What every service of a compose file must have.

import { expect } from 'vitest'

export const expectHardened = (services: Readonly<Record<string, unknown>>): void => {
  expect(Object.keys(services).length).toBeGreaterThan(0)
  for (const [name, service] of Object.entries(services))
    expect(service, name).toMatchObject({
      read_only: true,
      tmpfs: expect.arrayContaining(['/tmp']),
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
}

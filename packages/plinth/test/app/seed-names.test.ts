// Databases store the names of the seeds that they have got. A seed with another name would run again on an existing database.

import { tmpdir } from 'node:os'
import { loadConfig, modulesFor } from '@plinth/test-kit/platform'
import { expect, test } from 'vitest'

test('seeds keep their names, whatever their modules are called now', () => {
  const modules = modulesFor(loadConfig({ env: { APP_MODULES: 'rental,membership' }, cwd: tmpdir() }))
  const names = modules.flatMap(({ seeds = [] }) => seeds.map(seed => seed.name))
  expect(names.sort()).toEqual([
    'accounts.demoUsers',
    'accounts.roles',
    'geography.world',
    'hosts.origins',
    'rental.books',
    'rental.demoStore',
    'rental.strategies',
    'tokens out of queued mails',
  ])
})

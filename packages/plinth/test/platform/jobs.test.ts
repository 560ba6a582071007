// Jobs in the background: a failure is logged, and what a stopping service ends is no failure.

import { once } from 'node:events'
import { expect, test } from 'vitest'
import { defineModule } from '../../src/core/module.ts'
import { Problem } from '../../src/core/problem.ts'
import type { Job } from '../../src/core/rest/jobs.ts'
import { modules } from '../support/platform.ts'
import { startService } from '../support/service.ts'

const failing: Job = {
  name: 'counting stars',
  everyMs: 3600_000,
  run: () => Promise.reject(new Error('it is cloudy')),
}

const ended: Job = {
  name: 'counting sheep',
  everyMs: 3600_000,
  run: async ({ closing }) => {
    await once(closing, 'abort')
    throw new Problem('unavailable', 'The service is stopping.')
  },
}

test('a job that fails is logged; one that the stopping service ends is not', async () => {
  const night = defineModule({ name: 'night', about: 'The night.', resources: [], jobs: [failing, ended] })
  const lines: string[] = []
  const service = await startService('sqlite', {
    modules: [...modules, night],
    logTo: { write: line => void lines.push(line) },
  })
  await expect.poll(() => lines.join('')).toContain('counting stars failed')
  await service.stop()
  expect(lines.join('')).not.toContain('counting sheep')
})

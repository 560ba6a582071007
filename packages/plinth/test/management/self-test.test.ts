// A management endpoint that lets strangers in stops the start.

import { modules } from '@plinth/test-kit/platform'
import { startService } from '@plinth/test-kit/service'
import { expect, test } from 'vitest'
import type { Route } from '../../src/core/http/exchange.ts'
import { defineModule } from '../../src/core/module.ts'

const leaking = (route: Pick<Route, 'path' | 'handler'>) =>
  defineModule({ name: 'leak', about: 'For the test.', resources: [], routes: () => [{ method: 'GET', ...route }] })

test.each<[string, Pick<Route, 'path' | 'handler'>]>([
  ['answers', { path: '/api/management/leak', handler: () => ({ status: 200, body: '{}' }) }],
  ['is not found only today', { path: '/api/management/leak/{name}', handler: () => ({ status: 404 }) }],
  [
    'shows too much under an open name',
    { path: '/api/management/health/', handler: () => ({ status: 200, body: '{"db":1}' }) },
  ],
])('an endpoint that %s', async (_, route) => {
  await expect(startService('sqlite', { modules: [...modules, leaking(route)] })).rejects.toThrow(
    `GET ${route.path} answers`,
  )
})

// Nodes that do not answer, or answer with a redirect.

import { createServer, type RequestListener } from 'node:http'
import { testAll } from '@plinth/test-kit/extent'
import { expect, onTestFinished, test } from 'vitest'
import { nodeSettings, startWithNodes } from './scene.ts'

/** A service whose node alpha is such a server. */
const startBeside = async (answer: RequestListener, settings: Readonly<Record<string, string>> = {}) => {
  const node = createServer(answer)
  await new Promise<void>(resolve => node.listen(0, '127.0.0.1', resolve))
  const address = node.address()
  const service = await startWithNodes('sqlite', {
    settings: {
      ...nodeSettings,
      'app.nodes.alpha.address': `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
      'app.nodes.alpha.username': 'u',
      'app.nodes.alpha.password': 'p',
      'app.log.level': 'silent',
      ...settings,
    },
  })
  onTestFinished(async () => {
    await service.stop()
    node.closeAllConnections()
    await new Promise(resolve => node.close(resolve))
  })
  return () => service.as('admin').get('/api/bnms/members/alpha/memberships?bno=Operations')
}

testAll('a node that does not answer is given up in time, asked again, and then left alone for a while', async () => {
  const paths: string[] = []
  const ask = await startBeside(
    ({ url }) => {
      // Its health may be asked for at any time.
      if (url !== '/health') paths.push(url ?? '')
    },
    { 'app.bnms.timeoutMs': '300' },
  )
  const first = await ask()
  expect([first.status, first.body.detail]).toEqual([503, expect.stringMatching(/is not responding; try again later/)])
  expect(Number(first.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(paths).toHaveLength(3)
  await ask()
  const before = paths.length
  expect((await ask()).status).toBe(503)
  expect(paths.length).toBe(before)
})

test('a redirect is not followed with the login of a node', async () => {
  const seen: string[] = []
  const ask = await startBeside((request, response) => {
    seen.push(request.url ?? '')
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  expect((await ask()).status).toBe(503)
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.some(url => url.includes('elsewhere'))).toBe(false)
})

// A stranger tries every spelling of every management path; in `npm test`, of a third of them. Written on bare sockets: clients tidy addresses up.

import { connect } from 'node:net'
import { everyThird } from '@plinth/test-kit/extent'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitingFor } from '../../src/testing/waiting.ts'
import { isOpen, jsonPaths, otherPaths } from './paths.ts'

let service: TestService
beforeAll(async () => {
  service = await startService('sqlite', { settings: { 'app.management.heapdump': 'true' } })
})
afterAll(() => service.stop())

const paths = [...jsonPaths, ...Object.keys(otherPaths)]

const encodedOnce = (path: string): string => path.replace('management', '%6dana%67ement')

const spellings: readonly ((path: string) => string)[] = [
  path => path,
  path => `${path}/`,
  path => `${path}//`,
  path => `/${path}`,
  path => path.replace('/api', '/api/'),
  path => path.replace('/api/', '/api//'),
  path => path.replace('/api/', '/api/./'),
  path => path.replace('/api/', '/api/x/../'),
  path => path.replace('/api/', '/client/../api/'),
  path => path.replace('/api/', '/client/%2e%2e/api/'),
  path => path.replace('/api/', '/api/%2e/'),
  path => path.replace('/api/', '/api/x/%2e%2e/'),
  path => path.replace('/api/', '/api/x%2f..%2f'),
  path => path.replaceAll('/', '%2f').replace('%2f', '/'),
  path => path.replaceAll('/', '\\').replace('\\', '/'),
  path => `${path};jsessionid=1`,
  path => path.replace('/management', ';a=b/management'),
  path => path.replace('management', 'management;a=b'),
  path => path.toUpperCase(),
  path => path.replace('management', 'Management'),
  encodedOnce,
  path => encodedOnce(path).replaceAll('%', '%25'),
  path => `${path}.json`,
  path => `${path}.xml`,
  path => `${path}.html`,
  path => `${path}.json.json`,
  path => `${path}%20`,
  path => `${path}%00`,
  path => `${path}%00.json`,
  path => `${path}#x`,
  path => `${path}?access_token=admin&roles=ROLE_ADMIN`,
  path => `http://localhost${path}`,
  path => path.replace('/api/', '/apiauth/../api/'),
]

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT', 'PROPFIND']

const forged = [
  'X-Forwarded-For: 127.0.0.1',
  'X-Original-URL: /api/rest/continents',
  'X-Rewrite-URL: /api/rest/continents',
  'X-HTTP-Method-Override: GET',
  'X-Forwarded-User: admin',
  'Authorization: Bearer',
  'Cookie: access_token=x; app-sso=admin',
]

/** Everything that the service sends on a connection with one request. */
const ask = (line: string, headers: readonly string[] = []): Promise<string> => {
  const closed = new Promise<string>((resolve, reject) => {
    const { port } = new URL(service.url)
    const socket = connect(Number(port), '127.0.0.1')
    let answer = ''
    socket.setEncoding('utf8').on('data', text => {
      answer += text
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
    socket.write(
      [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', 'Content-Length: 0', ...headers, '', ''].join(
        '\r\n',
      ),
    )
  })
  return waitingFor(`the answer to ${line}`, closed)
}

const statusOf = (answer: string): number => Number(answer.slice(9, 12))
const bodyOf = (answer: string): string => answer.slice(answer.indexOf('\r\n\r\n') + 4)

/** Says whether an answer is harmless: empty, a refusal, or the little that is open. */
const isHarmless = (path: string, answer: string): boolean => {
  // Node closes the connection of a CONNECT that has no handler.
  if (answer === '') return true
  if ([400, 401, 403, 404, 405, 414].includes(statusOf(answer))) return true
  return isOpen(path) && /^(\{"status":"UP"\}|\{"app":\{"name":"plinth","version":"[^"]+"\}\}|)$/.test(bodyOf(answer))
}

test.each(everyThird(paths))('no spelling of %s reaches anything', async path => {
  const reached: string[] = []
  for (const spell of spellings) {
    const target = spell(path)
    const answer = await ask(`GET ${target}`)
    if (!isHarmless(path, answer)) reached.push(`${target}: ${answer.slice(0, 200)}`)
  }
  expect(reached).toEqual([])
})

test.each(everyThird(paths))('no method and no forged header on %s reaches anything', async path => {
  const reached: string[] = []
  for (const method of methods) {
    const answer = await ask(`${method} ${path}`)
    if (!isHarmless(path, answer)) reached.push(`${method}: ${answer.slice(0, 200)}`)
  }
  for (const header of forged) {
    const answer = await ask(`GET ${path}`, [header])
    if (!isHarmless(path, answer)) reached.push(`${header}: ${answer.slice(0, 200)}`)
  }
  expect(reached).toEqual([])
})

test('TRACE does not echo what was sent', async () => {
  const answer = await ask('TRACE /api/management', ['X-Canary: echo-canary'])
  expect(answer).not.toContain('echo-canary')
})

test.each(['/apidoc', '/apidoc/assets', '/client', '/api/rest'])(
  'neither sources nor maps lie below %s',
  async prefix => {
    for (const file of [
      'main.js.map',
      'main.ts',
      'package.json',
      '.env',
      '.git/HEAD',
      'index.js.map',
      '../package.json',
      '%2e%2e/package.json',
    ]) {
      const answer = await ask(`GET ${prefix}/${file}`)
      expect([`${prefix}/${file}`, statusOf(answer)]).toEqual([
        `${prefix}/${file}`,
        expect.toSatisfy((status: number) => status >= 400),
      ])
    }
  },
)

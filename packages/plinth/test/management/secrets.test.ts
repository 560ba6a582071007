// Canaries in the configuration, in headers, queries and bodies: none may be seen again.

import { everyThird } from '@plinth/test-kit/extent'
import { startService, type TestService } from '@plinth/test-kit/service'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonPaths, root } from './paths.ts'

const configured = {
  'app.jwt.tokenSigningKey': 'canary-signing-key-0123456789abcdefghijklmnopqrstuvwxyz-XYZ',
  'app.mail.password': 'canary-configured-mail',
  'app.files.s3.accessKey': 'canary-configured-access',
  'app.files.s3.secretKey': 'canary-configured-secret',
  'app.nodes.alpha.password': 'canary-configured-node',
} as const
const around = {
  'app.nodes.alpha.partyName': 'O=Alpha, L=London, C=GB',
  'app.nodes.alpha.address': '127.0.0.1:9',
  'app.nodes.alpha.username': 'alpha',
}
const sent = {
  password: 'canary-password-77',
  header: 'canary-header-88',
  cookie: 'canary-cookie-99',
  query: 'canary-query-11',
  body: 'canary-body-22',
}

const lines: string[] = []
let service: TestService
beforeAll(async () => {
  service = await startService('sqlite', {
    logTo: { write: line => lines.push(line) },
    settings: { ...configured, ...around, 'app.log.level': 'trace' },
  })
})
afterAll(() => service.stop())

const isClean = (text: string): boolean =>
  !text.includes('canary-') || !/canary-(signing|configured|password|header|cookie|query|body)/.test(text)

/** Requests of every kind that carry a secret. */
const provoke = async (): Promise<string[]> => {
  const headers = {
    'X-Api-Key': sent.header,
    Cookie: `access_token=${sent.cookie}`,
    Referer: `http://x/${sent.header}`,
  }
  const basic = { Authorization: `Basic ${btoa(`admin:${sent.password}`)}` }
  const anonymous = service.as('anonymous')
  const answers = [
    await anonymous.get(`/api/rest/countries?token=${sent.query}`, headers),
    await anonymous.get(`/api/rest/countries?filter=${sent.query}==1`, {}),
    await anonymous.get('/api/rest/users', basic),
    await anonymous.get('/api/rest/users', { Authorization: `Bearer ${sent.header}` }),
    await anonymous.post('/api/auth/jwt/access', { username: 'admin', password: sent.password }),
    await service.as('admin').post('/api/rest/hosts', `{"name": "${sent.body}`, { 'Content-Type': 'application/json' }),
    await service.as('admin').post('/api/rest/operations', { secret: sent.body }),
    await anonymous.get('/no/such/path', headers),
  ]
  return answers.map(({ text, headers: responseHeaders }) => text + JSON.stringify([...responseHeaders]))
}

test('problems do not repeat secrets', async () => {
  const answers = await provoke()
  // A search that cannot be read names what it could not read: that is the caller's own.
  expect(answers.filter(text => !isClean(text)).filter(text => !text.includes('bad_'))).toEqual([])
})

test.each(everyThird(jsonPaths))('%s shows none', async path => {
  await provoke()
  expect(isClean((await service.as('admin').get(path)).text)).toBe(true)
})

test.each(Object.keys(configured))('%s is there, struck out', async name => {
  const { body } = await service.as('admin').get(`${root}/env`)
  expect(body.commandLineArgs[name]).toBe('******')
  expect((await service.as('admin').get(`${root}/env/${name}`)).body).toEqual({ [name]: '******' })
  const [prefix, last] = [name.slice(0, name.lastIndexOf('.')), name.slice(name.lastIndexOf('.') + 1)]
  expect((await service.as('admin').get(`${root}/configprops`)).body[prefix].properties[last]).toBe('******')
})

test('the log shows none, even at its most talkative', async () => {
  await provoke()
  await expect.poll(() => lines.length).toBeGreaterThan(10)
  expect(lines.filter(line => !isClean(line))).toEqual([])
})

describe('prometheus', () => {
  test('shows none', async () => {
    expect(isClean((await service.as('admin').get(`${root}/prometheus`)).text)).toBe(true)
  })
})

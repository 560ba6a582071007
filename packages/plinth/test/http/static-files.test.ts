// The files of the web client.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bodyOf, exchange, get, json, lasting, start, statusOf } from './test-server.ts'

let root = ''
let folder = ''

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'plinth-static-'))
  folder = join(root, 'client')
  mkdirSync(join(folder, 'assets', 'deep'), { recursive: true })
  writeFileSync(join(root, 'secret.txt'), 'canary')
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>page</title>')
  writeFileSync(join(folder, 'robots.txt'), 'robots')
  writeFileSync(join(folder, '.env'), 'canary')
  writeFileSync(join(folder, 'assets', 'index-BfX3k2aQ.js'), 'script()')
  writeFileSync(join(folder, 'assets', 'deep', 'guide.md.BfX3k2aQ.lean.js'), 'script()')
  writeFileSync(join(folder, 'assets', 'logo.svg'), '<svg/>')
  writeFileSync(join(folder, 'guide.html'), '<!doctype html><title>guide</title>')
  mkdirSync(join(root, 'clientele'))
  writeFileSync(join(root, 'clientele', 'other.txt'), 'canary')
  symlinkSync(join(folder, 'index.html'), join(folder, 'linked.html'))
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

const serve = () =>
  start([get('/api/a', () => json(1))], { staticFiles: [{ prefix: '/client', folder, fallback: 'index.html' }] })

describe('files', () => {
  test.each([
    ['/client/index.html', 'text/html', 'no-cache', '<!doctype'],
    ['/client/', 'text/html', 'no-cache', '<!doctype'],
    ['/client', 'text/html', 'no-cache', '<!doctype'],
    ['/client/robots.txt', 'text/plain', 'no-cache', 'robots'],
    ['/client/assets/index-BfX3k2aQ.js', 'javascript', 'public, max-age=31536000, immutable', 'script()'],
    ['/client/assets/index-BfX3k2aQ.js?v=1', 'javascript', 'public, max-age=31536000, immutable', 'script()'],
    ['/client/assets/deep/guide.md.BfX3k2aQ.lean.js', 'javascript', 'public, max-age=31536000, immutable', 'script()'],
    ['/client/assets/logo.svg', 'image/svg+xml', 'no-cache', '<svg/>'],
  ])('%s is %s, kept as %s', async (path, type, caching, text) => {
    const { url } = await serve()
    const response = await fetch(url + path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain(type)
    expect(response.headers.get('cache-control')).toBe(caching)
    expect(await response.text()).toContain(text)
  })

  test('with clean URLs, a page is found without its ending', async () => {
    const site = { prefix: '/docs', folder, fallback: 'index.html', cleanUrls: true }
    const { url } = await start([], { staticFiles: [site] })
    const titleAt = async (path: string) => (await (await fetch(url + path)).text()).match(/<title>(\w+)/)?.[1]
    expect([await titleAt('/docs/guide'), await titleAt('/docs/guide.html')]).toEqual(['guide', 'guide'])
    expect([await titleAt('/docs/other'), await titleAt('/docs/')]).toEqual(['page', 'page'])
  })

  test('HEAD has the headers of GET', async () => {
    const { url } = await serve()
    const ask = (method: string) => fetch(`${url}/client/assets/logo.svg`, { method })
    const [full, head] = [await ask('GET'), await ask('HEAD')]
    expect([head.status, lasting(head.headers)]).toEqual([200, lasting(full.headers)])
    expect(await head.text()).toBe('')
  })

  test('a file that the browser has is not sent again', async () => {
    const { url, port } = await serve()
    const tag = (await fetch(`${url}/client/`)).headers.get('etag')
    const answer = await exchange(
      port,
      `GET /client/ HTTP/1.1\r\nHost: a\r\nIf-None-Match: ${tag}\r\nConnection: close\r\n\r\n`,
    )
    expect([statusOf(answer), bodyOf(answer)]).toEqual([304, ''])
    expect(answer).toContain("script-src 'self'")
  })
})

describe('deep links', () => {
  test.each([
    ['/client/films', '*/*'],
    ['/client/resources/assets', '*/*'],
    ['/client/resources/assets/7', '*/*'],
    ['/client/films/7?tab=2', '*/*'],
    ['/client/films/', '*/*'],
    ['/client/users/john.doe', 'text/html,application/xhtml+xml,*/*;q=0.8'],
    ['/client/a%2Fb', '*/*'],
  ])('%s for %s is the page', async (path, accept) => {
    const { url } = await serve()
    const response = await fetch(url + path, { headers: { accept } })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(await response.text()).toContain('<title>page')
  })

  test.each([
    ['/client/assets/gone-BfX3k2aQ.js', '*/*'],
    ['/client/assets/gone-BfX3k2aQ.js', 'text/html'],
    ['/client/assets', 'text/html'],
    ['/client/assets/', 'text/html'],
    ['/client/assets/deep', 'text/html'],
    ['/client/favicon.ico', 'image/*'],
    ['/client/.env', 'text/html'],
    ['/client/.git/config', 'text/html'],
    ['/clientele/other.txt', 'text/html'],
    ['/clientele', 'text/html'],
  ])('%s for %s is not found', async (path, accept) => {
    const { url } = await serve()
    const response = await fetch(url + path, { headers: { accept } })
    expect([response.status, await response.text()]).toEqual([404, ''])
  })

  test('without a built client there is nothing, and the rest works', async () => {
    const { url } = await start([get('/api/a', () => json(1))], {
      staticFiles: [{ prefix: '/client', folder: join(root, 'absent'), fallback: 'index.html' }],
    })
    expect((await fetch(`${url}/client/`)).status).toBe(404)
    expect((await fetch(`${url}/client/films`)).status).toBe(404)
    expect((await fetch(`${url}/api/a`)).status).toBe(200)
  })
})

describe('what is outside', () => {
  test.each([
    '/client/../secret.txt',
    '/client/%2e%2e/secret.txt',
    '/client/..%2fsecret.txt',
    '/client/%2e%2e%2fsecret.txt',
    '/client/assets/../../secret.txt',
    '/client/..%5csecret.txt',
    '/client/%00/../secret.txt',
    '/client/....//secret.txt',
    '/client//etc/passwd',
    '/client/%2fetc/passwd',
    '/client/../clientele/other.txt',
    '/client/.env',
    '/client/%2eenv',
    '/client/robots.txt%00.html',
  ])('%s shows nothing', async path => {
    const { port, faults } = await serve()
    const answer = await exchange(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect(answer).not.toMatch(/canary|root:/)
    expect([200, 400, 404]).toContain(statusOf(answer))
    if (statusOf(answer) === 200) expect(bodyOf(answer)).toContain('<title>page')
    expect(faults.filter(fault => !String(fault).includes('Bad request'))).toEqual([])
  })
})

describe('other methods', () => {
  test.each(['POST', 'PUT', 'DELETE', 'PROPFIND'])('%s is refused with what is allowed', async method => {
    const { port } = await serve()
    const answer = await exchange(
      port,
      `${method} /client/films HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    )
    expect(statusOf(answer)).toBe(405)
    expect(answer).toMatch(/^allow: GET, HEAD, OPTIONS\r$/im)
  })

  test('OPTIONS tells it too', async () => {
    const { url } = await serve()
    const response = await fetch(`${url}/client/films`, { method: 'OPTIONS' })
    expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
  })
})

test('as long as the page is missing, a placeholder takes its place; the page counts as soon as it is there', async () => {
  const place = join(root, 'later')
  const placeholder = { mediaType: 'text/html; charset=utf-8', content: Buffer.from('being built') }
  const files = { prefix: '/docs', folder: place, fallback: 'index.html', cleanUrls: true, placeholder }
  const { url } = await start([], { staticFiles: [files] })
  const read = async (path: string) => {
    const response = await fetch(url + path)
    return [response.status, await response.text()]
  }
  expect(await read('/docs/')).toEqual([200, 'being built'])
  expect(await read('/docs/guide')).toEqual([200, 'being built'])
  expect((await read('/docs/assets/app.js'))[0]).toBe(404)
  mkdirSync(place)
  writeFileSync(join(place, 'index.html'), 'start')
  writeFileSync(join(place, 'guide.html'), 'guide')
  expect(await read('/docs/')).toEqual([200, 'start'])
  expect(await read('/docs/guide')).toEqual([200, 'guide'])
  expect(await read('/docs/nowhere')).toEqual([200, 'start'])
})

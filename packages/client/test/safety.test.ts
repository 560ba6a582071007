// What the client never does: lead a request to another path or address, widen a filter, or bring back a session that has ended.

import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createClient, type PlinthClient, type SessionTokens, type TokenStorage } from '../src/index.ts'

type Respond = (path: string, init: RequestInit) => Response | Promise<Response>

/** A client whose requests are answered here. */
const clientOf = (respond: Respond = () => Response.json({}), storage?: TokenStorage) => {
  const sent: string[] = []
  const client = createClient({
    url: 'http://service.example',
    retries: 0,
    endpoints: { returnLoan: 'POST /api/rest/loans/{pk}/return' },
    ...(storage && { session: 'tokens', storage }),
    fetch: async (address, init = {}) => {
      const { pathname, search } = new URL(String(address))
      sent.push(`${init.method} ${pathname}${search}`)
      return respond(pathname, init)
    },
  })
  return { client, sent }
}

describe('addresses', () => {
  const uses: readonly ((client: PlinthClient, text: string) => PromiseLike<unknown>)[] = [
    (client, pk) => client.resource('books').get(pk),
    (client, pk) => client.resource('books').update(pk, {}),
    (client, pk) => client.resource('books').remove({ pk }),
    (client, pk) => client.resource('books').related(pk, 'shelf' as never),
    (client, pk) => client.resource('books').relatedMany(pk, 'authors').then(),
    (client, pk) => client.resource('books').link(pk, 'authors', []),
    (client, relation) => client.resource('books').related('1', relation as never),
    (client, relation) => client.resource('books').relatedMany('1', relation).then(),
    (client, relation) => client.resource('books').unlink('1', relation, []),
    (client, pk) => client.endpoints.returnLoan?.({ params: { pk } } as never) ?? Promise.resolve(),
    async (client, pk) => client.files('books', pk).list(),
    async (client, name) => client.files('books', '1').remove(name),
    async (client, name) => client.resource(name).find(),
  ]

  test.each(['', '.', '..'])("'%s' is no identifier, relation or file", async text => {
    const { client, sent } = clientOf()
    for (const use of uses)
      await expect((async () => use(client, text))()).rejects.toMatchObject({ code: 'bad_parameter' })
    expect(sent).toEqual([])
  })

  test('every part is encoded', async () => {
    const { client, sent } = clientOf(() => Response.json({ content: [], links: [] }))
    for (const use of uses) await use(client, '../a?b#c')
    expect(new Set(sent.map(one => one.split('/').length)).size).toBeLessThanOrEqual(4)
    for (const one of sent) expect(one).toContain('..%2Fa%3Fb%23c')
  })
})

test('a page instead of JSON is a problem, and so is JSON that ends too early', async () => {
  const html = { headers: { 'Content-Type': 'text/html' } }
  const json = { headers: { 'Content-Type': 'application/json' } }
  for (const response of [new Response('<!doctype html>', html), new Response('{"content": [', json)])
    await expect(
      clientOf(() => response)
        .client.resource('books')
        .find()
        .catch(),
    ).rejects.toMatchObject({
      code: 'unexpected_response',
      status: 200,
    })
  const failed = clientOf(() => new Response('<h1>Bad gateway</h1>', { status: 502, ...html }))
  await expect(failed.client.resource('books').get('1')).rejects.toMatchObject({ code: 'internal', status: 502 })
})

describe('filters', () => {
  const filterOf = async (find: object): Promise<string | null> => {
    const { client, sent } = clientOf(() => Response.json({ content: [], links: [] }))
    await client.resource('books').find(find)
    return new URLSearchParams(sent[0]?.split('?')[1]).get('filter')
  }

  test('values are quoted, whatever they contain', async () => {
    const title = `x";pk!="1" or a=in=(1,2)\\`
    expect(await filterOf({ where: { title } })).toBe(`title=="x\\";pk!=\\"1\\" or a=in=(1,2)\\\\"`)
  })

  test('a filter cannot leave the parentheses that keep it beside a condition', async () => {
    const where = { owner: '1' }
    expect(await filterOf({ where, filter: `a==1,b==")" or c==\\)` })).toBe(`(owner=="1");(a==1,b==")" or c==\\))`)
    for (const filter of ['a==1),(b==2', 'a==(1', 'a=="1', `a==')`, 'a==1)', `a==\\")`])
      await expect(filterOf({ where, filter })).rejects.toMatchObject({ code: 'bad_filter' })
  })

  test('a name is no more than a name', async () => {
    for (const name of ['a==1,b', '(a', 'a b', '', "a'", 'a\\'])
      await expect(filterOf({ where: { [name]: '1' } })).rejects.toMatchObject({ code: 'bad_filter' })
  })
})

const listen = async (handle: RequestListener): Promise<string> => {
  const server = createServer(handle)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('credentials do not follow a redirect', async () => {
  const stolen: unknown[] = []
  const thief = await listen(({ headers }, response) => {
    stolen.push(headers['x-api-key'])
    response.end('{}')
  })
  let requests = 0
  const url = await listen((_, response) => {
    requests++
    response.writeHead(307, { Location: thief }).end()
  })
  const client = createClient({ url, apiKey: 'secret' })
  await expect(client.resource('books').get('1')).rejects.toMatchObject({ code: 'redirected', status: 307 })
  await expect(client.resource('books').create({})).rejects.toMatchObject({ code: 'redirected' })
  expect([stolen, requests]).toEqual([[], 2])
})

describe('sessions', () => {
  const tokens = (name: string, expiresIn = 3600) => ({
    pk: name,
    username: name,
    roles: [],
    accessToken: `access ${name}`,
    refreshToken: `refresh ${name}`,
    expiresIn,
  })

  const createStorage = (kept: SessionTokens | null = null) => ({
    kept,
    get() {
      return this.kept
    },
    set(next: SessionTokens | null) {
      this.kept = next
    },
  })

  /** A service whose refresh is answered when `answer` is called. */
  const scene = () => {
    const storage = createStorage()
    let isAsked = (): void => {}
    let answer = (_: Response): void => {}
    const requested = new Promise<void>(resolve => {
      isAsked = resolve
    })
    const made = clientOf(async (path, { method, body }) => {
      if (path.endsWith('/jwt/refresh')) {
        isAsked()
        return new Promise<Response>(resolve => {
          answer = resolve
        })
      }
      if (method === 'DELETE') return new Response(null, { status: 204 })
      if (method === 'POST') return Response.json(tokens(JSON.parse(String(body)).username))
      return Response.json({ content: [], links: [] })
    }, storage)
    const refreshed = (name: string): void => answer(Response.json(tokens(`${name} again`)))
    const signIn = (username: string) => made.client.session.signIn({ username, password: 'x' })
    return { ...made, storage, requested, refreshed, signIn }
  }

  test('a refresh that ends late does not bring back a session that was ended', async () => {
    const { client, storage, requested, refreshed, signIn } = scene()
    await signIn('ada')
    const refreshing = client.session.refresh()
    await requested
    const ending = client.session.signOut()
    refreshed('ada')
    await Promise.all([refreshing, ending])
    expect([storage.kept, client.session.user]).toEqual([null, null])
  })

  test('a refresh that ends late does not replace a newer session', async () => {
    const { client, storage, requested, refreshed, signIn } = scene()
    await signIn('ada')
    const refreshing = client.session.refresh()
    await requested
    const entering = signIn('bob')
    refreshed('ada')
    await Promise.all([refreshing, entering])
    expect([storage.kept?.accessToken, client.session.user?.pk]).toEqual(['access bob', 'bob'])
  })

  test('a request of one session is not sent again in the next', async () => {
    const storage = createStorage()
    const authorizations: unknown[] = []
    let answer = (_: Response): void => {}
    const { client } = clientOf((_, { method, headers, body }) => {
      if (method === 'POST') return Response.json(tokens(JSON.parse(String(body)).username))
      authorizations.push(new Headers(headers).get('authorization'))
      return new Promise<Response>(resolve => {
        answer = resolve
      })
    }, storage)
    await client.session.signIn({ username: 'ada', password: 'x' })
    const removing = client.resource('books').remove('1')
    await expect.poll(() => authorizations.length).toBe(1)
    await client.session.signIn({ username: 'bob', password: 'x' })
    answer(new Response(null, { status: 401 }))
    await expect(removing).rejects.toMatchObject({ status: 401 })
    expect([authorizations, storage.kept?.accessToken]).toEqual([['Bearer access ada'], 'access bob'])
  })

  test('a user who is read late does not replace one who signed in since', async () => {
    const storage = createStorage()
    let answer = (_: Response): void => {}
    const { client, sent } = clientOf((_, { method, body }) => {
      if (method === 'POST') return Response.json(tokens(JSON.parse(String(body)).username))
      return new Promise<Response>(resolve => {
        answer = resolve
      })
    }, storage)
    await client.session.signIn({ username: 'ada', password: 'x' })
    const loading = client.session.load()
    await expect.poll(() => sent.length).toBe(2)
    await client.session.signIn({ username: 'bob', password: 'x' })
    answer(Response.json(tokens('ada')))
    expect((await loading)?.pk).toBe('bob')
    expect(client.session.user?.pk).toBe('bob')
  })

  test('tokens that are read late do not replace those of a sign-in', async () => {
    let answer = (_: SessionTokens | null): void => {}
    let kept: SessionTokens | null = null
    const storage: TokenStorage = {
      get: () =>
        new Promise(resolve => {
          answer = resolve
        }),
      set: tokens => {
        kept = tokens
      },
    }
    const authorizations: unknown[] = []
    const { client } = clientOf((_, { headers }) => {
      authorizations.push(new Headers(headers).get('authorization'))
      return Response.json(tokens('bob'))
    }, storage)
    const early = client.resource('books').get('1')
    await client.session.signIn({ username: 'bob', password: 'x' })
    answer({ accessToken: 'old', refreshToken: 'old', expiresAt: Date.now() + 3_600_000 })
    await early
    await client.resource('books').get('1')
    // The early one belongs to no session.
    expect(authorizations).toEqual([null, null, 'Bearer access bob'])
    expect(kept).toMatchObject({ accessToken: 'access bob' })
  })

  test('when another tab has signed out or in as another user, the session of this one ends', async () => {
    const other = {
      accessToken: 'access bob',
      refreshToken: 'refresh bob',
      expiresAt: Date.now() + 3_600_000,
      user: 'bob',
    }
    for (const stored of [null, other]) {
      const { client, storage, sent, signIn } = scene()
      const reasons: string[] = []
      client.session.on('signedOut', reason => reasons.push(reason))
      await signIn('ada')
      storage.kept = stored
      expect(await client.session.refresh()).toBe(false)
      expect([reasons, client.session.user, storage.kept]).toEqual([['expired'], null, stored])
      expect(sent.filter(one => one.includes('refresh'))).toEqual([])
    }
  })
})

// Complete requests: any method on any path, with any headers, by a user or an anonymous caller.

import fc from 'fast-check'
import { bodiesOf, bodyTypes, type SentBody, type ValidBody, wild } from './bodies.ts'
import { type Ground, queryOf } from './queries.ts'
import type { RawRequest } from './raw-http.ts'
import { encoded, mutated, nasty } from './texts.ts'

export interface Land extends Ground {
  readonly samples: readonly ValidBody[]
  /** Records that exist at the beginning, by resource. */
  readonly pksOf: Readonly<Record<string, readonly string[]>>
  /** Every path that the service describes, with its named parts in braces. */
  readonly paths: readonly string[]
  /** Records that callers sign in with: only read, so that no caller is locked out. */
  readonly people: readonly string[]
}

const weird = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'PURGE',
] as const

/** What a request is after, before headers and credentials. */
interface Intent {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly body: SentBody | null
}

const intent = (
  method: fc.Arbitrary<string>,
  path: fc.Arbitrary<string>,
  more: { readonly query?: fc.Arbitrary<string>; readonly body?: fc.Arbitrary<SentBody | null> } = {},
): fc.Arbitrary<Intent> =>
  fc.record({ method, path, query: more.query ?? fc.constant(''), body: more.body ?? fc.constant(null) })

/** What can be asked of one resource; most of it makes sense. */
const intentsOf = (sample: ValidBody, land: Land): fc.Arbitrary<Intent> => {
  const base = `/api/rest/${sample.resource}`
  const own = land.pksOf[sample.resource] ?? []
  const pk = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...(own.length > 0 ? own : land.pks)) },
    { weight: 1, arbitrary: fc.constantFrom(...land.pks) },
    { weight: 1, arbitrary: encoded(nasty) },
  )
  const relation = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('pk', ...Object.keys(sample.relations)) },
    { weight: 1, arbitrary: encoded(nasty) },
  )
  const item = pk.map(id => `${base}/${id}`)
  const bodies = bodiesOf(sample, land.samples, land)
  const body = fc.oneof({ weight: 4, arbitrary: bodies.record }, { weight: 1, arbitrary: bodies.any })
  const query = queryOf(land, sample.resource)
  const seldom = fc.oneof({ weight: 9, arbitrary: fc.constant('') }, { weight: 1, arbitrary: query })
  const related = fc.tuple(item, fc.constantFrom('/', '/relationships/'), relation).map(parts => parts.join(''))
  const is = (method: string) => fc.constant(method)
  return fc.oneof(
    { weight: 40, arbitrary: intent(fc.constantFrom('GET', 'GET', 'GET', 'HEAD'), fc.constant(base), { query }) },
    { weight: 5, arbitrary: intent(is('GET'), item, { query: seldom }) },
    { weight: 6, arbitrary: intent(is('GET'), related, { query }) },
    { weight: 12, arbitrary: intent(is('POST'), fc.constant(base), { body, query: seldom }) },
    { weight: 10, arbitrary: intent(is('PATCH'), item, { body, query: seldom }) },
    { weight: 6, arbitrary: intent(is('PUT'), item, { body, query: seldom }) },
    { weight: 2, arbitrary: intent(is('DELETE'), item) },
    {
      weight: 5,
      arbitrary: intent(
        fc.constantFrom('POST', 'PATCH', 'DELETE'),
        fc.tuple(item, relation).map(([id, name]) => `${id}/relationships/${name}`),
        { body: bodies.linkage },
      ),
    },
    { weight: 6, arbitrary: intent(is('POST'), fc.constant('/api/rest/operations'), { body: bodies.operations }) },
    { weight: 1, arbitrary: intent(fc.constantFrom(...weird), fc.oneof(item, fc.constant(base)), { body, query }) },
    { weight: 1, arbitrary: intent(is('OPTIONS'), fc.oneof(item, fc.constant(base))) },
  )
}

const odd = [
  ...['/', '*', '//', '/client', '/client/../x', '/client/%2e%2e/%2e%2e/package.json', '/api/rest/books/'],
  ...['/api//rest/books', '/%', '/%00', `/${'a/'.repeat(3000)}`, 'http://other.example/api/rest/books'],
]

/** Fields of bodies that are no records: sign-in, accounts, orders, memberships, loggers. */
const plausibleNames = [
  ...['username', 'email', 'password', 'passwordConfirmation', 'resetPasswordToken', 'token', 'rememberMe', 'locale'],
  ...['registrationCode', 'recipients', 'recepients', 'addressLines', 'predicate', 'object', 'configuredLevel'],
  ...['customer', 'items', 'orders', 'inventoryId', 'rentalId', 'cost', 'days', 'totalCost', 'pk', 'id', 'status'],
  ...['member', 'bno', 'party', 'networkId', 'membershipMetadata', 'reason', 'version', '__proto__'],
]

/** What the service describes beyond its resources, and what it does not know. */
const strayOf = (land: Land): fc.Arbitrary<Intent> => {
  const pk = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...land.pks) }, { weight: 1, arbitrary: encoded(nasty) })
  const described = fc
    .tuple(fc.constantFrom(...land.paths), fc.array(pk, { minLength: 3, maxLength: 3 }))
    .map(([path, parts]) => path.replace(/\{[^}]+\}/g, () => parts.pop() ?? ''))
  const path = fc.oneof(
    { weight: 8, arbitrary: described },
    { weight: 2, arbitrary: fc.constantFrom(...land.resources).map(name => `/api/rest/${name}`) },
    { weight: 1, arbitrary: encoded(nasty).map(name => `/api/rest/${name}`) },
    {
      weight: 1,
      arbitrary: mutated(fc.constantFrom('/api/rest/books', '/client/index.html', '/api/rest/countries/GR')).map(
        text => `/${encodeURI(text.toWellFormed())}`,
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  )
  const [sample] = land.samples
  if (!sample) throw new Error('there are samples')
  const query = fc.oneof({ weight: 2, arbitrary: fc.constant('') }, { weight: 1, arbitrary: queryOf(land, 'users') })
  const plausible = fc
    .dictionary(fc.constantFrom(...plausibleNames), fc.oneof(wild, fc.constantFrom(...land.pks)), { maxKeys: 5 })
    .map(json => ({ type: 'application/json', bytes: Buffer.from(JSON.stringify(json)) }))
  const body = fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: plausible },
    { weight: 1, arbitrary: bodiesOf(sample, land.samples, land).any },
  )
  return intent(
    fc.oneof({ weight: 3, arbitrary: fc.constant('GET') }, { weight: 2, arbitrary: fc.constantFrom(...weird) }),
    path,
    { query, body },
  )
}

/** What may stand in a header; the parser refuses the rest, which has its own tests. */
const headerText = (text: string): string =>
  text
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
    .trim()
    .slice(0, 8000)

const mediaTypes = [
  'application/json',
  'application/hal+json',
  'application/xml',
  'application/vnd.api+json',
  'application/problem+json',
  'text/html',
  '*/*',
  'application/*;q=0.5',
  'application/json;q=0',
  'text/csv',
  'application/vnd.api+json;ext="x"',
  'application/json;q=2',
  'application/vnd.app.actuator.v1+json',
]

const headerOf = (): fc.Arbitrary<readonly [string, string]> => {
  const named = (name: string, value: fc.Arbitrary<string>) => value.map(text => [name, headerText(text)] as const)
  const accept = fc.array(fc.constantFrom(...mediaTypes), { minLength: 1, maxLength: 4 }).map(types => types.join(', '))
  const tag = fc.constantFrom('"1"', '"1-abc"', 'W/"1"', '*', '"', '""', '"0", "1", "2"', '1')
  const or = (likely: fc.Arbitrary<string>) =>
    fc.oneof({ weight: 3, arbitrary: likely }, { weight: 1, arbitrary: mutated(likely) })
  return fc.oneof(
    { weight: 8, arbitrary: named('Accept', or(accept)) },
    { weight: 3, arbitrary: named('If-Match', or(tag)) },
    { weight: 3, arbitrary: named('If-None-Match', or(tag)) },
    {
      weight: 2,
      arbitrary: named('Prefer', or(fc.constantFrom('return=minimal', 'return=representation', 'respond-async', ','))),
    },
    {
      weight: 3,
      arbitrary: named('Idempotency-Key', or(fc.constantFrom('a', 'b', 'x'.repeat(255), 'x'.repeat(256), ''))),
    },
    {
      weight: 3,
      arbitrary: named(
        'Origin',
        or(
          fc.constantFrom(
            'null',
            'https://catalogue.example',
            'https://catalogue.example.evil',
            'http://localhost',
            'https://user@catalogue.example',
          ),
        ),
      ),
    },
    {
      weight: 2,
      arbitrary: named('Host', or(fc.constantFrom('localhost', 'evil.example', 'a b', '[::1]', '', 'x:99999', 'a/b'))),
    },
    {
      weight: 1,
      arbitrary: named('Range', or(fc.constantFrom('bytes=0-1', 'bytes=-1', 'items=0-5', 'bytes=9-1,2-3'))),
    },
    {
      weight: 1,
      arbitrary: named(
        'Cookie',
        or(
          fc.constantFrom(
            'access_token=x',
            'access_token=a.b.c; refresh_token=',
            'app-sso=%',
            '=;=',
            'remember-me=x',
            '__proto__=1',
          ),
        ),
      ),
    },
    { weight: 1, arbitrary: named('X-Request-Id', nasty) },
    { weight: 1, arbitrary: named('X-Node', nasty) },
    { weight: 1, arbitrary: named('Last-Event-ID', nasty) },
    {
      weight: 1,
      arbitrary: named('traceparent', or(fc.constant('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'))),
    },
    { weight: 1, arbitrary: named('Sec-Fetch-Site', fc.constantFrom('cross-site', 'same-origin', 'none', 'x')) },
    { weight: 1, arbitrary: named('Access-Control-Request-Method', fc.constantFrom('PUT', 'get', '*')) },
    { weight: 1, arbitrary: named('Access-Control-Request-Headers', or(fc.constant('content-type, x-other'))) },
    { weight: 1, arbitrary: named('Accept-Language', or(fc.constant('el, en;q=0.5'))) },
    { weight: 1, arbitrary: named('Accept-Encoding', or(fc.constant('gzip, br'))) },
    { weight: 1, arbitrary: named('Content-Encoding', fc.constantFrom('gzip', 'identity', 'x')) },
    { weight: 1, arbitrary: named('X-Forwarded-For', nasty) },
    { weight: 1, arbitrary: named('X-HTTP-Method-Override', fc.constantFrom('DELETE', 'PUT')) },
  )
}

const users = ['admin', 'admin', 'staff', 'staff', 'client', 'anonymous'] as const

const credentials: fc.Arbitrary<string | null> = fc.oneof(
  {
    weight: 300,
    arbitrary: fc
      .constantFrom(...users)
      .map(user => (user === 'anonymous' ? null : `Basic ${btoa(`${user}:${user}`)}`)),
  },
  {
    weight: 8,
    arbitrary: mutated(
      fc.constantFrom('Bearer a.b.c', 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.', 'Digest x', 'bearer'),
    ).map(headerText),
  },
  { weight: 1, arbitrary: mutated(fc.constantFrom('Basic Og==', 'Basic %', `Basic ${btoa('a:b')}`)).map(headerText) },
)

const otherTypes = mutated(
  fc.constantFrom(
    ...bodyTypes,
    'application/xml',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
  ),
).map(headerText)

/** What the body says of itself: mostly the truth. */
const typeOf = (fitting: string, other: string | null, how: number): string | null => {
  if (how < 8) return other
  return how < 10 ? null : fitting
}

export const requestOf = (land: Land): fc.Arbitrary<RawRequest> => {
  const intents = fc.oneof(...land.samples.map(sample => ({ weight: 5, arbitrary: intentsOf(sample, land) })), {
    weight: 8,
    arbitrary: strayOf(land),
  })
  const headers = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.array(headerOf(), { minLength: 1, maxLength: 3 }) },
  )
  return fc
    .tuple(intents, headers, credentials, otherTypes, fc.nat(99))
    .map(([{ method, path, query, body }, more, credential, other, how]) => {
      const touchesPeople = method !== 'GET' && land.people.some(pk => path.includes(pk) || body?.bytes.includes(pk))
      const type = body && typeOf(body.type, other, how)
      return {
        method,
        target: `${path}${query}`.slice(0, 60_000),
        headers: [
          ...more,
          ...(type === null ? [] : [['Content-Type', type] as const]),
          ...(credential === null || touchesPeople ? [] : [['Authorization', credential] as const]),
        ],
        body: body?.bytes ?? null,
      }
    })
}

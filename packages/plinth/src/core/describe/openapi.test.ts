import { describe, expect, test } from 'vitest'
import type { Json } from '../model/json.ts'
import { problemTypes } from '../problem-types.ts'
import { referencesIn } from './openapi/document.ts'
import {
  component,
  components,
  document,
  faultsOf,
  operations,
  parameterNames,
  paths,
  resolved,
} from './openapi.fixture.ts'
import type { JsonObject } from './openapi.ts'
import { filmAsShown } from './sample.fixture.ts'

/** Every value given as an example, with the schema beside it. */
const examplesIn = (part: Json, where = ''): { where: string; schema: object; value: unknown }[] => {
  if (typeof part !== 'object' || part === null) return []
  if (Array.isArray(part)) return part.flatMap((one, at) => examplesIn(one, `${where}/${at}`))
  const { schema, example, examples } = part as { schema?: object; example?: Json; examples?: Json }
  const own: { where: string; schema: object; value: unknown }[] = []
  if (schema && example !== undefined) own.push({ where, schema, value: example })
  if (schema && examples) {
    for (const [name, one] of Object.entries(examples))
      own.push({ where: `${where}/${name}`, schema, value: (one as JsonObject).value })
  }
  if (!schema && Array.isArray(examples)) own.push(...examples.map(value => ({ where, schema: part, value })))
  const deeper = Object.entries(part)
    .filter(([name]) => name !== 'examples' && name !== 'example')
    .flatMap(([name, one]) => examplesIn(one, `${where}/${name}`))
  return [...own, ...deeper]
}
const examples = examplesIn(document)

describe('the document as a whole', () => {
  test('is OpenAPI 3.1 with its title, licence, server and security', () => {
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d$/),
      info: { title: 'Sample', version: '1.0.0', license: { name: 'MIT', identifier: 'MIT' } },
      servers: [{ url: 'https://api.sample.test' }],
      security: [{ basic: [] }],
    })
  })

  test('every reference leads to a component, and every component is used', () => {
    const addresses = Object.entries(components).flatMap(([kind, entries]) =>
      kind === 'securitySchemes' ? [] : Object.keys(entries).map(name => `#/components/${kind}/${name}`),
    )
    expect([...referencesIn(document)].sort()).toEqual(addresses.sort())
  })

  test('operations have distinct names that can stand in an address', () => {
    const names = operations.map(([, { operationId }]) => operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9]+$/)
  })

  test.each(operations)('%s has a summary, a described tag, a success and a refusal', (_, operation) => {
    const statuses = Object.keys(operation.responses)
    const tags = document.tags as unknown as { name: string; description: string }[]
    expect(operation.summary).not.toBe('')
    expect(tags.find(({ name }) => name === operation.tags[0])?.description).toBeTruthy()
    expect(statuses.some(status => status.startsWith('2'))).toBe(true)
    expect(statuses.some(status => status.startsWith('4'))).toBe(true)
  })

  test.each(operations)('%s gives no parameter twice', (_, operation) => {
    const names = parameterNames(operation)
    expect(names).not.toContain(undefined)
    expect(new Set(names).size).toBe(names.length)
  })

  test('there are examples of every kind of body', () => {
    const places = examples.map(({ where }) => where.split('/').at(-1))
    for (const kind of ['', 'Page', 'Hal', 'HalPage', 'Document', 'Collection', 'Create', 'CreateDocument', 'Patch']) {
      expect(places).toContain(`Film${kind}`)
    }
  })

  test.each(examples)('the example at $where fits its schema and says nothing beyond it', ({ schema, value }) => {
    const { examples: _, ...bare } = schema as JsonObject
    expect(faultsOf({ ...resolved(bare), unevaluatedProperties: false }, value)).toEqual([])
  })
})

describe('the operations', () => {
  test.each([
    ['get /api/rest/films', 'listFilms'],
    ['head /api/rest/films', 'headFilmCollection'],
    ['post /api/rest/films', 'createFilm'],
    ['options /api/rest/films', 'optionsFilmCollection'],
    ['get /api/rest/films/{pk}', 'getFilm'],
    ['head /api/rest/films/{pk}', 'headFilm'],
    ['put /api/rest/films/{pk}', 'replaceFilm'],
    ['patch /api/rest/films/{pk}', 'patchFilm'],
    ['delete /api/rest/films/{pk}', 'deleteFilm'],
    ['get /api/rest/films/jsonschema', 'getFilmJsonSchema'],
    ['get /api/rest/films/uischema', 'getFilmUiSchema'],
    ['get /api/rest/films/{pk}/relationships/actors', 'listActorsOfFilmRelationship'],
    ['post /api/rest/films/{pk}/relationships/actors', 'addActorsOfFilm'],
    ['patch /api/rest/films/{pk}/relationships/actors', 'setActorsOfFilm'],
    ['delete /api/rest/films/{pk}/relationships/actors', 'removeActorsOfFilm'],
    ['get /api/rest/films/{pk}/studio', 'getStudioOfFilm'],
    ['post /api/rest/operations', 'performOperations'],
  ])('%s is %s', (place, name) => {
    expect(operations.find(([where]) => where === place)?.[1].operationId).toBe(name)
  })

  test('internal resources are not described', () => {
    expect(JSON.stringify(document)).not.toMatch(/sessions/i)
  })

  test('a to-one relation can only be set, and not even that when the service owns it', () => {
    const methodsOf = (path: string) => Object.keys(paths[path] ?? {}).filter(name => name !== 'parameters')
    expect(methodsOf('/api/rest/films/{pk}/relationships/studio')).toEqual(['get', 'patch'])
    expect(methodsOf('/api/rest/errorLogs/{pk}/relationships/reporter')).toEqual(['get'])
  })

  test('a search takes the common parameters and every searchable field', () => {
    const search = operations.find(([place]) => place === 'get /api/rest/films')?.[1]
    const names = search && parameterNames(search)
    const common = ['filter', 'sort', '_pn', '_ps', '_after', '_total', 'page[number]', 'page[size]', 'page[after]']
    const further = [
      '_before',
      'page[before]',
      'page[total]',
      'page[offset]',
      'page[limit]',
      'page',
      'pks',
      'pks[]',
      'include',
      'fields',
    ]
    expect(names).toEqual(expect.arrayContaining([...common, ...further, 'title', 'rating', 'studio', 'createdDate']))
    expect(names).not.toContain('releaseKey')
    expect(names).not.toContain('metadata')
  })

  test.each(['PageSize', 'JsonApiPageSize', 'JsonApiPageLimit'])('%s names the largest page', name => {
    expect(components.parameters?.[name]?.schema).toMatchObject({ minimum: 1, maximum: 200 })
  })

  const uuid = { type: 'string', format: 'uuid', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }
  const code = { type: 'string', minLength: 1, maxLength: 2, pattern: '^[A-Z]{2}$' }
  test.each([
    ['Film', '/api/rest/films/{pk}', uuid],
    ['Film', '/api/rest/films/{pk}/studio', uuid],
    ['Studio', '/api/rest/studios/{pk}', code],
    ['Studio', '/api/rest/studios/{pk}/relationships/films', code],
  ])('the identifier of a %s in %s has its pattern', (type, path, schema) => {
    expect(paths[path]?.parameters).toEqual([{ $ref: `#/components/parameters/${type}Pk` }])
    expect(components.parameters?.[`${type}Pk`]).toMatchObject({ name: 'pk', in: 'path', required: true, schema })
    expect(components.schemas?.[`${type}Members`]?.properties).toMatchObject({ pk: schema })
  })

  test('a new record may be answered without a body, and says so', () => {
    const created = components.responses?.FilmCreatedJ
    expect(created?.description).toContain('`Prefer: return=minimal`')
    expect(created?.headers).toHaveProperty('Preference-Applied')
    expect(components.parameters?.Prefer).toMatchObject({
      name: 'Prefer',
      in: 'header',
      description: expect.stringMatching(/204.*201/),
    })
  })

  test.each([
    ['post', '/api/rest/films', ['201']],
    ['put', '/api/rest/films/{pk}', ['200', '201', '204']],
    ['patch', '/api/rest/films/{pk}', ['200', '204']],
  ])('%s %s takes Prefer, and has the answers without a body', (method, path, successes) => {
    const { parameters, responses } = paths[path]?.[method] ?? {}
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/Prefer' })
    expect(Object.keys(responses ?? {}).filter(status => status.startsWith('2'))).toEqual(successes)
  })

  test('the default family comes first among the media types', () => {
    const typesOf = (name: string) => Object.keys(components.responses?.[name]?.content as JsonObject)
    const four = ['application/json', 'application/hal+json', 'application/vnd.api+json', 'application/xml']
    expect(typesOf('FilmSearchJ')).toEqual([...four, 'text/csv'])
    expect(typesOf('ActorSearchA')).toEqual([four[2], four[0], four[1], four[3], 'text/csv'])
    expect(paths['/api/rest/actors']?.get).toMatchObject({
      responses: { 200: { $ref: '#/components/responses/ActorSearchA' } },
    })
  })

  test('only a patch takes a merge patch, and no body is XML', () => {
    const bodyTypes = (method: string) => {
      const body = paths['/api/rest/films/{pk}']?.[method]?.requestBody as { content: object } | undefined
      return Object.keys(body?.content ?? {})
    }
    expect(bodyTypes('patch')).toContain('application/merge-patch+json')
    expect(bodyTypes('put')).toEqual(['application/json', 'application/hal+json', 'application/vnd.api+json'])
  })

  test('operations that need no sign-in say so', () => {
    expect(paths['/api/rest/films']?.get?.security).toEqual([{ basic: [] }, {}])
    expect(paths['/api/rest/films']?.post).not.toHaveProperty('security')
    expect(paths['/api/rest/actors']?.get).not.toHaveProperty('security')
  })
})

describe('the schemas of bodies', () => {
  const { links, ...fields } = filmAsShown
  const self = { href: links[0]?.href }
  const page = { size: 10, totalElements: 21, totalPages: 3, number: 0 }
  const resource = { type: 'films', id: fields.pk, attributes: { title: 'Alien' } }

  test.each([
    ['Film', filmAsShown, []],
    ['Film', { pk: fields.pk, title: 'Alien', links }, []],
    ['Film', { title: 'Alien', links }, [" must have required property 'pk'"]],
    ['FilmPage', { content: [filmAsShown], page, links: [] }, []],
    ['FilmPage', { content: [filmAsShown], links: [] }, []],
    [
      'FilmPage',
      { content: [], page: { ...page, totalElements: null, totalPages: null, number: null }, links: [] },
      [],
    ],
    ['FilmPage', { page, links: [] }, [" must have required property 'content'"]],
    ['FilmHal', { ...fields, _links: { self } }, []],
    ['FilmHal', fields, [" must have required property '_links'"]],
    ['FilmHalPage', { _embedded: { films: [{ ...fields, _links: { self } }] }, page, _links: { self } }, []],
    ['FilmDocument', { jsonapi: { version: '1.1' }, data: resource }, []],
    ['FilmDocument', { data: null }, []],
    ['FilmCollection', { data: [resource], links: { self: self.href }, meta: { page, total: 21 } }, []],
    ['FilmCollection', { data: [{ ...resource, type: 'actors' }] }, ['/data/0/type must be equal to constant']],
    [
      'FilmCreateDocument',
      { data: { type: 'films', attributes: {} } },
      expect.arrayContaining([expect.stringContaining('relationships')]),
    ],
  ])('%s judges %j', (name, body, faults) => {
    expect(faultsOf(component(name), body)).toEqual(faults)
  })

  test('every problem has its answer', () => {
    const coded = JSON.stringify(components.schemas?.Problem)
    for (const code of Object.keys(problemTypes)) expect(coded).toContain(`"${code}"`)
    for (const status of [401, 403, 404])
      expect(components.responses?.[`Problem${status}`]).not.toHaveProperty('content')
    expect(components.responses?.Problem400?.content).toHaveProperty([
      'application/problem+json',
      'examples',
      'bad_filter',
    ])
  })
})
